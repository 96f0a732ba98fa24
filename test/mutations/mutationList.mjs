import { mutations as credentials } from './credentials.mjs';
import { mutations as question } from './question.mjs';
import { mutations as request } from './request.mjs';
import { mutations as trigger } from './trigger.mjs';

/**
 * Mistakes that the tests must find, outside the sending engine (see test/simulation/mutationList.mjs). `find` is the exact text,
 * which occurs once in the file. `tests` are the paths of the test files that find it, as a regular expression.
 * @typedef {{ name: string, file: string, find: string, replace: string, tests: string }} Mutation
 */

/** @param {string} folder */
const inFolder = (folder, /** @type {Mutation[]} */ list) =>
	list.map((mutation) => ({ ...mutation, file: `${folder}/${mutation.file}` }));

export const mutations = [
	...inFolder('nodes/MessagingGateway/request', request),
	...inFolder('nodes/MessagingGateway/trigger', trigger),
	...inFolder('nodes/MessagingGateway/question', question),
	...inFolder('credentials', credentials),
];
