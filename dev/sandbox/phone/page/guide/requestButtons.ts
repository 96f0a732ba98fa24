import type { ExampleResponse } from '../../../guide/exampleRequest';
import { callControl } from '../base/connection';
import { element } from '../base/elements';

/** Creates the buttons that send an event to n8n like another system: a new event, or the last event again, which must send no message. */
export function requestButtons(example: string, label: string): HTMLElement {
	const result = element('p', 'response');
	result.setAttribute('role', 'status');
	result.dataset.testid = 'example-response';
	const first = button(label);
	const again = button('Send it again');
	again.hidden = true;
	let id = '';

	function showResponse({ status, text }: ExampleResponse): void {
		result.replaceChildren(
			element('b', '', String(status)),
			` ${text} `,
			element('i', '', `ID ${id}`),
		);
		first.textContent = `${label} with a new ID`;
		again.hidden = false;
	}

	async function send(): Promise<void> {
		first.disabled = again.disabled = true;
		result.textContent = 'Waiting for n8n …';
		try {
			const response = await callControl('POST', 'guide/request', { example, id });
			showResponse(response as ExampleResponse);
		} catch (error) {
			result.textContent = (error as Error).message;
		}
		first.disabled = again.disabled = false;
		result.scrollIntoView({ block: 'nearest' });
	}

	first.addEventListener('click', () => {
		id = String(Date.now());
		void send();
	});
	again.addEventListener('click', () => void send());
	return element('div', 'example-request', first, again, result);
}

function button(label: string): HTMLButtonElement {
	const created = element('button', 'plain', label);
	created.type = 'button';
	return created;
}
