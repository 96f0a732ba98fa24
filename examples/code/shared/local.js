// Links that only this machine can open are for trying it out.

const LOCAL =
	/^https?:\/\/(?:localhost|[^/:]+\.localhost|127\.[\d.]+|0\.0\.0\.0|\[::1?\])(?::\d+)?(?=\/|$)/;
/** Numbers that are reserved for fiction, as those of the samples. */
const FICTION = /^(447700900\d{3}|1[2-9]\d\d55501\d\d)$/;

/** The beginning of an opt-out link in the rows that no phone can open, and whether a real number gets it. */
function localLinkIn(rows) {
	let link = '';
	for (const { person, text } of rows) {
		const [found] = LOCAL.exec(/^No more messages: (.*)/m.exec(text)?.[1] ?? '') ?? [];
		if (found && !FICTION.test(person)) return { link: found, isRefused: true };
		link ||= found ?? '';
	}
	return { link, isRefused: false };
}

module.exports = { LOCAL, FICTION, localLinkIn };
