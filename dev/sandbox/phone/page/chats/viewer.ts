import { byId } from '../base/elements';

const viewer = byId<HTMLDialogElement>('viewer');
const image = byId<HTMLImageElement>('viewer-image');
const caption = byId('viewer-caption');
const file = byId<HTMLAnchorElement>('viewer-file');

/** Shows an image in a dialog over the page. When the dialog closes, the browser returns the focus to the image in the chat. */
export function openViewer(url: string, name: string, text: string): void {
	image.src = url;
	image.alt = text || `Image ${name}`;
	caption.textContent = text || name;
	file.href = url;
	file.download = name;
	viewer.showModal();
}

viewer.addEventListener('close', () => {
	image.removeAttribute('src');
	// If the message has changed, the image in the chat is a new element, and the focus is on no element.
	if (document.activeElement === document.body) byId('log').focus({ preventScroll: true });
});
