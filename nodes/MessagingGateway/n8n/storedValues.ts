/**
 * Fields that n8n passes on as they are stored.
 * Versions: all.
 * n8n's issue: none known. It drops what does not fit the declaration of a field before the node can reject it.
 * If n8n changes: run `npx jest fields/wrongShapes`, which feeds every field with forty wrong shapes.
 * Checked with n8n 2.41.1.
 */
import type { INodeProperties } from 'n8n-workflow';

/**
 * n8n drops a field that does not belong to a choice, which may only be written in another way, and whatever in a collection or a group
 * does not fit its declaration: it would look as if nothing had been entered. A hidden property of the same name after it makes n8n pass
 * on what is stored.
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
