import type {
	IDataObject,
	IHttpRequestOptions,
	INodeProperties,
	IPollFunctions,
} from 'n8n-workflow';

import type { Endpoint } from '../../../gateway/wire/endpoints';
import type { ErrorText, Result } from '../../../gateway/replies/failure';
import type { GatewayResponse } from '../../../gateway/wire/response';

/** What an event polls. */
export interface Source<Value = unknown, Settings = unknown> {
	endpoint: Endpoint;
	query(context: IPollFunctions): Partial<IHttpRequestOptions>;
	/** Accepts error responses that report what the event polls. */
	accept?(result: Result<GatewayResponse>): Result<GatewayResponse>;
	/** Undefined if the response is unreadable. */
	read(response: GatewayResponse, settings: Settings): Value | undefined;
	unreadable: ErrorText;
}

interface Change<State> {
	/** Compared with the next poll; stored as JSON. */
	state: State;
	events: IDataObject[];
	/** Whether an event would be lost or repeated if n8n restarted with the previous state. */
	mustBeSaved: boolean;
	/** The number of deliveries that exceed the limit of the stored state. */
	overLimit?: number;
}

/** A kind of event. Each is in a file of its own. */
export interface TriggerEvent<Value = unknown, State = unknown, Settings = unknown> extends Source<
	Value,
	Settings
> {
	/** Its entry in the picker. */
	label: string;
	description: string;
	properties: INodeProperties[];
	settings(context: IPollFunctions): Settings;
	/** `before` is undefined for the first poll, which only records the current state. */
	compare(before: State | undefined, value: Value, settings: Settings, now: number): Change<State>;
	/** An event for Fetch Test Event. `isSample` marks invented data. */
	sample(value: Value, settings: Settings, now: number): IDataObject;
}
