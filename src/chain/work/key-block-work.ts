import { isObject, parseExact } from '../encoding/json.js';
import { keyBlockHash } from '../serialize/verify-hash.js';
import { hasProofOfWork } from './cuckoo.js';

/**
 * Whether a key block has the work that its target claims: its hash follows from its content, and its proof is a cycle in the graph of that
 * content, below its target. `body`: its text.
 */
export function hasWork({ hash, body }: { hash: string; body: string }, edgeBits: number): boolean {
  const content = parseExact(body);
  return isObject(content) && keyBlockHash(content) === hash && hasProofOfWork(content, edgeBits);
}
