import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';

import { createDataTable } from '../../dev/live/n8n/seed.mjs';
import { root } from '../../dev/tools/install.mjs';
import { readJson } from '../../dev/tools/jsonFile.mjs';
import { publishOutbox } from './outbox.mjs';
import { sandboxControl } from './sandboxControl.mjs';
import { countBy, duplicatesIn, reported } from './scenario.mjs';
import { publishExample, waitFor } from './workflow.mjs';

/** A batch, which has at most 20 rows, can be seen while it is sent. */
const LATENCY_MS = 300;
/** Longer than a batch takes on a busy machine. */
const RELEASE_SECONDS = 45;
const TIMEOUT_MS = 900_000;
/** A batch that is being sent when the button is pressed still arrives. */
const BATCH_MS = 30_000;
const INSERTED_AT_ONCE = 500;

const PEOPLE = 2_000;
/** Every fourth person has had a message before. The limit of new people is reached first, then that of all messages. */
const KNOWN_EVERY = 4;
const NEW_PER_DAY = 780;
const CAP = 1_100;
/** For every fifth person, it is night. */
const NIGHT_EVERY = 5;
const OPT_OUTS_BEFORE = 20;
/** How many people press the button after each failure, whose message is being sent or waits to be the next. */
const OPT_OUTS_EACH = 4;
/** So many messages of a batch have arrived when a failure happens, and n8n does not know it yet. Some of them are sent again: not all opt out. */
const SENT_BEFORE_FAILURE = 2 * OPT_OUTS_EACH;

const CAMPAIGN = 'Spring offer';

/**
 * A campaign for 2,000 people. `disrupt` is a list of failures, which happen one after the other while a batch is being sent.
 */
export async function runCampaignScenario(queue, { disrupt }) {
	const gateway = sandboxControl(queue.gateway);
	await gateway.reset(LATENCY_MS);
	const settings = {
		...{ messagesPerMinute: 6000, dailyCaps: String(CAP), numbers: '', whenOffline: 'wait' },
		newPeoplePerDay: String(NEW_PER_DAY),
	};
	const outbox = await publishOutbox(queue, { settings, releaseSeconds: RELEASE_SECONDS });
	const optOut = await publishOptOut(queue);
	const tables = await tablesOf(queue);
	await tables.insert('Messaging keys', [{ name: 'opt-out links', key: optOut.key }]);
	// It is noon.
	await tables.insert('Messaging campaigns', [
		{
			...{ name: CAMPAIGN, status: 'draft', timezone: zoneAt(12), weekdays: '1,2,3,4,5,6,7' },
			...{ windowFrom: '06:00', windowTo: '21:00', maxPerPerson: 1, perDays: 7 },
		},
	]);
	const people = createPeople(optOut.key);
	for (let i = 0; i < people.length; i += INSERTED_AT_ONCE) {
		await tables.insert('Messaging outbox', people.slice(i, i + INSERTED_AT_ONCE).map(draftFor));
	}

	const known = people.filter(({ isKnown }) => isKnown);
	await tables.insert(
		'Messaging known people',
		known.map(({ token }) => ({ token, number: '' })),
	);

	const presses = [];
	const press = async (person) => {
		await optOut.press(person);
		presses.push({ person, at: Date.now(), status: tables.statusOf(person) });
	};
	const ofDay = people.filter(({ isNight }) => !isNight);
	for (const person of ofDay.slice(0, OPT_OUTS_BEFORE)) await press(person);
	const startedAt = Date.now();
	tables.start();
	for (const fail of disrupt) {
		const before = outbox.statuses().sent ?? 0;
		await outbox.waitUntil(({ sent = 0 }) => sent > before + 50);
		await waitUntilArrived({ gateway, tables });
		await fail();
		for (const status of ['sending', 'pending']) {
			const numbers = tables.oldest(status, OPT_OUTS_EACH);
			for (const person of ofDay.filter(({ number }) => numbers.includes(number)))
				await press(person);
		}
	}
	await tables.waitUntilNothingIsDue();
	const seconds = Math.round((Date.now() - startedAt) / 1000);

	const { delivered } = await gateway.state();
	const rows = tables.rows();
	await outbox.stop();
	await optOut.stop();
	tables.clear();
	return reported({
		seconds,
		...check({ rows, delivered, presses, people }),
		duplicatesDropped: duplicatesIn(await gateway.requests()),
	});
}

/** Waits until messages have arrived whose rows do not say so yet. */
async function waitUntilArrived({ gateway, tables }) {
	const arrived = async () => {
		const { delivered } = await gateway.state();
		const numbers = new Set(delivered.map(({ chatId }) => chatId));
		const claimed = tables.oldest('sending', PEOPLE).filter((number) => numbers.has(number));
		return claimed.length >= SENT_BEFORE_FAILURE;
	};
	await waitFor(arrived, 'No batch is being sent.', TIMEOUT_MS);
}

function check({ rows, delivered, presses, people }) {
	const person = new Map(people.map((each) => [each.number, each]));
	const ofCampaign = delivered.flatMap(({ chatId, deliveredAt }, index) =>
		person.has(chatId)
			? [{ ...person.get(chatId), at: Date.parse(deliveredAt), position: index + 1 }]
			: [],
	);
	const texts = new Set(delivered.map(({ text }) => text));
	const numbers = new Set(ofCampaign.map(({ number }) => number));
	const pressed = new Map(presses.map((each) => [each.person.number, each]));
	const counted = rows.filter(({ sentAt }) => sentAt !== '');
	return {
		statuses: countBy(rows, ({ status }) => status),
		delivered: delivered.length,
		twice: delivered.length - texts.size,
		afterOptOut: ofCampaign.filter(({ number, at }) => {
			const optOut = pressed.get(number);
			return optOut && at > optOut.at + (optOut.status === 'sending' ? BATCH_MS : 0);
		}),
		outsideOfWindow: ofCampaign.filter(({ isNight }) => isNight),
		aboveCap: ofCampaign.filter(({ position }) => position > CAP),
		newPeople: ofCampaign.filter(({ isKnown }) => !isKnown).length,
		newPerDay: NEW_PER_DAY,
		counted: counted.length,
		cap: CAP,
		/** Marked as sent, but the gateway has no such message. */
		lost: rows.filter(({ status, text }) => status === 'sent' && !texts.has(text)),
		/** The gateway has the message, but the row says that it was certainly not sent. */
		notCounted: rows.filter(({ recipient, sentAt }) => numbers.has(recipient) && sentAt === ''),
	};
}

/** Publishes the page, with a key that the scenario knows. */
async function publishOptOut(queue) {
	const path = randomUUID();
	const tables = readJson(join(root, 'examples/13-campaign-prepare.json')).nodes;
	for (const node of tables) await createDataTable(queue.main.editor, node);
	const stop = await publishExample(queue, '13-campaign-opt-out', { path });
	return {
		key: randomBytes(32).toString('hex'),
		/** Presses the button until the page says that it is done, as a person would. */
		async press({ token, signature }) {
			const query = new URLSearchParams({ c: '1', t: token, s: signature });
			const url = `${queue.webhooks.url}/webhook/${path}?${query}`;
			const isDone = async () => {
				const response = await fetch(url, { method: 'POST' }).catch(() => undefined);
				if (response?.status === 404) throw new Error('The link is invalid.');
				return response?.ok && (await response.text()).includes('You get no more messages');
			};
			await waitFor(isDone, 'The opt-out page does not respond.', TIMEOUT_MS);
		},
		stop,
	};
}

/** The data tables, through n8n to write many rows, and in the database to read. */
async function tablesOf({ main: { editor }, postgres }) {
	const { id: project } = await editor.call('GET', '/projects/personal');
	const idOf = (name) => postgres.query(`SELECT id FROM data_table WHERE name = '${name}'`)[0][0];
	const table = (name) => `"data_table_user_${idOf(name)}"`;
	const outbox = table('Messaging outbox');
	return {
		async insert(name, data) {
			const path = `/projects/${project}/data-tables/${idOf(name)}/insert`;
			await editor.call('POST', path, { data, returnType: 'count' });
		},
		/** What Start in the form does. */
		start() {
			postgres.query(`UPDATE ${table('Messaging campaigns')} SET status = 'running'`);
			postgres.query(`UPDATE ${outbox} SET status = 'pending' WHERE status = 'draft'`);
		},
		statusOf: ({ number }) =>
			postgres.query(`SELECT status FROM ${outbox} WHERE recipient = '${number}'`)[0][0],
		async waitUntilNothingIsDue() {
			const due = `SELECT count(*) FROM ${outbox} WHERE status = 'sending' OR (status = 'pending' AND "nextAttemptAt" < now() + interval '10 minutes')`;
			const isDone = () => postgres.query(due)[0][0] === '0';
			await waitFor(isDone, 'Some messages are still due.', TIMEOUT_MS);
		},
		/** The numbers of the oldest rows of the first campaign that have this status. */
		oldest: (status, count) =>
			postgres
				.query(
					`SELECT recipient FROM ${outbox} WHERE status = '${status}' AND campaign = '${CAMPAIGN}' AND timezone = '' ORDER BY id LIMIT ${count}`,
				)
				.flat(),
		rows: () =>
			postgres
				.query(`SELECT recipient, status, text, "sentAt" FROM ${outbox}`)
				.map(([recipient, status, text, sentAt]) => ({ recipient, status, text, sentAt })),
		clear() {
			for (const name of ['campaigns', 'known people', 'opt-outs', 'keys'])
				postgres.query(`DELETE FROM ${table(`Messaging ${name}`)}`);
		},
	};
}

/** The number, the token and the signature of the link of each person. */
function createPeople(key) {
	const sign = (text) => createHmac('sha256', key).update(text).digest('hex').slice(0, 32);
	return Array.from({ length: PEOPLE }, (_, index) => {
		const number = `4477007${String(index).padStart(5, '0')}`;
		const token = sign(`recipient ${number}`);
		const signature = sign(`opt-out 1 ${token}`);
		const isKnown = index % KNOWN_EVERY === 0;
		const isNight = index % NIGHT_EVERY === 1;
		return { isNight, isKnown, number, token, signature, text: randomUUID() };
	});
}

function draftFor({ isNight, number, token, text }) {
	return {
		...{ requestId: number, recipient: number, person: number, token, text },
		...{ status: 'draft', attempts: 0, reason: '', campaign: CAMPAIGN, number: '' },
		...{ otherNumbers: '', timezone: isNight ? zoneAt(23) : '' },
		nextAttemptAt: new Date(0).toISOString(),
	};
}

/** A time zone in which it is this hour. The names have the opposite sign. */
function zoneAt(hour) {
	const offset = ((hour - new Date().getUTCHours() + 35) % 24) - 11;
	return `Etc/GMT${offset > 0 ? '-' : '+'}${Math.abs(offset)}`;
}
