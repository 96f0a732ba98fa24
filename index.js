'use strict';

// n8n itself finds the classes through the "n8n" entry of package.json; this is for everybody else.
module.exports = require('./dist/package.js');
