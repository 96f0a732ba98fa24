import type { IDataObject, IHttpRequestOptions, INodeProperties } from 'n8n-workflow';

import type { ErrorText, Result } from '../../../gateway/replies/failure';
import type { Endpoint } from '../../../gateway/wire/endpoints';
import type { GatewayResponse } from '../../../gateway/wire/response';
import type { FieldReaders } from '../fields/read';

/** A kind of event: its fields, what it polls, and what it reports. */
export interface TriggerEvent<Value = unknown, State = unknown, Settings = object> {
	/** Its entry in the picker. */
	label: string;
	description: string;
	properties: INodeProperties[];
	settings(node: FieldReaders): Settings & { query?: Partial<IHttpRequestOptions> };
	endpoint: Endpoint;
	/** Accepts error responses that report what the event polls. */
	accept?(result: Result<GatewayResponse>): Result<GatewayResponse>;
	/** Undefined if the response is unreadable. */
	read(response: GatewayResponse, settings: Settings): Value | undefined;
	unreadable: ErrorText;
	/** `before` is undefined for the first poll, which only records the current state. */
	compare(before: State | undefined, value: Value, settings: Settings, now: number): Change<State>;
	/** An event for Fetch Test Event. `isSample` marks invented data. */
	sample(value: Value, settings: Settings, now: number): IDataObject;
}

export const isoTime = (ms: number) => new Date(ms).toISOString();

interface Change<State> {
	/** Compared with the next poll; stored as JSON. */
	state: State;
	events: IDataObject[];
	/** Whether an event would be lost or repeated if n8n restarted with the previous state. */
	mustBeSaved: boolean;
	/** The number of deliveries that exceed the limit of the stored state. */
	overLimit?: number;
}
