/** Errors of the compatible API. Their bodies are `{"error": text}`; clients compare the beginning of the text. */
import { MiddlewareError } from '../../observe/errors.js';

type Refused =
  'id' | 'hash' | 'query' | 'scope' | 'cursor' | 'transaction type' | 'transaction group' | 'transaction field';

const MAX_SHOWN = 600;

const shown = (text: string): string => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text);

/** Status 400: a parameter is malformed. `value` is what was given, or what is wrong with it. */
export const invalid = (what: Refused, value: string): MiddlewareError =>
  new MiddlewareError('invalid_input', `invalid ${what}: ${shown(value)}`);

/** Status 404: the object is not stored. */
export const notFound = (value: string): MiddlewareError =>
  new MiddlewareError('not_found', `not found: ${shown(value)}`);

/** Status 400 with a text of its own. */
export const refused = (text: string): MiddlewareError => new MiddlewareError('invalid_input', text);

/** Status 503: this release does not have the data, or no node has sent it yet. */
export const notAvailable = (): MiddlewareError => new MiddlewareError('not_available', 'not available yet');

/** Status 503: the chain changed each time that the answer was read. */
export const unsettled = (): MiddlewareError =>
  new MiddlewareError('not_loaded', 'the list changes too often just now');
