import { byId } from '../base/elements';

const viewer = byId<HTMLDialogElement>('viewer');
const image = byId<HTMLImageElement>('viewer-image');
const caption = byId('viewer-caption');
const file = byId<HTMLAnchorElement>('viewer-file');

/** Shows an image over the page. The dialog closes with Esc, and then returns the focus to the image in the chat. */
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
	// The image in the chat is another element after its message has changed.
	if (document.activeElement === document.body) byId('log').focus({ preventScroll: true });
});
