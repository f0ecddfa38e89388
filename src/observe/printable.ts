/** Control characters, halves of pairs, and what changes the direction of the text around it. */
const HARMFUL = /[\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069]/gu;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * Text of strangers as one line that any terminal shows and any database stores, in the escapes of JSON. A log in JSON that
 * passes through it stays JSON.
 */
export const printable = (text: string): string => text.replace(HARMFUL, escaped);
