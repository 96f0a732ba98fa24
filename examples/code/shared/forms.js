const { escape } = require('./texts.js');

/** What was entered, for the address of the form. A long text does not fit. */
const entriesOf = (form) =>
	$(form)
		.params.formFields.values.map(
			({ fieldName }) =>
				`${fieldName}=${encodeURIComponent($(form).first().json[fieldName] ?? '')}`,
		)
		.filter(({ length }) => length < 3_000)
		.join('&');

/**
 * The back button of the browser does not lead to the form. A form that is tested in the editor is open only once. With `isKept`, the
 * form is filled in as before.
 */
const backLine = (form = 'Form', isKept = false) =>
	$(form).isExecuted && $(form).first().json.formMode === 'production'
		? `<p><a href="../form/${escape($(form).params.options.path)}${isKept ? `?${escape(entriesOf(form))}` : ''}">Back to the form</a></p>`
		: '<p>For another choice, execute the workflow again.</p>';

module.exports = { backLine };
