// Whether the answer of the page is stored. Opening the page stores nothing. Nor does an answer to an old time, or after the start.
const { AFTER_CANCEL, answerOf } = require('./shared/appointments.js');
const { millis } = require('./shared/millis.js');
const { rowsOf } = require('./shared/tables.js');

const ANSWERS = ['coming', 'another time', 'cancel'];
const { start, asked } = $('Appointment link').first().json;
const [row] = rowsOf($input.all());
const isPressed = $('Answer pressed').isExecuted;

function stateOf() {
	if (!row) return 'gone';
	if (row.status === 'cancelled') return 'cancelled';
	if (millis(row.startsAt) !== start) return 'moved';
	if (start <= $now.toMillis()) return 'over';
	return answerOf(row) || 'open';
}

const state = stateOf();
const canAnswer = ['open', ...ANSWERS].includes(state);
const hasCancelled =
	state === 'cancel' || (state === 'another time' && row.answer === AFTER_CANCEL);
const choices = ANSWERS.filter((each) => each !== 'coming' || !hasCancelled);
const isStored = isPressed && canAnswer && choices.includes(asked);
const answer = hasCancelled && asked === 'another time' ? AFTER_CANCEL : asked;
return [{ json: { ...row, state, canAnswer, hasCancelled, asked, isStored, answer } }];
