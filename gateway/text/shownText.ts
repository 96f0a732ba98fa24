/** Matches what acts on a terminal, hides text or reorders it, and spaces of all kinds. Emoji and Persian need the exceptions. */
const NOT_SHOWN = /(?:(?![\u200c\u200d\ufe0f])[\p{Cc}\p{Cf}\p{Z}\p{DI}\u2800])+/gu;

/** Returns a text of the gateway, or another that is not ours, as people may see it: on one line, and with nothing but what it shows. */
export const shownText = (text: string): string => text.replace(NOT_SHOWN, ' ');
