import { element, icon } from '../base/elements';

/** Matches the link to a page of a waiting execution in n8n. The node puts such a link at the end of a question. */
const LINK = /^https?:\/\/\S+\/webhook-waiting\/./;

/** Returns the link with which the recipient answers, or undefined if the message is not a question. */
export function questionLink(text = ''): string | undefined {
	const link = text.split(/\s/).at(-1) ?? '';
	return LINK.test(link) && URL.canParse(link) ? link : undefined;
}

export function withoutLink(text: string, link = ''): string {
	return text.slice(0, text.length - link.length).trimEnd();
}

/** Creates a link to the page of the question, which cannot be framed. On a wide screen it opens in a window as large as a phone. */
export function openQuestion(url: string): HTMLElement {
	const link = element('a', 'primary', 'Open the question', icon('open'));
	link.href = url;
	link.target = '_blank';
	link.rel = 'noopener noreferrer';
	link.title = url;
	link.dataset.testid = 'open-question';
	link.addEventListener('click', (event) => {
		if (!matchMedia('(min-width: 45rem)').matches) return;
		event.preventDefault();
		open(url, '_blank', 'popup,noopener,noreferrer,width=400,height=680');
	});
	return link;
}
