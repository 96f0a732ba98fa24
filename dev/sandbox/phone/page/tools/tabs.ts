import { byId } from '../base/elements';

const tabs = [...byId('tools').querySelectorAll<HTMLButtonElement>('[role="tab"]')];

/** Calls the listener with the ID of the tab that the user selects. */
export function onTabChange(listener: (id: string) => void): void {
	for (const tab of tabs) {
		tab.addEventListener('click', () => {
			select(tab);
			listener(tab.id);
		});
	}
}

function select(selected: HTMLButtonElement): void {
	for (const tab of tabs) {
		const isSelected = tab === selected;
		tab.setAttribute('aria-selected', String(isSelected));
		// The Tab key stops only at the selected tab. The arrow keys move between the tabs.
		tab.tabIndex = isSelected ? 0 : -1;
		byId(tab.getAttribute('aria-controls')!).hidden = !isSelected;
	}
}

for (const [index, tab] of tabs.entries()) {
	tab.addEventListener('keydown', ({ key }) => {
		const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0;
		if (step === 0) return;
		const next = tabs[(index + step + tabs.length) % tabs.length]!;
		next.focus();
		next.click();
	});
}
