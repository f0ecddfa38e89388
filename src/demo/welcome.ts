import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { request } from 'undici';
import { AETTOS_PER_COIN } from '../chain/protocol/rewards.js';

const LOOK_MS = 200;

/**
 * Resolves once `height` is loaded and all URLs answer with 200, or when aborted; `onWait` is called when that is not so
 * yet. The status alone can be 200 for what an earlier demo reported.
 */
export async function untilWell(
  { base, urls, height }: { base: string; urls: readonly string[]; height: number },
  signal: AbortSignal,
  onWait: () => void,
): Promise<void> {
  const areWell = async (): Promise<boolean> => {
    if (!(await isLoaded(base, height))) return false;
    for (const url of urls) if (!(await isWell(url))) return false;
    return true;
  };
  for (let look = 0; !signal.aborted && !(await areWell()); look++) {
    if (look === 0) onWait();
    await pause(LOOK_MS, undefined, { signal }).catch(() => undefined);
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

async function isWell(url: string): Promise<boolean> {
  try {
    const { statusCode, body } = await request(url);
    // An event stream has no end.
    body.on('error', () => undefined).destroy();
    return statusCode === 200;
  } catch {
    return false;
  }
}

/** The node that the demo brings. */
export interface DemoNode {
  url: string;
  internalUrl: string;
  /** Of its head when the demo started. */
  height: number;
  /** File with the key of an account that has coins. */
  keyFile: string;
  /** ak_ of that key. */
  account: string;
  /** ak_ that most transactions are from. */
  busiest: string;
}

export interface Served {
  base: string;
  /** Of the websocket, as `http://…`. */
  events: string;
  metrics: string;
  /** Whether there is a page at `/`. */
  hasPage: boolean;
  node: DemoNode | undefined;
}

/** What to look at, in the words of the first lines of the README, and the URLs among it. */
export function welcome({ base, events, metrics, hasPage, node }: Served): { lines: string[]; urls: string[] } {
  const pages = [
    ...(hasPage ? [[`${base}/`, 'the chain as it grows']] : []),
    ...(hasPage && node ? [[`${base}/#/account/${node.busiest}`, 'an account that does much']] : []),
    [`${base}/docs`, 'the API, to try out'],
    ...(hasPage ? [[`${base}/guide/introduction`, 'the guide']] : []),
  ] as [string, string][];
  const asked = [
    '/middleware/status',
    '/v2/generations/current',
    '/middleware/size/current',
    '/middleware/generations/1/3',
    '/middleware/transactions/interval/100/200?limit=3&page=1',
    ...(node ? [`/middleware/transactions/account/${node.busiest}?limit=3&page=1`] : []),
    '/v2/status',
  ].map((path) => base + path);
  const stream = `${base}/middleware/events?kinds=key_blocks,micro_blocks,transactions`;
  return {
    urls: [...pages.map(([url]) => url), metrics, ...asked, stream, ...(node ? [`${node.url}/v2/status`] : [])],
    lines: [
      `Middleware       ${base}`,
      `Metrics          ${metrics}`,
      ...section(
        'Look in a browser:',
        pages.map(([url, what]) => `${url}   ${what}`),
      ),
      ...section(
        'Ask, in another terminal (the last one is answered by the node):',
        asked.map((url) => `curl '${url}'`),
      ),
      ...section('Follow what happens:', [
        `curl -N '${stream}'`,
        `npx mdw watch key_blocks,transactions --url ${events.replace(/^http/, 'ws')}`,
      ]),
      ...(node ? section(`Send coins from ${node.account}, whose key is in ${node.keyFile}:`, [flow(base, node)]) : []),
      '',
      'Ctrl-C ends all.',
    ],
  };
}

const section = (title: string, lines: readonly string[]): string[] => ['', title, ...lines.map((line) => `  ${line}`)];

function flow(base: string, { url, internalUrl, keyFile, busiest }: DemoNode): string {
  const places = `--node ${url} --internal ${internalUrl} --middleware ${base}`;
  return `npx mdw flow spend --to ${busiest} --amount ${AETTOS_PER_COIN} --key-file '${keyFile}' ${places}`;
}

export function urlOf({ address, port, family }: AddressInfo): string {
  const everywhere = address === '0.0.0.0' || address === '::';
  const host = everywhere ? 'localhost' : family === 'IPv6' ? `[${address}]` : address;
  return `http://${host}:${port}`;
}
