import { asciiName } from './ids.js';
import { MalformedError } from '../malformed.js';

/** Why a text is not a name, in the words of the node. */
type NameFault =
  'no_registrar' | 'multiple_namespaces' | 'no_label_in_registrar' | 'registrar_unknown' | 'invalid_name';

const REGISTRARS: ReadonlySet<string> = new Set(['chain', 'test']);
/** Max length of a label and of a name, as in the domain name system. */
const MAX_LABEL = 63;
const MAX_NAME = 253;
const LABEL = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;

/**
 * What is wrong with a name; undefined if it is valid. A valid name is one label and a known registrar, of letters, digits and hyphens, or
 * of characters that IDNA converts to these.
 */
export function nameFault(name: string): NameFault | undefined {
  const ascii = asciiOf(name);
  if (ascii === undefined) return 'invalid_name';
  const [label, registrar, ...more] = ascii.split('.');
  if (registrar === undefined) return 'no_registrar';
  if (more.length > 0) return 'multiple_namespaces';
  if (!REGISTRARS.has(registrar)) return 'registrar_unknown';
  if (label === '') return 'no_label_in_registrar';
  return LABEL.test(label!) && label!.length <= MAX_LABEL && ascii.length <= MAX_NAME ? undefined : 'invalid_name';
}

function asciiOf(name: string): string | undefined {
  try {
    return asciiName(name);
  } catch (error) {
    if (error instanceof MalformedError) return undefined;
    throw error;
  }
}
