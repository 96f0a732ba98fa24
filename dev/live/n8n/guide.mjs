// How to try each example, for the phone page. `*Name*` is a name that the user sees in n8n or on the phone page.

import { join } from 'node:path';

import { root } from '../../tools/install.mjs';
import { readJson } from '../../tools/jsonFile.mjs';
import { PAIRING_EXAMPLE } from './seed.mjs';

/**
 * @typedef {import('./entryKeys.mjs').EntryKeys} EntryKeys
 * @typedef {import('./seed.mjs').WorkflowIds} WorkflowIds
 * @typedef {import('../../sandbox/guide/guide.js').Guide} Guide
 * @typedef {import('../../sandbox/guide/guide.js').Example} Example
 * @typedef {Pick<Example, 'steps'> & Partial<Pick<Example, 'values' | 'request'>>} Instructions
 */

/**
 * The guide to the examples that this n8n has.
 * @param {string} n8nUrl
 * @param {EntryKeys} keys
 * @param {WorkflowIds} workflows
 * @param {string} credential The name of the credential for the sandbox.
 * @returns {Guide}
 */
export function guideTo(n8nUrl, keys, workflows, credential) {
	const examples = Object.entries(instructions(n8nUrl, keys, credential)).flatMap(
		([file, { steps, values = [], request }]) => {
			const id = workflows[file];
			if (id === undefined) return [];
			return { name: nameOf(file), url: `${n8nUrl}/workflow/${id}`, steps, values, request };
		},
	);
	const pairingUrl = workflows[PAIRING_EXAMPLE] && `${n8nUrl}/webhook/pair-a-phone`;
	return { pairingUrl, examples };
}

/** @param {string} file */
function nameOf(file) {
	const path = join(root, 'examples', file);
	return /** @type {{ name: string } | undefined} */ (readJson(path))?.name ?? file;
}

/**
 * @param {string} n8nUrl
 * @param {EntryKeys} keys
 * @param {string} credential
 * @returns {Record<string, Instructions>}
 */
function instructions(n8nUrl, { user, password, token, secret }, credential) {
	const login = [
		{ label: 'User', value: user },
		{ label: 'Password', value: password },
	];
	const run = 'Click *Execute workflow*.';
	return {
		'1-form-to-message.json': {
			steps: [
				`${run} A form opens. It asks for the user and password below.`,
				'Fill in the form with any phone number with + and country code, and click *Send*. The message appears here.',
			],
			values: login,
		},
		'2-crm-webhook-to-message.json': {
			steps: [
				'Click *Publish*. Then the workflow has an address for the CRM.',
				'Click *Send the CRM event* here. It is signed with the secret below. The message appears here.',
				'Click *Send it again* here. An event with the same ID sends no second message.',
			],
			values: [{ label: 'Secret of the CRM app', value: secret }],
			request: {
				label: 'Send the CRM event',
				url: `${n8nUrl}/webhook/crm-event`,
				body: '{"eventId":{id},"properties":{"firstname":"Ada","phone":"+44 7700 900123","amount":"249.50"}}',
				hubspotSecret: secret,
			},
		},
		'3-pair-a-phone.json': {
			steps: [
				'Under *Tools*, click *Log out*. Then click *Pair it again with example 3*.',
				'Enter the user and password below, and click *Continue*.',
				'When you see the QR code, come back and click *Scan*.',
			],
			values: login,
		},
		'4-bulk-send-from-csv.json': {
			steps: [
				`${run} The messages appear here, one after the other.`,
				'Open *Report* in n8n. It says for each row whether its message was sent.',
			],
		},
		'5-image-and-invoice.json': {
			steps: [`${run} An image and an invoice appear here.`],
		},
		'6-cancel-old-deferred-deliveries.json': {
			steps: [
				'Run example 12 first: it takes the phone offline and defers a message.',
				'Set *hours* in *Maximum age* to 0, and click *Execute workflow*. The message disappears here.',
				'Set *hours* back to 1: with 0, the workflow deletes every deferred message. Switch the phone online again.',
			],
		},
		'7a-ai-agent.json': {
			steps: [
				'Click *Open chat*.',
				'Send the first text below. The message appears here. The second text sends a picture of this n8n: *Send image* fixes the address, and the model chooses only the name. The model is a script that understands only such requests.',
			],
			values: [
				{ label: 'Text', value: 'Tell +44 7700 900123 that I am ten minutes late' },
				{ label: 'Picture', value: 'Send n8n-logo.png to +44 7700 900123' },
			],
		},
		'7b-mcp-server.json': {
			steps: [
				'Click *Publish*.',
				'Enter the URL and the token below in an MCP client. It finds four tools.',
			],
			values: [
				{ label: 'URL', value: `${n8nUrl}/mcp/messaging-gateway` },
				{ label: 'Bearer token', value: token },
			],
		},
		'7c-agent-with-approval.json': {
			steps: [
				`${run} A colleague, +44 7700 900400, gets a question about three replies.`,
				'Open that chat here, click *As recipient*, then *Open the question*. Tick some replies, change one, and send. The customers get these.',
			],
		},
		'8-new-endpoint.json': {
			steps: [
				`${run} The credential allows it: its *Allowed HTTP Request Domains* is *Base URL Only*, and its *Send Messages To* is *Anyone*.`,
				'Under *Tools*, open the *Request log*. The newest row with `invite-info` is this request. It is marked *Signed*.',
			],
		},
		'9a-offline-alert.json': {
			steps: [
				'Set *Minutes* of the first node to 1, then click *Publish*.',
				'Switch the phone offline here. Within three minutes, the alert is in the data table *Messaging alerts*.',
				'Set *Minutes* back to 10, click *Publish*, and switch the phone online again.',
			],
		},
		'9b-deferred-message-sent.json': {
			steps: [
				'Click *Publish*, then run example 12 and wait a minute.',
				'Switch the phone online here. Within two minutes, +44 7700 900199 is notified.',
			],
		},
		'9c-unknown-alert.json': {
			steps: [
				'Run example 11 first, so that there is an outbox. Under *Data tables*, set the *status* of a row to `unknown`.',
				`${run} The alert is in the data table *Messaging alerts*. Once the workflow is published, it sends one alert about each row.`,
			],
		},
		'10-approval.json': {
			steps: [
				'Click *Publish*, and open the form below. It asks for the user and password below.',
				'Request a discount. As your number, enter +44 7700 900123.',
				'Open the chat with the manager, +44 7700 900200, click *As recipient*, then *Open the question*, and decide.',
			],
			values: [...login, { label: 'Form', value: `${n8nUrl}/form/discount-request` }],
		},
		'11-outbox-in.json': {
			steps: [
				'Click *Publish*. Then the workflow has an address for other systems.',
				'Click *Send the order* here. n8n stores it in the data table *Messaging outbox*.',
				'Go on with the next example, which sends it.',
			],
			values: login,
			request: {
				label: 'Send the order',
				url: `${n8nUrl}/webhook/outbox`,
				body: '{"id":"order {id}","to":"+44 7700 900123","text":"Your order is on its way."}',
				basicAuth: { user, password },
			},
		},
		'11-outbox-send.json': {
			steps: [
				'Click *Publish*. Within ten seconds, the order of the example above appears here.',
				'Its row in *Data tables* says what happened to it.',
			],
		},
		'11p-outbox-in.json': {
			steps: [
				'For a PostgreSQL: select its credential in *Store* and *Withdraw*. It has the same address as example 11, so unpublish that one first.',
			],
		},
		'11p-outbox-send.json': {
			steps: [
				'Select the credential of your PostgreSQL in all Postgres nodes, then click *Publish*.',
			],
		},
		'11p-outbox-move.json': {
			steps: ['Moves the rows of example 11 into a PostgreSQL, or back.'],
		},
		'12-defer-a-message.json': {
			steps: [
				`${run} The phone goes offline, and its message waits here, in gray.`,
				'Switch the phone online. The message is delivered.',
			],
		},
		'13-campaign-prepare.json': {
			steps: [
				'The people are in London, New York and Los Angeles. If it is not between 9:00 and 18:00 in any of them, set *windowFrom* to 00:00 and *windowTo* to 23:59 in *Settings* first.',
				'In *Settings*, enter a name as *sender*, and a phone number or email as *contact*. The opt-out page shows them.',
				`${run} It prepares messages to 200 made-up people. Nothing is sent.`,
				'With your own list: activate *Upload*, and execute the workflow. Its form takes a CSV file with the columns phone, name and timezone, and asks for the user and password below.',
				'Publish the second workflow of example 11, which sends the messages, and the opt-out page of example 13.',
				'Go on with the next example, which starts the campaign.',
			],
			values: login,
		},
		'13-campaign-manage.json': {
			steps: [
				`${run} *Report in the editor* shows the texts, and the number of the draft. In *Choice*, set *action* to *Start* and *draft* to this number, and execute it again. Where it is between 9:00 and 18:00 now, people get their message.`,
				'About three minutes later, set *action* to *Show the report*, and execute it again. *Report in the editor* says when the others are due. Then try *Pause* or *Stop*.',
				'With a form instead: activate *Form*, and execute the workflow. The form asks for the user and password below.',
			],
			values: login,
		},
		'13-campaign-opt-out.json': {
			steps: [
				'Click *Publish*. Then the links in the messages of the campaign lead to a page.',
				'Open the link at the end of a message here, and press its button. This person gets no more messages of campaigns.',
			],
		},
		'14-rehearse.json': {
			steps: [
				`${run} Nothing appears here, and each branch has its items: the credential *Rehearsal (sandbox)* sends nothing. A note on the output of *Send* says so.`,
				`In *Credential* and *Send*, select *${credential}*, and execute it again: it stops before *Send*. Then select *Rehearsal (sandbox)* again.`,
			],
		},
		'15-may-i-write.json': {
			steps: [
				'If it is not between 9:00 and 18:00 in London, set *windowFrom* to 00:00 and *windowTo* to 23:59 in *Settings* first. Click *Publish*. Then other examples can ask this one.',
				'In example 4, activate *May I write?* and *Count message*, and execute the workflow. The messages appear here.',
				'Execute example 4 twice more. Now *Counts* says that each person had enough messages lately.',
			],
		},
		'16-forget-a-person.json': {
			steps: [
				`${run} *Page in the editor* shows what is stored about +44 7700 900123.`,
				'Set *action* in *Choice* to *Stop messages*, and execute it again. Example 4 then skips this person, if it asks example 15.',
				'With *Forget*, all rows about this person are made anonymous. With *Allow messages*, the person gets messages again.',
				'With a form instead: activate *Form*, and execute the workflow. The form asks for the user and password below.',
			],
			values: login,
		},
		'17-appointments-remind.json': {
			steps: [
				'In *Reminder settings*, set *timezone* to yours, *quietFrom* and *quietTo* to 00:00, and *firstHours* to 0.1 and *secondHours* to 0: a reminder six minutes before.',
				'Click *Publish*. Publish *11. Outbox: send stored requests* and *17. Appointments: page*, too.',
				'Open the form below, and enter an appointment in eight minutes, with the number +44 7700 900123. The reminder appears here two minutes later.',
				'Open its link, and press *I’ll come*. The summary below says so.',
			],
			values: [
				...login,
				{ label: 'Form', value: `${n8nUrl}/form/add-appointment` },
				{ label: 'Summary', value: `${n8nUrl}/webhook/appointments` },
			],
		},
		'17-appointments-page.json': {
			steps: [
				'Run *17. Appointments: remind* once: it makes the tables. Then click *Publish*.',
				'Open the link of a reminder here. Opening it changes nothing; a button stores the answer.',
			],
		},
	};
}
