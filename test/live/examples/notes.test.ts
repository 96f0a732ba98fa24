import { browserTest, useBrowser } from '../browser';
import { byTestId } from '../editor';
import { live } from '../live';

useBrowser();

browserTest('no note of an example is cut off at its bottom', async (page) => {
	const cut: string[] = [];
	for (const [file, id] of Object.entries(live.workflows)) {
		await page.goto(`${live.urls.n8n}/workflow/${id}`);
		const notes = byTestId(page, 'sticky');
		await notes.first().waitFor();
		const missing = await notes.evaluateAll((elements) =>
			elements.flatMap((note) =>
				[note, ...note.querySelectorAll('*')]
					.filter((part) => getComputedStyle(part).overflowY !== 'visible')
					.map((part) => part.scrollHeight - part.clientHeight)
					.filter((pixels) => pixels > 2)
					.map((pixels) => `${note.textContent?.trim().split('\n')[0]}: ${pixels} pixels`),
			),
		);
		cut.push(...missing.map((note) => `${file}: ${note}`));
	}
	expect(cut).toEqual([]);
});
