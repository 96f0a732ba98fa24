/**
 * Numbers in n8n's trace of an execution.
 * Versions: since n8n 2.22; earlier ones ignore them.
 * n8n's issue: none known. It keeps the metadata of the last try only.
 * If n8n changes: run `npm run test:live -- executionData`.
 * Checked with n8n 2.41.1.
 */
import type { IExecuteFunctions } from 'n8n-workflow';

/** With Retry On Fail, n8n runs the node several times in one span. */
export function addToTrace(context: IExecuteFunctions, counts: Record<string, number>): void {
	const before = context.getExecuteData().metadata?.tracing ?? {};
	const added = Object.entries(counts).map(([name, count]) => [
		name,
		count + Number(before[name] ?? 0),
	]);
	context.setMetadata({ tracing: Object.fromEntries(added) as Record<string, number> });
}
