import axe from 'axe-core';
import type { Page } from 'playwright-core';

const VIEWPORTS = [
	{ width: 390, height: 760 },
	{ width: 1440, height: 900 },
];

/** What axe-core finds on the page as it is now: light and dark, narrow and wide. */
export async function violations(page: Page): Promise<string[]> {
	const found: string[] = [];
	// Evaluated through the debugger, because the policies of the pages allow no other script.
	await page.evaluate(axe.source);
	for (const colorScheme of ['light', 'dark'] as const) {
		await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
		for (const viewport of VIEWPORTS) {
			await page.setViewportSize(viewport);
			const { violations } = await page.evaluate(
				async () => await (globalThis as unknown as { axe: typeof axe }).axe.run(),
			);
			for (const { id, nodes } of violations) {
				for (const { html, failureSummary } of nodes) {
					found.push(`${colorScheme} ${viewport.width}: ${id}: ${html} ${failureSummary}`);
				}
			}
		}
	}
	return found;
}
