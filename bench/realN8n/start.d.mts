import type { IRunExecutionData } from 'n8n-workflow';

export interface RunningN8n {
	version: string;
	url: string;
	call(method: string, path: string, body?: unknown): Promise<unknown>;
	parseRunData(data: string): IRunExecutionData;
	stop(): Promise<void>;
}

export function start(home: string, environment: NodeJS.ProcessEnv): Promise<RunningN8n>;
