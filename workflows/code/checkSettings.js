// Why the campaign cannot be prepared, or could not be sent; empty if it can. n8n 2.20 cuts the text of an error at its colons, so a
// node of its own stops.
const { problemInSettings } = require('./shared/campaigns.js');

const settings = $('Settings').first().json;
const { id, status = 'draft' } = $input.first().json;

function problem() {
	if ($('Draft requested').isExecuted && id !== undefined) {
		return `There is already a campaign '${settings.name}'. Choose another name.`;
	}
	if (status !== 'draft') {
		return `The campaign '${settings.name}' was started before. Choose another name in Settings.`;
	}
	if (!/^https?:\/\/[^/?#]+\/[^?#]*$/.test(settings.optOutPage)) {
		return "The address of this n8n is not known here, so the opt-out links would be dead. In Settings, set 'optOutPage' to the Production URL of Link opened in '13. Campaign: opt-out page'.";
	}
	return problemInSettings(settings, 'Settings');
}

return [{ json: { problem: problem() } }];
