import { browserTest, useBrowser } from './browser';
import { currentQrCode, readQrCode } from './camera';
import { showQrCode } from './editor';
import { useSandbox } from './sandbox';

useBrowser();
useSandbox('AWAITING_QR');

browserTest('shows a QR code in the output panel that a phone can read', async (page) => {
	const before = await currentQrCode();
	const text = await readQrCode(await showQrCode(page));
	// The code changes every 20 seconds, so it may have changed during the execution.
	expect([before, await currentQrCode()]).toContain(text);
});
