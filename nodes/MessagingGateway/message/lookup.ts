import type { Endpoint } from '../../../gateway/wire/endpoints';
import type { ErrorText } from '../../../gateway/replies/failure';
import type { JsonObject } from '../../../gateway/json';
import { customJson, jsonBody } from '../../../gateway/wire/messageBody';
import { plainItems } from '../request/items';
import { requestOperation } from '../request/routing';
import { type InputItem, itemReader } from './inputItem';
import { additionalFieldsOf, bodyFormOf, JSON_HEADERS, optionsOf } from './messageFields';

/** A signed request that looks something up. */
export const lookupOperation = (
	endpoint: Endpoint,
	fieldsOf: (item: InputItem) => JsonObject,
	notFound: ErrorText,
) =>
	requestOperation(endpoint, {
		request(context) {
			const item = itemReader(context)(context.getItemIndex());
			const body =
				bodyFormOf(item) === 'json'
					? Buffer.from(customJson(item.field('body', '')).text)
					: jsonBody(fieldsOf(item), additionalFieldsOf(optionsOf(item)));
			return { headers: JSON_HEADERS, body };
		},
		read: plainItems,
		notFound,
	});
