/** A dialog closes with Esc, with its button, and with a click outside of it. */
for (const dialog of document.querySelectorAll('dialog')) {
	dialog.addEventListener('click', ({ target }) => {
		const isButton = target instanceof Element && target.closest('[data-close]') !== null;
		// Only the backdrop is the dialog itself: its content covers the rest.
		if (isButton || target === dialog) dialog.close();
	});
}
