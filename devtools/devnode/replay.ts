/** A recorded node: its exact answers, and its chain in the store for requests that were not recorded. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { decodeId } from '../../src/chain/encoding/encoding.js';
import { elementTexts, memberText } from '../../src/chain/encoding/json-walk.js';
import { MiddlewareError } from '../../src/observe/errors.js';
import { difficulty } from '../../src/chain/work/target.js';
import type { Answer } from './wire/answer.js';
import type { Protocol } from './ledger/rules.js';
import type { ChainStore } from './store/chain-store.js';
import { NONE } from './store/chain-store.js';

export interface Replay {
  /** Recorded answer of the external API to a GET request; undefined if it was not recorded. */
  external(url: string): Answer | undefined;
  internal(url: string): Answer | undefined;
  networkId: string | undefined;
  protocols: readonly Protocol[];
}

interface Line {
  method: string;
  path: string;
  port: number;
  status: number;
  headers: Record<string, string>;
  body: string;
}

const INTERNAL_PORT = 3113;

/**
 * Reads JSON lines, plain or gzipped, and adds the generations found in them to the store, up to a height. Throws `invalid_replay` if the file
 * cannot be read or contains no genesis block.
 */
export function readReplay(path: string, store: ChainStore, lastHeight = Number.MAX_SAFE_INTEGER): Replay {
  const [external, internal] = [new Map<string, Answer>(), new Map<string, Answer>()];
  for (const { method, path: asked, port, status, headers, body } of readLines(path)) {
    if (method !== 'GET') continue;
    const answers = port === INTERNAL_PORT ? internal : external;
    // If a request was recorded several times, the first answer is the one that matches the rest of the recording.
    if (!answers.has(asked)) answers.set(asked, answerOf(status, headers, body));
  }
  const text = (url: string): string | undefined => {
    const answer = external.get(url);
    return answer?.status === 200 ? String(answer.body) : undefined;
  };
  addGenerations(store, lastHeight, (part) => text(`/v3${part}`) ?? text(`/v2${part}`));
  if (store.head() === NONE) throw new MiddlewareError('invalid_replay', `${path} contains no generation 0`);
  const status = JSON.parse(text('/v3/status') ?? text('/v2/status') ?? '{}') as {
    network_id?: string;
    protocols?: Protocol[];
  };
  return {
    external: (url) => external.get(url),
    internal: (url) => internal.get(url),
    networkId: status.network_id,
    protocols: status.protocols ?? [],
  };
}

function answerOf(status: number, headers: Record<string, string>, body: string): Answer {
  return {
    status,
    ...(body === '' ? {} : { body }),
    ...(headers['allow'] === undefined ? {} : { allow: headers['allow'] }),
    ...(headers['server'] === undefined ? { bare: true } : {}),
  };
}

function readLines(path: string): Line[] {
  try {
    const bytes = readFileSync(path);
    const text = bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes).toString() : bytes.toString();
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Line);
  } catch (cause) {
    throw new MiddlewareError('invalid_replay', `cannot read ${path}: ${(cause as Error).message}`, {
      cause,
    });
  }
}

/** Adds the recorded generations. `answer` returns the body of a path without prefix. Stops at the first generation that is not complete. */
function addGenerations(store: ChainStore, lastHeight: number, answer: (path: string) => string | undefined): void {
  for (let height = 0; height <= lastHeight; height += 1) {
    const generation = answer(`/generations/height/${height}`);
    if (generation === undefined) return;
    const hashes = JSON.parse(memberText(generation, 'micro_blocks')!) as string[];
    const micros = hashes.map((id) => ({
      id,
      header: answer(`/micro-blocks/hash/${id}/header`),
      transactions: answer(`/micro-blocks/hash/${id}/transactions`),
    }));
    if (micros.some(({ header, transactions }) => header === undefined || transactions === undefined)) return;
    store.setHead(addKeyBlock(store, memberText(generation, 'key_block')!, height));
    for (const { id, header, transactions } of micros) {
      const texts = elementTexts(memberText(transactions!, 'transactions')!);
      const stored = texts.map((text) => ({ hash: decodeId(JSON.parse(memberText(text, 'hash')!) as string), text }));
      store.setHead(
        store.addMicroBlock({ id, hash: decodeId(id), text: header!, parent: store.head(), transactions: stored }),
      );
    }
  }
}

function addKeyBlock(store: ChainStore, text: string, height: number): number {
  const { hash: id, target } = JSON.parse(text) as { hash: string; target: number };
  const parent = store.head();
  const work = (parent === NONE ? 0n : store.work(parent)) + difficulty(target);
  return store.addKeyBlock({ id, hash: decodeId(id), text, height, parent, work });
}
