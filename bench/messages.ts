export interface Text {
	chat: string;
	text: string;
}

/** A message as the other side has it. */
export interface Arrived {
	chatId: string;
	text?: string;
}

/** One message to each chat, then the next one to each: as a sheet of customers would have it. */
export function texts(count: number, chats: number): Text[] {
	return Array.from({ length: count }, (_, i) => ({
		chat: String(49_151_000_000_000 + (i % chats)),
		text: `Message ${i + 1} of ${count}: your table is booked for 7 pm.`,
	}));
}

/** Counts messages that came after a later one of their chat. All must have come, each once. */
export function orderViolations(sent: Text[], delivered: Arrived[]): number {
	const places = new Map(sent.map(({ chat, text }, place) => [`${chat} ${text}`, place]));
	const latest = new Map<string, number>();
	let violations = 0;
	for (const { chatId, text } of delivered) {
		const place = places.get(`${chatId} ${text}`);
		if (place === undefined) throw new Error(`Not sent, or delivered twice: ${chatId} ${text}`);
		places.delete(`${chatId} ${text}`);
		if (place < (latest.get(chatId) ?? -1)) violations++;
		else latest.set(chatId, place);
	}
	if (places.size > 0) throw new Error(`${places.size} of ${sent.length} messages did not arrive.`);
	return violations;
}
