import { browserTest, screenshot, useBrowser } from '../browser';
import { byTestId } from '../editor';
import { live } from '../live';

/** Below this, the text of a note is too small to read. */
const MIN_ZOOM = 0.5;

useBrowser();

describe('the notes can be read when the editor opens', () => {
	for (const [file, id] of Object.entries(live.workflows)) {
		browserTest(file, async (page) => {
			await page.setViewportSize({ width: 1440, height: 900 });
			await page.goto(`${live.urls.n8n}/workflow/${id}`);
			await byTestId(page, 'canvas-node').first().waitFor();
			await page.waitForLoadState('networkidle');
			await screenshot(page, `canvas-${file.replace('.json', '')}`);
			const pane = page.locator('.vue-flow__transformationpane');
			const zoom = await pane.evaluate(
				(element) => new DOMMatrix(getComputedStyle(element).transform).a,
			);
			const covered = await byTestId(page, 'sticky').evaluateAll((notes) =>
				notes
					.filter((note) => {
						const { left, right, top, bottom } = note.getBoundingClientRect();
						const corners = [left + 8, right - 8].flatMap((x) =>
							[top + 8, bottom - 8].map((y) => document.elementsFromPoint(x, y)),
						);
						// Its handles for resizing are beside it. n8n's checklist for published workflows can be closed.
						const node = note.closest('.vue-flow__node')!;
						return !corners.every((elements) =>
							node.contains(elements.find((element) => element.closest('.vue-flow'))!),
						);
					})
					.map((note) => note.textContent.slice(0, 40)),
			);
			expect({ covered, zoom }).toEqual({ covered: [], zoom: expect.any(Number) });
			expect(zoom).toBeGreaterThanOrEqual(MIN_ZOOM);
		});
	}
});
