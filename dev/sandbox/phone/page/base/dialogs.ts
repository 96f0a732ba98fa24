/** Closes a dialog with its button and with a click outside of it. The browser closes it with Esc. */
for (const dialog of document.querySelectorAll('dialog')) {
	dialog.addEventListener('click', ({ target }) => {
		const isButton = target instanceof Element && target.closest('[data-close]') !== null;
		// The target of a click on the backdrop is the dialog itself, because the content covers the rest of the dialog.
		if (isButton || target === dialog) dialog.close();
	});
}
