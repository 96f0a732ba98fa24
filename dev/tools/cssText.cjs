// Loads a style sheet as text, as the build does.
module.exports = {
	/** @param {string} text */
	process: (text) => ({ code: `module.exports = ${JSON.stringify(text)};` }),
};
