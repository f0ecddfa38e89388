import type { AddressInfo } from 'node:net';
import { request } from 'undici';
import { AETTOS_PER_COIN } from '../../src/chain/protocol/rewards.js';
import { waitOrAbort } from '../../src/runtime/repeat.js';

const POLL_MS = 200;

/**
 * Resolves when `height` is loaded and all URLs answer 200, or when aborted. Calls `onWait` once if it has to wait. The height is checked because
 * the URLs may already answer 200 with the data of an earlier demo.
 */
export async function waitUntilReady(
  { base, urls, height }: { base: string; urls: readonly string[]; height: number },
  signal: AbortSignal,
  onWait: () => void,
): Promise<void> {
  const isReady = async (): Promise<boolean> => {
    if (!(await isLoaded(base, height))) return false;
    for (const url of urls) if (!(await answersOk(url))) return false;
    return true;
  };
  for (let look = 0; !signal.aborted && !(await isReady()); look++) {
    if (look === 0) onWait();
    await waitOrAbort(POLL_MS, signal);
  }
}

async function isLoaded(base: string, height: number): Promise<boolean> {
  try {
    const { body } = await request(`${base}/readyz`);
    const readiness = (await body.json()) as { height?: number | null };
    return (readiness.height ?? -1) >= height;
  } catch {
    return false;
  }
}

async function answersOk(url: string): Promise<boolean> {
  try {
    const { statusCode, body } = await request(url);
    // An event stream never ends.
    body.on('error', () => undefined).destroy();
    return statusCode === 200;
  } catch {
    return false;
  }
}

/** The simulated node of the demo. */
export interface DemoNode {
  url: string;
  internalUrl: string;
  rosettaUrl: string;
  /** Height of its head when the demo started. */
  height: number;
  /** File with the key of an account that has coins. */
  keyFile: string;
  /** ak_ of that key. */
  account: string;
  /** ak_ that sends most transactions. */
  busiest: string;
}

export interface Served {
  base: string;
  /** URL of the websocket, as `http://…`. */
  events: string;
  metrics: string;
  /** Whether there is a page at `/`. */
  hasPage: boolean;
  /** How the user starts the program. */
  command: string;
  /** Settings of the embedded parts, for other commands. */
  settings: Record<string, string>;
  node: DemoNode | undefined;
}

/** The lines that the demo prints, which match the first lines of the README, and the URLs in them. */
export function welcome({ base, events, metrics, hasPage, command, settings, node }: Served): {
  lines: string[];
  urls: string[];
} {
  const pages = [
    ...(hasPage ? [[`${base}/`, 'the explorer: watch the chain grow']] : []),
    ...(hasPage && node ? [[`${base}/#/account/${node.busiest}`, 'a busy account']] : []),
    [`${base}/docs`, 'try out the API'],
    ...(hasPage ? [[`${base}/guide/introduction`, 'the guide']] : []),
  ] as [string, string][];
  const requests = [
    '/middleware/status',
    '/v2/generations/current',
    '/middleware/size/current',
    '/middleware/generations/1/3',
    '/middleware/transactions/interval/100/200?limit=3&page=1',
    ...(node ? [`/middleware/transactions/account/${node.busiest}?limit=3&page=1`] : []),
    '/v2/status',
  ].map((path) => base + path);
  const variables = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  const stream = `${base}/middleware/events?kinds=key_blocks,micro_blocks,transactions`;
  return {
    urls: [...pages.map(([url]) => url), metrics, ...requests, stream, ...(node ? [`${node.url}/v2/status`] : [])],
    lines: [
      `Middleware       ${base}`,
      `Metrics          ${metrics}`,
      ...section(
        'Open in a browser:',
        pages.map(([url, what]) => `${url}   ${what}`),
      ),
      ...section(
        'Try in another terminal (the node answers the last one):',
        requests.map((url) => `curl '${url}'`),
      ),
      ...section('Follow the events:', [
        `curl -N '${stream}'`,
        `${command} watch key_blocks,transactions --url ${events.replace(/^http/, 'ws')}`,
      ]),
      ...(node
        ? section(`Send coins from ${node.account}, whose key is in ${node.keyFile}:`, [
            `${command} ${flow(base, node)}`,
          ])
        : []),
      ...(variables.length === 0
        ? []
        : section('Use the same node and database with other commands:', [
            `export ${variables.join(' ')}`,
            `${command} doctor`,
          ])),
      '',
      'Press Ctrl-C to stop everything.',
    ],
  };
}

const section = (title: string, lines: readonly string[]): string[] => ['', title, ...lines.map((line) => `  ${line}`)];

function flow(base: string, { url, internalUrl, keyFile, busiest }: DemoNode): string {
  const flags = `--node ${url} --internal ${internalUrl} --middleware ${base}`;
  return `flow spend --to ${busiest} --amount ${AETTOS_PER_COIN} --key-file '${keyFile}' ${flags}`;
}

export function urlOf({ address, port, family }: AddressInfo): string {
  const everywhere = address === '0.0.0.0' || address === '::';
  const host = everywhere ? 'localhost' : family === 'IPv6' ? `[${address}]` : address;
  return `http://${host}:${port}`;
}
