/** Why a request got no response, by the error codes of Node.js, OpenSSL and the DNS resolver. Of the first five, nothing was sent. */
const CODES = {
	certificate:
		/^(?!ERR_SSL_).*(CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME)|^(INVALID_CA|INVALID_PURPOSE|HOSTNAME_MISMATCH)$/,
	tls: /^EPROTO$/,
	hostName: /^(ENOTFOUND|ENODATA|ENONAME|EBADNAME|EAI_NONAME|EAI_NODATA)$/,
	dns: /^(EAI_\w+|ESERVFAIL|EREFUSED|EFORMERR|ENOTIMP|EBADQUERY|EBADFAMILY|EBADRESP|ETIMEOUT)$/,
	refused: /^ECONNREFUSED$/,
	timeout: /^(TIMEOUT|ECONNABORTED|ETIMEDOUT|ESOCKETTIMEDOUT)$/,
	unreachable: /^(EHOSTUNREACH|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL)$/,
	tooLarge: /^RESPONSE_TOO_LARGE$/,
	canceled: /^ERR_CANCELED$/,
};
type ConnectionCause = keyof typeof CODES;
const CAUSES = Object.keys(CODES) as ConnectionCause[];
const NOT_SENT = ['certificate', 'tls', 'hostName', 'dns', 'refused'] as const;

/** A code of this package, not of the operating system. */
export const RESPONSE_TOO_LARGE = 'RESPONSE_TOO_LARGE';
export const TIMEOUT = 'ETIMEDOUT';

/** What the codes of a failed handshake name. Others, such as ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR, may occur after the request was sent. */
const HANDSHAKE = [
	...['HANDSHAKE', 'VERSION', 'PROTOCOL', 'CIPHER', 'CERTIFICATE', 'UNKNOWN_CA'],
	...['UNRECOGNIZED_NAME', 'KEY_TOO_SMALL', 'SECURITY', 'SIGNATURE', 'RENEGOTIATION'],
];
const isHandshake = (code: string) =>
	/^ERR_(SSL|TLS)_/.test(code) && HANDSHAKE.some((name) => code.includes(name));

export const causeOfCode = (code: string): ConnectionCause | undefined =>
	CAUSES.find((cause) => CODES[cause].test(code)) ?? (isHandshake(code) ? 'tls' : undefined);

/** Returns why nothing was sent; undefined if the gateway may have the request. */
export const notSentCauseOf = (code: string) =>
	NOT_SENT.find((cause) => causeOfCode(code) === cause);
