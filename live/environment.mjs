const HARMLESS =
	/^(PATH|PATHEXT|LANG|LC_\w+|TZ|TERM|TMPDIR|TMP|TEMP|SystemRoot|SystemDrive|windir|ComSpec)$/i;

/** A list of what may pass: n8n reads hundreds of variables, and somebody's own n8n may be set up through them. */
export function bareEnvironment() {
	return only((name) => HARMLESS.test(name));
}

/** npm hands its settings on through variables; of those, an npm for another folder may get just these. */
export function environmentForNpm() {
	const passed =
		/^npm_config_(registry|cafile|userconfig|globalconfig|cache|proxy|https_proxy|noproxy)$/i;
	return only((name) => !/^(npm_|N8N_)/i.test(name) || passed.test(name));
}

function only(accepts) {
	return Object.fromEntries(Object.entries(process.env).filter(([name]) => accepts(name)));
}
