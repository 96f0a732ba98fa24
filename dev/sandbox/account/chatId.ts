const CHAT_ID =
	/^(?:[0-9]{5,20}(?:@c\.us)?|[0-9]{5,25}(?:-[0-9]{5,25})?@g\.us|[0-9]{5,25}@newsletter)$/;

export function isChatId(text: string): boolean {
	return CHAT_ID.test(text);
}

/** Returns the form in which chats are compared, because digits alone and digits@c.us are the same chat. */
export function normalizeChatId(chatId: string): string {
	return chatId.replace(/@c\.us$/, '');
}

export type ChatKind = 'person' | 'group' | 'channel';

export function chatKind(chatId: string): ChatKind {
	if (chatId.endsWith('@g.us')) return 'group';
	return chatId.endsWith('@newsletter') ? 'channel' : 'person';
}
