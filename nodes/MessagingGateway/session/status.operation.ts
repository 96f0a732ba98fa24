import { sessionStatus } from '../../../gateway/answer';
import { itemJson, plainJson, reading } from '../items';

export const read = reading(({ answer, data }) => {
	const status = sessionStatus(data);
	return status
		? [{ json: itemJson(status) }]
		: plainJson({ answer, data }).map((json) => ({ json }));
});
