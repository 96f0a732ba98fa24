/** Matches what a text contains in place of a value. The node has the same. */
const NO_VALUE =
	/(?<![\p{L}\p{N}_])(?:undefined|NaN|Invalid (?:Date(?:Time)?|Duration|Interval)|%s|\{[\p{L}_][\p{L}\p{N}_.-]*\})(?![\p{L}\p{N}_])|\[object [A-Z]\w*\]|[{$]\{/u;

module.exports = { NO_VALUE };
