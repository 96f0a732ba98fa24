import type { NodeHint } from 'n8n-workflow';

/** What the editor can see before a mistake. Its expressions know parameters and input, but no settings of the node. */
const hint = (message: string, operations: string[], condition: string): NodeHint => ({
	message,
	type: 'warning',
	location: 'outputPane',
	whenToDisplay: 'always',
	displayCondition: `={{ ${JSON.stringify(operations)}.includes($parameter["operation"]) && ${condition} }}`,
});

const KEY = '$rawParameter["options"]?.idempotencyKey';

export const hints = [
	hint(
		"More than 50 messages, sent as fast as the gateway allows, can look like spam. Add the option 'Messages per Minute', or set it to 0 if this is intended.",
		['send', 'sendMedia', 'sendJson'],
		'$input.all().length > 50 && $parameter["options"]?.messagesPerMinute === undefined && !$parameter["options"]?.delay && !$parameter["requestOptions"]?.batching',
	),
	hint(
		"All items have the same 'Idempotency Key', so the gateway drops all messages but the first. Choose Automatic, or use an expression that differs per item, e.g. an order number.",
		['send', 'sendMedia'],
		`$input.all().length > 1 && ${KEY} && !["automatic", "off"].includes(${KEY}) && !${KEY}.includes("{")`,
	),
];
