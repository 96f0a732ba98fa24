import type { IDataObject, IHttpRequestOptions, INodeProperties } from 'n8n-workflow';

import type { ErrorText, Result } from '../../../gateway/responses/failure';
import type { Endpoint } from '../../../gateway/wire/endpoints';
import type { GatewayResponse } from '../../../gateway/wire/response';
import type { FieldReaders } from '../fields/read';

/** Defines a kind of event: its fields, what it polls, and what it reports. */
export interface TriggerEvent<Value = unknown, State = unknown, Settings = object> {
	label: string;
	description: string;
	properties: INodeProperties[];
	settings(node: FieldReaders): Settings & { query?: Partial<IHttpRequestOptions> };
	endpoint: Endpoint;
	/** Accepts error responses that report what the event polls. */
	accept?(result: Result<GatewayResponse>): Result<GatewayResponse>;
	read(response: GatewayResponse, settings: Settings): Value | undefined;
	unreadable: ErrorText;
	/** Returns what has changed. `before` is undefined for the first poll, which only records the current state. */
	compare(before: State | undefined, value: Value, settings: Settings, now: number): Change<State>;
	/** Returns an event for Fetch Test Event. `isSample` marks invented data. */
	sample(value: Value, settings: Settings, now: number): IDataObject;
}

export const isoTime = (ms: number) => new Date(ms).toISOString();

interface Change<State> {
	/** Contains what the next poll is compared with, and is stored as JSON. */
	state: State;
	events: IDataObject[];
	/** Is true if an event would be lost or repeated when n8n restarts with the previous state. */
	mustBeSaved: boolean;
	/** Counts the deliveries that exceed the limit of the stored state. */
	overLimit?: number;
}
