/**
 * The main journeys of users, which `.ci/run` walks for each change: tests by file, with their full titles. All others run at night.
 * @type {Record<string, string[]>}
 */
export const journeys = {
	'examples/workflows.test.ts': [
		'imports every example into n8n',
		'1. Send a message from a form sends what a visitor enters, and confirms it on the final page',
		'1. Send a message from a form reports an unknown result on the final page if the connection is lost',
		'2. Send a message when a CRM reports a won deal sends one message even if the same valid call arrives twice',
		'2. Send a message when a CRM reports a won deal rejects a signature with another secret',
		'3. Pair a phone on a web page shows the QR code, refreshes it, and ends with “Paired”',
		'4. Send messages to a list from a CSV file reports sent, unknown and not sent for the sample rows',
		'4. Send messages to a list from a CSV file with an uploaded file reads a file in Windows-1252, as Excel saves it without “UTF-8”',
		'6. Cancel deferred deliveries older than an hour cancels old deliveries and keeps new ones and those without a valid date',
		'7a. Send messages with an AI agent',
		'7b. Offer messaging tools to AI clients as an MCP server',
		'8. Call a new endpoint below <base URL>/api/whatsapp',
		'12. Defer a message makes a deferred delivery',
	],
	'examples/approval.test.ts': [
		'10. Ask for an approval in a chat an employee requests in the form, and the manager approves on a phone',
		'10. Ask for an approval in a chat tells the manager that the decision was not sent',
		'7c. Approve AI replies in a chat before they are sent runs as imported, with the scripted model of the sandbox',
	],
	'examples/outbox.test.ts': [
		'stores a request, then sends it once, even if it is repeated with its ID',
		'responds with 422 to {"to":"447700900123","text":"Hello","id":{}}',
		'marks rows as sent, deferred, failed or still pending, with the reason',
		'gives each row to one of four runs that start at the same time',
	],
	'examples/campaign.test.ts': [
		'is walked in the browser: the draft, the start, the phone, the opt-out page and the report',
	],
	'credential.test.ts': ['tests a new credential, and reports a wrong secret'],
	'send.test.ts': [
		'sends a message and outputs the gateway’s response',
		'says what to do if the session is not online',
	],
	'qrCode.test.ts': ['shows a QR code in the output panel that a phone can read'],
	'deliveryKey.test.ts': ['chooses a deferred delivery from the list'],
	'errorBranch.test.ts': [
		'outputs failed items on the error branch and sent items on the success branch',
	],
	'guardrails.test.ts': [
		'Allowed Recipients Only: only they get messages',
		'HTTP Request nodes cannot use a credential whose owner did not allow them',
		'One Test Number: it gets every message of the node',
		'Nobody: example 14 takes every branch, and nothing is sent',
		'npm start: example 14 sends nothing, and stops with the credential of the others',
	],
	'retry.test.ts': [
		'Retry with original workflow: does not send a message again that has already arrived',
	],
};
