/** Recorded chains of real nodes; see `README.md` in each folder of `test/fixtures`. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

export interface RecordedAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export interface RecordedMicroBlock {
  hash: string;
  header: string;
  transactions: string;
}

export interface RecordedGeneration {
  height: number;
  /** Answer of `/v2/generations/height/<height>`. */
  generation: string;
  /** Answer about its key block. */
  keyBlock: string;
  microBlocks: RecordedMicroBlock[];
}

/** Folders of recorded chains. */
export const RECORDINGS = ['realnode', 'realnode-tokens', 'realnode-hyperchain', 'realnode-hyperchain-holes'] as const;

export type Recording = (typeof RECORDINGS)[number];

const answers = new Map<Recording, Map<string, RecordedAnswer>>();

/** Answers by request, for example `GET /v2/status`; the first one if a request was recorded more than once. */
export function recording(of: Recording = 'realnode'): Map<string, RecordedAnswer> {
  const known = answers.get(of) ?? read(of);
  answers.set(of, known);
  return known;
}

/** The recorded answer of a path with status 200. */
export function recorded(path: string, of?: Recording): string {
  const answer = recording(of).get(`GET ${path}`);
  if (answer?.status !== 200) throw new Error(`not recorded: ${path}`);
  return answer.body;
}

/** The answer about the key block of a generation: only some recordings have it by height, too. */
export function recordedKeyBlock(height: number, of?: Recording): string {
  const { key_block } = JSON.parse(recorded(`/v2/generations/height/${height}`, of)) as { key_block: { hash: string } };
  return recorded(`/v2/key-blocks/hash/${key_block.hash}`, of);
}

/** All generations, lowest first, as answered by `/v2`. */
export function recordedGenerations(of?: Recording): RecordedGeneration[] {
  const generations: RecordedGeneration[] = [];
  for (let height = 0; recording(of).has(`GET /v2/generations/height/${height}`); height += 1) {
    const generation = recorded(`/v2/generations/height/${height}`, of);
    const { micro_blocks } = JSON.parse(generation) as { micro_blocks: string[] };
    generations.push({
      height,
      generation,
      keyBlock: recordedKeyBlock(height, of),
      microBlocks: micro_blocks.map((hash) => ({
        hash,
        header: recorded(`/v2/micro-blocks/hash/${hash}/header`, of),
        transactions: recorded(`/v2/micro-blocks/hash/${hash}/transactions`, of),
      })),
    });
  }
  return generations;
}

/** Exact text of a transaction's `/info`; null if the node answers that it has none. */
export function recordedInfo(hash: string): string | null {
  const answer = recording().get(`GET /v2/transactions/${hash}/info`);
  return answer?.status === 200 ? answer.body : null;
}

function read(of: Recording): Map<string, RecordedAnswer> {
  const file = new URL(`../fixtures/${of}/chain.jsonl.gz`, import.meta.url);
  const found = new Map<string, RecordedAnswer>();
  for (const line of gunzipSync(readFileSync(file)).toString('utf8').trim().split('\n')) {
    const { method, path, status, headers, body } = JSON.parse(line) as RecordedAnswer &
      Record<'method' | 'path', string>;
    const request = `${method} ${path}`;
    if (!found.has(request)) found.set(request, { status, headers, body });
  }
  return found;
}
