const CHAT_ID =
	/^(?:[0-9]{5,20}(?:@c\.us)?|[0-9]{5,25}(?:-[0-9]{5,25})?@g\.us|[0-9]{5,25}@newsletter)$/;

export function isChatId(text: string): boolean {
	return CHAT_ID.test(text);
}

/** Bare digits and digits@c.us are two spellings of the same person: this is the one to compare. */
export function chatKey(chatId: string): string {
	return chatId.replace(/@c\.us$/, '');
}

export function sameChat(a: string, b: string): boolean {
	return chatKey(a) === chatKey(b);
}
