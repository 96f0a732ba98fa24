import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import type { View } from './look';

/** What comes of one look. */
export interface Step<State> {
	/** What the next look is to be compared with; held as JSON. */
	state: State;
	events: IDataObject[];
	/** Whether an event would be lost, or told twice, if n8n started anew with the state of before. Said of no baseline. */
	mustBeSaved: boolean;
	/** How many deliveries there was no room to remember. */
	beyond?: number;
}

/** One kind of event. */
export interface Kind<Seen = unknown, State = unknown, Settings = unknown> extends View<
	Seen,
	Settings
> {
	settings(context: IPollFunctions): Settings;
	/** `before` is undefined at the first look, which sets the baseline and tells nothing. */
	step(before: State | undefined, seen: Seen, settings: Settings, now: number): Step<State>;
	/** An event for somebody who builds a workflow. What is made up says so by `isSample`. */
	example(seen: Seen, settings: Settings, now: number): IDataObject;
}
