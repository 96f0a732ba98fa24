// The report as a file, with the separator of the uploaded one. Whoever opens it may use another separator, so a cell can also start
// inside of a text. Office programs calculate what starts with one of these signs; after an apostrophe, it is a text.
const { csvOf, separatorOf } = require('./shared/csv.js');

const SIGN = /[=+\-@＝＋－＠﹦﹢﹣﹫]/g;

/**
 * What is neither a letter nor a digit. After the start of a text, and after anything but a space, a cell can start in it: spaces,
 * quotation marks and invisible characters may be left out.
 */
const BETWEEN_WORDS = /[^\p{L}\p{M}\p{N}]+/gu;

function withApostrophes(between, at) {
	const start = at === 0 ? 0 : between.search(/[^\p{Zs}]/u) + 1;
	return between.slice(0, start) + between.slice(start).replace(SIGN, "'$&");
}

const asText = (value) =>
	typeof value === 'string' ? value.replace(BETWEEN_WORDS, withApostrophes) : value;

const rows = $input.all().map(({ json }) => json);
const records = [Object.keys(rows[0]), ...rows.map((row) => Object.values(row).map(asText))];
return [{ json: { csv: csvOf(records, separatorOf($('Text of the file').first().json.csv)) } }];
