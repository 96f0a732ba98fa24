import { invalidField } from '../http/fields';

/** What the phone page links to when no phone is paired: the example in n8n that pairs one. Only the program that starts n8n knows it. */
export class PairingLink {
	#url: string | undefined;

	get url(): string | undefined {
		return this.#url;
	}

	set(body: unknown): void {
		const url = (body as { url?: unknown } | undefined)?.url;
		const isLink = typeof url === 'string' && /^https?:/.test(url) && URL.canParse(url);
		if (!isLink) throw invalidField('url', 'must be an http or https URL');
		this.#url = url;
	}
}
