export interface Text {
	chat: string;
	text: string;
}

/** Texts for the chats in turn, like the rows of a customer list. */
export function createTexts(count: number, chats: number): Text[] {
	return Array.from({ length: count }, (_, i) => ({
		chat: String(49_151_000_000_000 + (i % chats)),
		text: `Message ${i + 1} of ${count}: your table is booked for 7 pm.`,
	}));
}

/** Counts messages that arrived after a later message of their chat. Throws unless every message arrived exactly once. */
export function countOutOfOrder(
	sent: Text[],
	delivered: Array<{ chatId: string; text?: string }>,
): number {
	const positions = new Map(sent.map(({ chat, text }, position) => [`${chat} ${text}`, position]));
	const latest = new Map<string, number>();
	let outOfOrder = 0;
	for (const { chatId, text } of delivered) {
		const position = positions.get(`${chatId} ${text}`);
		if (position === undefined) {
			throw new Error(`Never sent, or delivered twice: ${chatId} ${text}`);
		}
		positions.delete(`${chatId} ${text}`);
		if (position < (latest.get(chatId) ?? -1)) outOfOrder++;
		else latest.set(chatId, position);
	}
	if (positions.size > 0) {
		throw new Error(`${positions.size} of ${sent.length} messages did not arrive.`);
	}
	return outOfOrder;
}
