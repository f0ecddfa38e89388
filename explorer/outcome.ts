/** How a transaction ended, from the answers of the node. */
import type { Outcome } from './parts/marks.js';
import { bytesIn } from './format.js';

type Info = Record<string, unknown>;

/** The results in the call information, the outermost first. Nodes before 3.0 return the result without a member around it. */
function resultsIn(info: unknown): Info[] {
  if (typeof info !== 'object' || info === null) return [];
  const { return_type: type, call_info: call, ga_info: authentication, inner_object: inner } = info as Info;
  return [...(typeof type === 'string' ? [info as Info] : []), ...[call, authentication, inner].flatMap(resultsIn)];
}

const failedIn = (info: unknown): Info | undefined =>
  resultsIn(info).find(({ return_type: type }) => type === 'error' || type === 'revert');

/** `info` is undefined where the node does not answer. */
export function outcomeOf(blockHash: string, runsCode: boolean, info: Info | undefined): Outcome {
  if (blockHash === 'none') return 'pending';
  if (!runsCode) return 'ok';
  return info === undefined ? 'unknown' : ((failedIn(info)?.['return_type'] as Outcome | undefined) ?? 'ok');
}

/** Why it failed, as text: the virtual machine says it in plain text, a contract that aborts as a FATE string. */
export function reasonIn(info: Info | undefined): string | undefined {
  const failed = failedIn(info);
  const bytes = typeof failed?.['return_value'] === 'string' ? bytesIn(failed['return_value']) : undefined;
  if (bytes === undefined || bytes.length === 0) return undefined;
  const text = failed!['return_type'] === 'revert' ? fateString(bytes) : bytes;
  try {
    return text && new TextDecoder('utf-8', { fatal: true }).decode(text);
  } catch {
    return undefined;
  }
}

/** First byte of a string of 64 bytes or more: its length less 64 follows as an RLP integer. */
const LONG_STRING = 0x01;
const SHORT_STRINGS = 64;

function fateString(bytes: Uint8Array): Uint8Array | undefined {
  const [tag = 0, size = 0] = bytes;
  if (tag === LONG_STRING) return bytes.slice(2 + (size > 0x80 ? size - 0x80 : 0));
  return (tag & 3) === 1 && tag >> 2 < SHORT_STRINGS ? bytes.slice(1, 1 + (tag >> 2)) : undefined;
}
