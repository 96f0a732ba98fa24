import { sessionStatus } from '../../../gateway/answer';
import { itemJson, plainItems, reading } from '../items';

export const read = reading((answer) => {
	const status = sessionStatus(answer.data);
	return status ? [{ json: itemJson(status) }] : plainItems(answer);
});
