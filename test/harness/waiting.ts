import { WebhookContext } from 'n8n-core';
import type { IRunExecutionData, IWebhookData } from 'n8n-workflow';

import { additionalData, execute, type Outcome, run, type RunOptions, workflowOf } from './engine';

type Headers = Record<string, string>;

/** An execution that waits for an answer, as n8n stores it. */
export interface Waiting {
	/** The result before it waits. */
	outcome: Outcome;
	/** Requests the page. */
	get: (link: string, headers?: Headers) => Promise<Page>;
	post: (link: string, body: Record<string, unknown>, headers?: Headers) => Promise<Page>;
	/** n8n continues it without an answer. */
	timeOut: () => Promise<Outcome>;
}

export interface Page {
	status: number;
	headers: Record<string, string>;
	html: string;
	/** The result of the execution if the request continues it. */
	resumed?: Outcome;
}

let executions = 0;

/** Each call is an execution of its own, unless the options name one. */
export async function runAndWait(given: RunOptions): Promise<Waiting> {
	executions += 1;
	const options = { executionId: `waiting-${executions}`, ...given };
	const outcome = await run(options);
	return waiting(options, outcome);
}

/** Also of an execution that waits again. */
export function waiting(options: RunOptions, outcome: Outcome): Waiting {
	// Like n8n's storage, this keeps it if two entries refer to the same object.
	const stored = () => structuredClone(outcome.run.data);
	const request = async (method: string, link: string, body: object, headers: object) =>
		await requestPage(options, stored(), link, { method, body, headers });
	return {
		outcome,
		get: async (link, headers = {}) => await request('GET', link, {}, headers),
		post: async (link, body, headers = {}) => await request('POST', link, body, headers),
		timeOut: async () => await resume(options, stored()),
	};
}

/** The same steps as n8n's WaitingWebhooks, in a process that knows only what is stored. */
async function requestPage(
	options: RunOptions,
	data: IRunExecutionData,
	link: string,
	request: { method: string; body: object; headers: object },
): Promise<Page> {
	const page: Page = { status: 200, headers: {}, html: '' };
	const response = {
		setHeader: (name: string, value: string) => (page.headers[name.toLowerCase()] = value),
		status(code: number) {
			page.status = code;
			return response;
		},
		send: (html: string) => (page.html = html),
	};
	const { searchParams } = new URL(link);
	// Like Express, a list if there are several.
	const query: Record<string, unknown> = {};
	for (const name of searchParams.keys()) {
		const values = searchParams.getAll(name);
		query[name] = values.length > 1 ? values : values[0];
	}
	const workflow = workflowOf(options);
	const name = data.resultData.lastNodeExecuted!;
	const node = workflow.getNode(name)!;
	data.executionData!.nodeExecutionStack[0]!.node.disabled = true;
	data.waitTill = undefined;
	const runs = data.resultData.runData[name]!;
	const { inputOverride } = runs.pop()!;
	if (inputOverride) runs.push({ ...NOT_RUN, inputOverride });
	const type = workflow.nodeTypes.getByNameAndVersion(node.type);
	const { webhooks = [] } = type.description;
	const webhookDescription = webhooks.find(({ httpMethod }) => httpMethod === request.method);
	const http = { httpRequest: { ...request, query }, httpResponse: response };
	const more = { ...additionalData(options), ...http };
	const webhook = { webhookDescription } as IWebhookData;
	const context = new WebhookContext(workflow, node, more, 'manual', webhook, [], data);
	const { workflowData, webhookResponse } = await type.webhook!.call(context);
	if (!workflowData) return page;
	page.html = webhookResponse as string;
	data.executionData!.nodeExecutionStack[0]!.data.main = workflowData;
	return { ...page, resumed: await resume(options, data) };
}

const NOT_RUN = { startTime: 0, executionTime: 0, executionIndex: 0, source: [] };

const resume = async (options: RunOptions, data: IRunExecutionData) =>
	await execute(workflowOf(options), options, data).outcome;
