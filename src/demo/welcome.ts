import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { request } from 'undici';

const LOOK_MS = 200;

/** Resolves once the middleware says that all is well, or when aborted; `onWait` is called when it does not yet. */
export async function untilWell(base: string, signal: AbortSignal, onWait: () => void): Promise<void> {
  for (let look = 0; !signal.aborted && !(await isWell(base)); look++) {
    if (look === 0) onWait();
    await pause(LOOK_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function isWell(base: string): Promise<boolean> {
  try {
    const { statusCode, body } = await request(`${base}/middleware/status`);
    await body.dump();
    return statusCode === 200;
  } catch {
    return false;
  }
}

export interface Addresses extends Record<string, string> {
  Middleware: string;
  Metrics: string;
  Node: string;
}

/** What to look at, in the words of the first lines of the README. */
export function welcome(
  { Middleware: base, Metrics: metrics, Node: node }: Addresses,
  say: (line: string) => void,
): void {
  say(`Middleware       ${base}`);
  say(`Metrics          ${metrics}`);
  say('');
  say(`Look at the chain: ${base}/    The API: ${base}/docs`);
  say('');
  say('Try:');
  for (const path of [
    '/middleware/status',
    '/v2/generations/current',
    '/middleware/size/current',
    '/middleware/generations/1/3',
    '/middleware/transactions/interval/100/200?limit=3&page=1',
    '/v2/status',
  ]) {
    say(`  curl '${base}${path}'`);
  }
  say(`The last one is answered by the node, ${node}. Ctrl-C ends all.`);
}

export function urlOf({ address, port, family }: AddressInfo): string {
  const everywhere = address === '0.0.0.0' || address === '::';
  const host = everywhere ? 'localhost' : family === 'IPv6' ? `[${address}]` : address;
  return `http://${host}:${port}`;
}
