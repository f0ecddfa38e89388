/** Control characters, lone surrogates, and characters that change the direction of the text around them. */
const HARMFUL = /[\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069]/gu;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * Escapes untrusted text, so that any terminal can show it and any database can store it, as one line. The escapes are those of JSON: a JSON
 * text stays JSON.
 */
export const printable = (text: string): string => text.replace(HARMFUL, escaped);

/** The same for several lines. */
export const printableLines = (text: string): string => text.split('\n').map(printable).join('\n');
