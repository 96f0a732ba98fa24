import { checkLength } from '../inputValues';
import { InvalidInput } from '../invalidInput';
import { hasDotSegment } from '../percentDecoded';

const WHAT_TO_DO =
	"Copy it from the gateway's console into the credential. If it is an expression, check that it returns text for this item.";

function checkedText(value: unknown, label: string): string {
	const name = `'${label}' of the credential`;
	if (value !== undefined && value !== null && typeof value !== 'string') {
		throw new InvalidInput(`${name} is not text but of type ${typeof value}`, WHAT_TO_DO);
	}
	checkLength(value ?? '', name);
	const text = value?.trim();
	if (text) return text;
	throw new InvalidInput(`${name} is empty`, WHAT_TO_DO);
}

/** Checks token and secret before they become part of a request. Spaces around them come from copying. */
export function checkedSecrets({ token, secret }: { token?: unknown; secret?: unknown }): {
	token: string;
	secret: string;
} {
	const checked = { token: checkedText(token, 'Token'), secret: checkedText(secret, 'Secret') };
	// In a URL it would lead to another path, even if it is encoded.
	if (hasDotSegment(checked.token)) {
		throw new InvalidInput("'Token' of the credential is not a token", WHAT_TO_DO);
	}
	return checked;
}
