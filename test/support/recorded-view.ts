/** The recorded chain with all types of transactions as a node shows it while it grows, on a real port. */
import { readGeneration } from '../../src/chain/facts.js';
import { recorded, recordedKeyBlock, recording } from './recording.js';
import type { RecordedAnswer } from './recording.js';
import { replayServer } from './replay-server.js';
import type { ReplayAnswer } from './replay-server.js';

const OF = 'realnode-tokens';
/** The micro block that its generation lost, and its height. */
export const ABANDONED = { height: 179, hash: 'mh_2Ksk5ezdLJ9u31sYRmMiHWXVrrEvu5161xpnwhvLCcJA5D5iNv' };

/** What the node shows: its head, and whether that generation still ends with the abandoned micro block. */
export interface View {
  top: number;
  abandoned?: boolean;
}

/** Status and text of an answer. */
export type RecordedText = Pick<RecordedAnswer, 'status' | 'body'>;

interface Generation {
  key_block: { hash: string };
  micro_blocks: string[];
}

function generationText({ top, abandoned }: View, height: number): string {
  const text = recorded(`/v2/generations/height/${height}`, OF);
  if (abandoned !== true || height !== ABANDONED.height || height !== top) return text;
  return text.replace(/\]\}$/, `,"${ABANDONED.hash}"]}`);
}

/** Hash of the last block. */
export function headOf(view: View): string {
  const { keyBlock, microHashes } = readGeneration(generationText(view, view.top));
  return microHashes.at(-1) ?? keyBlock.hash;
}

const found = (body: string): ReplayAnswer => ({ status: 200, body });
const missing = (reason: string): ReplayAnswer => ({ status: 404, body: JSON.stringify({ reason }) });

/** Answer to a path without prefix; undefined if it is the recorded one, whatever the node shows. */
export function shown(view: View, path: string): ReplayAnswer | undefined {
  const [, kind, height] = /^\/(generations|key-blocks)\/(?:current|height\/(\d+))$/.exec(path) ?? [];
  if (kind !== undefined) {
    const at = height === undefined ? view.top : Number(height);
    if (at > view.top) return missing('Chain too short');
    return found(kind === 'generations' ? generationText(view, at) : recordedKeyBlock(at, OF));
  }
  if (path === '/headers/top' || path === '/blocks/top') {
    const hash = headOf(view);
    const isKey = hash.startsWith('kh_');
    const header = isKey ? recordedKeyBlock(view.top, OF) : recorded(`/v2/micro-blocks/hash/${hash}/header`, OF);
    return found(path === '/headers/top' ? header : `{"${isKey ? 'key' : 'micro'}_block":${header}}`);
  }
  if (path === '/status') {
    const { key_block: head } = JSON.parse(generationText(view, view.top)) as Generation;
    return found(
      recorded('/v2/status', OF)
        .replace(/(?<="top_block_height":)\d+/, String(view.top))
        .replace(/(?<="top_key_block_hash":")\w+/, head.hash),
    );
  }
  return part(path);
}

/** The texts of the transactions in the answer about those of a micro block. */
export const transactionTexts = (answer: string): string[] =>
  answer
    .slice('{"transactions":['.length, -']}'.length)
    .split(/,(?=\{"block_hash":)/)
    .filter((text) => text !== '');

/** Single transactions of a micro block, and their number, which the recording has in other answers only. */
export function part(path: string): ReplayAnswer | undefined {
  const [, hash, index] = /^\/micro-blocks\/hash\/(mh_\w+)\/transactions\/(count|index\/\d+)$/.exec(path) ?? [];
  if (hash === undefined || index === undefined) return undefined;
  const parts = transactionTexts(recorded(`/v2/micro-blocks/hash/${hash}/transactions`, OF));
  const body = index === 'count' ? `{"count":${parts.length}}` : parts[Number(index.slice('index/'.length)) - 1];
  return body === undefined ? { status: 400, body: '{"reason":"Invalid hash or index"}' } : found(body);
}

/** `fault`: replaces the answer to a request, by path with prefix and what the node would answer. */
export async function recordedView(
  view: View,
  fault: (url: string, genuine: () => RecordedText) => ReplayAnswer | undefined,
): Promise<Awaited<ReturnType<typeof replayServer>> & { show: (next: View) => void }> {
  let now = view;
  const server = await replayServer(OF, (path, url) => {
    const answer = shown(now, path);
    const genuine = (): RecordedText =>
      typeof answer === 'object'
        ? answer
        : (recording(OF).get(`GET /v2${path}`) ?? recording(OF).get(`GET /v3${path}`) ?? { status: 404, body: '{}' });
    return fault(url, genuine) ?? answer;
  });
  return { ...server, show: (next) => void (now = next) };
}
