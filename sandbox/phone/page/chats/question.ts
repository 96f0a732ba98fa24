import { element, icon } from '../base/elements';

/** Of n8n, for the pages on which executions wait. The node puts such a link at the end of a question. */
const LINK = /^https?:\/\/\S+\/webhook-waiting\/./;

/** The link with which the recipient answers; undefined if the message is no question. */
export function questionLink(text = ''): string | undefined {
	const link = text.split(/\s/).at(-1) ?? '';
	return LINK.test(link) && URL.canParse(link) ? link : undefined;
}

export function withoutLink(text: string, link = ''): string {
	return text.slice(0, text.length - link.length).trimEnd();
}

/** Opens the page of the question, in a window as large as a phone if there is space. The page cannot be shown in a frame. */
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
