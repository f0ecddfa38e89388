/** A recorded chain of a real node; see `test/fixtures/realnode/README.md`. */
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
  /** Answer of `/v2/key-blocks/height/<height>`. */
  keyBlock: string;
  microBlocks: RecordedMicroBlock[];
}

let answers: Map<string, RecordedAnswer> | undefined;

/** Answers by request, for example `GET /v2/status`; the first one if a request was recorded more than once. */
export function recording(): Map<string, RecordedAnswer> {
  answers ??= read();
  return answers;
}

/** The recorded answer of a path with status 200. */
export function recorded(path: string): string {
  const answer = recording().get(`GET ${path}`);
  if (answer?.status !== 200) throw new Error(`not recorded: ${path}`);
  return answer.body;
}

/** All generations, lowest first, as answered by `/v2`. */
export function recordedGenerations(): RecordedGeneration[] {
  const generations: RecordedGeneration[] = [];
  for (let height = 0; recording().has(`GET /v2/generations/height/${height}`); height += 1) {
    const generation = recorded(`/v2/generations/height/${height}`);
    const { micro_blocks } = JSON.parse(generation) as { micro_blocks: string[] };
    generations.push({
      height,
      generation,
      keyBlock: recorded(`/v2/key-blocks/height/${height}`),
      microBlocks: micro_blocks.map((hash) => ({
        hash,
        header: recorded(`/v2/micro-blocks/hash/${hash}/header`),
        transactions: recorded(`/v2/micro-blocks/hash/${hash}/transactions`),
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

function read(): Map<string, RecordedAnswer> {
  const file = new URL('../fixtures/realnode/chain.jsonl.gz', import.meta.url);
  const found = new Map<string, RecordedAnswer>();
  for (const line of gunzipSync(readFileSync(file)).toString('utf8').trim().split('\n')) {
    const { method, path, status, headers, body } = JSON.parse(line) as RecordedAnswer &
      Record<'method' | 'path', string>;
    const request = `${method} ${path}`;
    if (!found.has(request)) found.set(request, { status, headers, body });
  }
  return found;
}
