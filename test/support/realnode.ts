/** Recordings of a real node, line by line; see `test/fixtures/realnode/README.md`. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { isObject, parseExact } from '../../src/chain/encoding/json.js';
import type { Json } from '../../src/chain/encoding/json.js';
import { stringifyExact } from '../../src/chain/encoding/json.js';
import type { Devnode, LiveOptions } from '../../devtools/devnode/start.js';
import { open } from './devnode.js';

export interface RecordedLine {
  method: string;
  path: string;
  port: number;
  request_body?: string;
  status: number;
  headers: Record<string, string>;
  body: string;
  note?: string;
}

export type RecordingName = 'chain' | 'errors' | 'flow' | 'pool' | 'builders' | 'mining';

export const recordingFile = (name: RecordingName): string =>
  fileURLToPath(new URL(`../fixtures/realnode/${name}.jsonl.gz`, import.meta.url));

/** In the order asked. */
export const recordedLines = (name: RecordingName): RecordedLine[] =>
  gunzipSync(readFileSync(recordingFile(name)))
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as RecordedLine);

export const EXTERNAL_PORT = 3013;

/** The account that had all coins before the first recorded block, and gets the rewards of every block. */
export const RECORDED_MINER = 'ak_2a1j2Mk9YSmC1gioUq4PWRm3bsv887MbuRVwyv4KaUGoR1eiKi';

/** Funds before the first block of the recorded chain. */
export const RECORDED_START: Pick<LiveOptions, 'funds' | 'rules'> = {
  funds: { [RECORDED_MINER]: 10n ** 31n },
  rules: { rewardDelay: 10 },
};

/** A live node that continues the recorded chain. */
export const recordedLive = (options: Partial<LiveOptions> = {}): Promise<Devnode> =>
  open({
    internal: '127.0.0.1:0',
    source: {
      live: { ...RECORDED_START, from: recordingFile('chain'), mining: { beneficiary: RECORDED_MINER }, ...options },
    },
  });

export interface ShownChain {
  status: number;
  body: string;
}

/** Sends the same request as to the recorded node. */
export async function askAgain(devnode: Devnode, line: RecordedLine): Promise<ShownChain> {
  const { method, path, port, request_body: body } = line;
  const url = (port === EXTERNAL_PORT ? devnode.externalUrl : devnode.internalUrl!) + path;
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, body === undefined ? { method } : { method, headers, body });
  return { status: response.status, body: await response.text() };
}

/** A body with sorted members, some of which are masked at any depth. */
export function comparable(body: string, masked: readonly string[] = []): string {
  if (body === '') return '';
  const even = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(even);
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.keys(value)
        .sort()
        .map((key) => [key, masked.includes(key) ? '…' : even(value[key]!)]),
    );
  };
  return stringifyExact(even(parseExact(body)));
}
