import type { Credential, PhoneView, ShownExample } from '../../view';
import { byId, element, icon } from '../base/elements';
import { updateList } from '../base/keyedList';
import { textElements } from '../chats/textElements';
import { copyRow } from './copyRow';
import { requestButtons } from './requestButtons';

type Row = Omit<ShownExample, 'url'> & { id: string; url?: string };

const list = byId('examples');

export function showGuide({ guide }: PhoneView): void {
	if (!guide) return;
	const { examples, credential } = guide;
	byId('guide-hint').textContent =
		examples.length > 0
			? 'Choose an example and follow its steps. Messages appear on this page.'
			: 'npm start opens n8n with examples. Other clients can use this sandbox, too:';
	const rows = examples.map((example) => ({ id: example.name, ...example }));
	updateList<Row>(list, [...rows, ownCredential(credential)], fillExample);
}

function ownCredential({ baseUrl, token, secret }: Credential): Row {
	return {
		id: 'credential',
		name: 'A credential of your own',
		steps: [
			'In n8n, create a credential of the type *Messaging Gateway API* with these values.',
			'Save it. n8n tests it.',
		],
		values: [
			{ label: 'Base URL', value: baseUrl },
			{ label: 'Token', value: token },
			{ label: 'Secret', value: secret },
		],
	};
}

function fillExample(row: HTMLElement, example: Row): void {
	const { name, url, steps, values, request } = example;
	// A changed row stays open or closed. At first, only the first example is open, for new users.
	const isOpen = row.querySelector('details')?.open ?? list.childElementCount === 0;
	const details = element('details', 'example');
	// The browser keeps only one of the details elements with the same name open.
	details.name = 'example';
	details.open = isOpen;
	const summary = element('summary', '', name);
	// The page scrolls only after a click, because a row that is open from the start also emits a toggle event.
	summary.addEventListener('click', () => scrollWhenToggled(details));
	details.append(
		summary,
		...(url === undefined ? [] : [openLink(url)]),
		element('ol', 'steps', ...steps.map((step) => element('li', '', ...textElements(step)))),
		...(values.length > 0 ? [element('dl', 'values', ...values.map(copyRow))] : []),
		...(request === undefined ? [] : [requestButtons(name, request)]),
	);
	row.dataset.testid = 'example';
	row.replaceChildren(details);
}

function scrollWhenToggled(details: HTMLElement): void {
	const scroll = () => details.scrollIntoView({ block: 'nearest' });
	details.addEventListener('toggle', scroll, { once: true });
}

function openLink(url: string): HTMLElement {
	const link = element('a', 'primary', 'Open in n8n', icon('open'));
	link.href = url;
	link.target = '_blank';
	link.rel = 'noopener noreferrer';
	return link;
}
