const HARMLESS =
	/^(PATH|PATHEXT|LANG|LC_\w+|TZ|TERM|TMPDIR|TMP|TEMP|SystemRoot|SystemDrive|windir|ComSpec)$/i;

const NPM_SETTINGS =
	/^npm_config_(registry|cafile|userconfig|globalconfig|cache|proxy|https_proxy|noproxy)$/i;

/** An allowlist, because n8n reads hundreds of variables, and the user may have set some for another n8n. */
export function bareEnvironment() {
	return environmentWith((name) => HARMLESS.test(name));
}

/** `npm run` passes npm's settings to its children as variables. Settings of this folder do not apply to another one. */
export function environmentForNpm() {
	return environmentWith((name) => !/^(npm_|N8N_)/i.test(name) || NPM_SETTINGS.test(name));
}

/** @param {(name: string) => boolean} isAllowed */
function environmentWith(isAllowed) {
	return Object.fromEntries(Object.entries(process.env).filter(([name]) => isAllowed(name)));
}
