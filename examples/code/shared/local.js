// Links that only this machine can open are for trying it out.

const LOCAL =
	/^https?:\/\/(?:localhost|[^/:]+\.localhost|127\.[\d.]+|0\.0\.0\.0|\[::1?\])(?::\d+)?(?=\/|$)/;
/** Numbers that are reserved for fiction, as those of the samples. */
const FICTION = /^(447700900\d{3}|1[2-9]\d\d55501\d\d)$/;

module.exports = { LOCAL, FICTION };
