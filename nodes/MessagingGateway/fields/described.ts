const PAGES =
	'https://github.com/n8n-nodes-messaging-gateway/n8n-nodes-messaging-gateway/blob/main/docs/';

/** A description with a link to its part of docs/, as in n8n's own nodes. */
export const described = (description: string, page: string): string =>
	`${description} <a href="${PAGES}${page}">More info</a>.`;
