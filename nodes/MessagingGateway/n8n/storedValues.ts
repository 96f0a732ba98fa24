/**
 * Fields that n8n passes to the node as they are stored.
 * Versions: all.
 * n8n's issue: none known. It drops values that do not fit the declaration of a field before the node can reject them.
 * If n8n changes: run `npx jest fields/wrongShapes`, which feeds every field with forty wrong shapes.
 * Checked with n8n 2.41.1.
 */
import type { INodeProperties } from 'n8n-workflow';

/**
 * Returns the fields, each followed by a hidden property of the same name if n8n could drop its value. n8n drops a field whose conditions
 * do not match a choice, even if the choice is only spelled differently, and every part of a collection that does not fit its declaration.
 * The value would then look as if it was not set. The hidden property makes n8n pass on the stored value.
 */
export const withStoredValues = (fields: INodeProperties[]): INodeProperties[] => {
	const isDropped = ({ type, displayOptions: { show = {} } = {} }: INodeProperties) =>
		/collection$/i.test(type) || !/^(resource(,operation)?|event)?$/.test(Object.keys(show).join());
	const stored = fields
		.filter(isDropped)
		.map(({ displayName, name, default: preset }): [string, INodeProperties] => [
			name,
			{ displayName, name, type: 'hidden', default: preset },
		]);
	return [...fields, ...new Map(stored).values()];
};
