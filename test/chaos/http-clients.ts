/** HTTP clients: each sends random requests to one server, one after the other. */
import { setTimeout as pause } from 'node:timers/promises';
import { checkAnswer } from '../support/api-contract.js';
import type { Choices } from '../support/histories.js';
import { ask } from '../support/steady-client.js';
import { mixedGenerations } from './checks.js';
import type { Answered } from './checks.js';

export interface HttpClient {
  answers: number;
  /** Requests with a 5xx or no answer: the quiet phase checks whether a part that was away explains them. */
  failed: Answered[];
  faults: string[];
  done: Promise<void>;
}

/** Objects of the chain that requests can name. */
export interface Known {
  height: number;
  /** Hashes of blocks and transactions, some of which were removed. */
  hashes: readonly string[];
}

function randomPath(random: Choices, { height, hashes }: Known): string {
  const at = random.int(Math.max(0, height - 12), height + 1);
  const hash = hashes[random.int(Math.max(0, hashes.length - 100), hashes.length - 1)] ?? 'kh_none';
  const kind = hash.slice(0, 2);
  const ofHash =
    kind === 'kh'
      ? [`/v2/key-blocks/hash/${hash}`]
      : kind === 'mh'
        ? [`/v2/micro-blocks/hash/${hash}/header`, `/v2/micro-blocks/hash/${hash}/transactions`]
        : [`/v2/transactions/${hash}`, `/v2/transactions/${hash}/info`];
  const paths = [
    ...ofHash,
    `/middleware/generations/${at - 5}/${at}`,
    `/middleware/generations/${Math.max(0, height - 6)}/${height + 5}`,
    `/middleware/transactions/interval/${Math.max(0, at - 3)}/${at}`,
    `/middleware/size/height/${at}`,
    `/v2/generations/height/${at}`,
    `/v2/key-blocks/height/${at}`,
    '/middleware/count/current',
    '/middleware/names?limit=20',
    '/middleware/contracts/all?limit=20',
    '/middleware/oracles/all?limit=20',
    '/middleware/channels/active',
    '/v2/generations/current',
    '/v2/key-blocks/current/height',
    '/v2/status',
    '/healthz',
  ].filter((path) => !path.includes('/-'));
  return paths[random.int(0, paths.length - 1)]!;
}

const now = (): number => performance.timeOrigin + performance.now();

export function startHttpClient(
  server: number,
  url: string,
  { random, known, signal }: { random: Choices; known: Known; signal: AbortSignal },
): HttpClient {
  const client: HttpClient = { answers: 0, failed: [], faults: [], done: Promise.resolve() };
  async function one(): Promise<void> {
    const path = randomPath(random, known);
    const begun = now();
    const { status, text, headers } = await ask(url + path).catch((error: Error) => ({
      status: 0,
      text: error.message,
      headers: {},
    }));
    client.answers += 1;
    if (status === 0 || status >= 500) {
      const own = path.startsWith('/middleware') || path === '/healthz' || 'x-chain-height' in headers;
      client.failed.push({ server, path, status, own, begun, ended: now(), body: text.slice(0, 200) });
    }
    // A 5xx without a body comes from the node: it need not follow the contract.
    if (status === 0 || (status >= 500 && text === '' && path.startsWith('/v2/'))) return;
    try {
      checkAnswer('GET', path, { status, headers }, Buffer.from(text));
    } catch (error) {
      client.faults.push((error as Error).message);
    }
    if (status !== 200 || !path.startsWith('/middleware/generations')) return;
    const { data } = JSON.parse(text) as { data: Parameters<typeof mixedGenerations>[0] };
    client.faults.push(...mixedGenerations(data).map((fault) => `server ${server}, ${path}: ${fault}`));
  }
  client.done = (async () => {
    while (!signal.aborted) {
      await one();
      await pause(random.int(5, 60));
    }
  })();
  return client;
}
