import { perAccount } from './accounts';
import { NOT_SET } from '../inputValues';
import { InvalidInput } from '../invalidInput';
import { identityOf, readId, recipientKind } from '../text/chatId';

/** The fields of the credential, of which some say who gets messages. */
export type Limits = Record<string, unknown>;

/** Credentials that were saved earlier have no such field. An expression without a value does not allow anyone. */
export const isForAnyone = ({ sendTo, sendToIsExpression }: Limits) =>
	sendTo === 'anyone' || (sendTo === undefined && sendToIsExpression === undefined);

export const isRehearsal = ({ sendTo }: Limits) => sendTo === 'nobody';

export interface SendTo {
	/** Of a recipient ID. */
	allows: (id: string) => boolean;
	/** For the test of the credential; undefined if anyone. */
	who?: string;
	/** Gets every message. */
	testRecipient?: string;
}

/** Who gets messages. Throws InvalidInput if the fields cannot be read: then nobody does. */
export function readSendTo(limits: Limits): SendTo {
	const { sendTo, allowedRecipients: entered } = limits;
	if (isForAnyone(limits)) return { allows: () => true };
	if (isRehearsal(limits)) return { allows: () => false, who: 'nobody: this is a rehearsal' };
	if (sendTo === 'allowed') {
		const known = lists(limits);
		if (known.entered !== entered) Object.assign(known, { list: readList(entered), entered });
		return known.list!;
	}
	if (sendTo !== 'testNumber') throw invalid('Send Messages To', 'is none of its choices', CHOICES);
	const testRecipient = readId(limits.testRecipient);
	if (testRecipient === undefined) throw invalid('Test Recipient', 'cannot be read', ONE);
	const identity = identityOf(testRecipient);
	return { allows: (id) => identityOf(id) === identity, who: testRecipient, testRecipient };
}

/** Reading numbers is slow, and the request hook needs the list for each message. */
const lists = perAccount((): { entered: unknown; list?: SendTo } => ({ entered: NOT_SET }));

const CHOICES = 'Choose one. An expression can return anyone, allowed, testNumber or nobody.';
const ONE = 'Enter a phone number with its country code, or the ID of a group or channel.';
const LIST =
	'Enter one recipient per line: a phone number with its country code, the beginning of numbers such as +49*, the ID of a group or channel, or the word groups or channels for all of them.';

const invalid = (field: string, what: string, whatToDo: string) =>
	new InvalidInput(
		`'${field}' of the credential ${what}`,
		`${whatToDo} Nothing was sent.`,
		undefined,
		'invalid_setup',
	);

type Test = (id: string, identity: string) => boolean;

function readList(entered: unknown): SendTo {
	const lines = typeof entered === 'string' ? entered.split('\n').map((line) => line.trim()) : [];
	const tests = lines.flatMap((line, index) => {
		const test = line === '' ? [] : readEntry(line);
		if (test) return test;
		// Without its text, which those who may only use the credential must not see.
		throw invalid('Allowed Recipients', `cannot be read in line ${index + 1}`, LIST);
	});
	if (tests.length === 0) throw invalid('Allowed Recipients', 'is empty', LIST);
	return {
		allows(id) {
			const identity = identityOf(id);
			return tests.some((test) => test(id, identity));
		},
		who: `the recipients on ${tests.length} line(s) of 'Allowed Recipients'`,
	};
}

function readEntry(line: string): Test | undefined {
	const kind = /^(group|channel)s$/.exec(line.toLowerCase())?.[1];
	if (kind) return (id) => recipientKind(id) === kind;
	const prefix = /^\+?[ ().-]*([1-9][\d ().-]*)\*$/.exec(line)?.[1]?.replace(/\D/g, '');
	if (prefix) {
		const begins = (number: string) => number.startsWith(prefix);
		return (id, identity) => recipientKind(id) === 'person' && (begins(id) || begins(identity));
	}
	const entry = readId(line);
	const allowed = entry && identityOf(entry);
	return allowed ? (_, identity) => identity === allowed : undefined;
}
