import type { IDataObject } from 'n8n-workflow';

/** For one connection. Another host could bring token and signature to another server at the same address. */
const HOP_BY_HOP = [
	...['host', 'connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
	...['proxy-authenticate', 'proxy-authorization', 'proxy-connection'],
];

/** Without the headers that belong to the connection, and those that `Connection` names. */
export function withoutHopByHop(headers: IDataObject = {}): IDataObject {
	const named = Object.entries(headers)
		.filter(([name]) => name.toLowerCase() === 'connection')
		.flatMap(([, value]) => [value].flat())
		.flatMap((value) => (typeof value === 'string' ? value.split(',') : []));
	return withoutHeaders([...HOP_BY_HOP, ...named.map((name) => name.trim())], headers);
}

export function withoutHeaders(names: string[], headers: IDataObject): IDataObject {
	const unwanted = new Set(names.map((name) => name.toLowerCase()));
	return Object.fromEntries(
		Object.entries(headers).filter(([name]) => !unwanted.has(name.toLowerCase())),
	);
}
