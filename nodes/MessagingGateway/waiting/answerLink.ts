import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';

/** n8n 1 checks the signature only after this call. Later versions always do. */
interface Context extends IExecuteFunctions {
	setSignatureValidationRequired?: () => void;
}

/** The signed link to the page of a question. `run` tells apart the questions of a loop. */
export function answerLink(context: Context, run: number): string {
	context.setSignatureValidationRequired?.();
	return context.getSignedResumeUrl({ run: String(run) });
}

const THIS_MACHINE = /^(localhost|.*\.localhost|127\..*|0\.0\.0\.0|\[::1?\])$/;
const THIS_NETWORK =
	/^([^.:]+|.*\.(local|lan|internal|home\.arpa)|10\..*|192\.168\..*|172\.(1[6-9]|2\d|3[01])\..*|169\.254\..*|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\..*|\[f[cde].*)$/;

/** For the user, if a phone cannot open the link. */
export function linkHint(link: string): NodeExecutionHint | undefined {
	const { origin, hostname } = new URL(link);
	const reach = THIS_MACHINE.test(hostname)
		? 'which only this machine can open'
		: THIS_NETWORK.test(hostname) && 'which only devices in the same network can open';
	if (!reach) return undefined;
	return {
		message: `The link in the message starts with ${origin}, ${reach}. Set the environment variable N8N_WEBHOOK_URL (before n8n 2.35: WEBHOOK_URL) to an address of n8n that the phone can reach.`,
		location: 'outputPane',
		type: 'warning',
	};
}
