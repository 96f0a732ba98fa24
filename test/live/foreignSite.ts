import type { Page } from 'playwright-core';

export interface Target {
	url: string;
	/** The fields of a form that the entry point accepts. */
	fields?: Record<string, string>;
	/** A JSON body that the entry point accepts. */
	json?: unknown;
}

/**
 * Runs in the foreign page: sends requests to the target in every way that a script has, and returns the statuses of the responses that
 * it can read. Resolves when n8n has responded to all of them.
 */
export async function attack(page: Page, target: Target) {
	return await page.evaluate(async ({ url, fields = {}, json }: Target) => {
		const found: number[] = [];
		const form = new FormData();
		for (const [name, value] of Object.entries(fields)) form.set(name, value);
		const text = JSON.stringify(json ?? fields);
		const headers = {
			'content-type': 'application/json',
			accept: 'application/json, text/event-stream',
		};
		const requests: RequestInit[] = [
			{},
			{ method: 'POST', body: form },
			{ method: 'POST', body: new URLSearchParams(fields) },
			{ method: 'POST', body: text },
			{ method: 'POST', body: text, headers },
			{ method: 'POST', body: form, headers: { 'x-auth-token': 'guessed' } },
		];
		for (const request of requests) {
			for (const credentials of ['include', 'omit'] as const) {
				const signal = AbortSignal.timeout(30_000);
				try {
					const { status, body } = await fetch(url, { ...request, credentials, signal });
					found.push(status);
					// An event stream does not end.
					await body?.cancel();
				} catch {
					// The browser withheld the response.
				}
			}
		}

		const frame = document.createElement('iframe');
		const loaded = new Promise((resolve) => {
			frame.onload = resolve;
			// A frame with an event stream does not finish loading.
			setTimeout(resolve, 10_000);
		});
		frame.src = url;
		document.body.append(frame);
		await loaded;
		try {
			if (frame.contentDocument?.body.innerText) found.push(200);
		} catch {
			// The document belongs to another origin.
		}
		frame.remove();
		return found;
	}, target);
}

/** The same with new tabs, to which browsers send more than to frames: opens the target, and submits forms to it. */
export async function attackInTabs(page: Page, target: Target): Promise<void> {
	for (const enctype of [undefined, 'multipart/form-data', 'text/plain']) {
		const opened = page.waitForEvent('popup');
		await page.evaluate(
			({ url, fields = {}, enctype }) => {
				if (enctype === undefined) return void window.open(url);
				const form = document.createElement('form');
				Object.assign(form, { method: 'POST', action: url, target: '_blank', enctype });
				for (const [name, value] of Object.entries(fields)) {
					const input = document.createElement('input');
					form.append(Object.assign(input, { type: 'hidden', name, value }));
				}
				document.body.append(form);
				form.submit();
			},
			{ ...target, enctype },
		);
		const tab = await opened;
		await tab.waitForLoadState();
		await tab.close();
	}
}
