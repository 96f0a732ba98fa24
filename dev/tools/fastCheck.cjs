// Jest puts this in the place of fast-check, which draws other cases each time if it gets no seed.
const { env } = process;

// By its path, because its name would lead back to this file.
/** @type {typeof import('fast-check')} */
const fastCheck = require('../../node_modules/fast-check/lib/cjs/fast-check.js');

const isDeep = env.TEST_DEPTH === 'deep';
if (!isDeep) fastCheck.configureGlobal({ seed: 1 });
else if (env.TEST_SEED !== undefined) fastCheck.configureGlobal({ seed: Number(env.TEST_SEED) });

module.exports = fastCheck;
