/**
 * Numbers in n8n's trace of an execution.
 * Versions: since n8n 2.22. Earlier versions ignore the numbers.
 * n8n's issue: none known. It keeps only the metadata of the last attempt.
 * If n8n changes: run `npm run test:live -- executionData`.
 * Checked with n8n 2.41.1.
 */
import type { IExecuteFunctions } from 'n8n-workflow';

/** Adds the counts to those of earlier attempts. With Retry On Fail, n8n runs the node several times in one span. */
export function addToTrace(context: IExecuteFunctions, counts: Record<string, number>): void {
	const before = context.getExecuteData().metadata?.tracing ?? {};
	const added = Object.entries(counts).map(([name, count]) => [
		name,
		count + Number(before[name] ?? 0),
	]);
	context.setMetadata({ tracing: Object.fromEntries(added) as Record<string, number> });
}
