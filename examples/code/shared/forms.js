const { escape } = require('./texts.js');

/** The back button of the browser does not lead to the form. A form that is tested in the editor is open only once. */
const backLine = () =>
	$('Form').isExecuted && $('Form').first().json.formMode === 'production'
		? `<p><a href="../form/${escape($('Form').params.options.path)}">Back to the form</a></p>`
		: '<p>For another choice, execute the workflow again.</p>';

module.exports = { backLine };
