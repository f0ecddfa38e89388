/**
 * The explorer aescan itself, built from its sources, in a browser, with this service as its middleware and its node: over a recorded chain
 * and over a running demo. `AESCAN` is the folder of its sources, where `nuxt build` has been run (`make aescan`).
 */
import { once } from 'node:events';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { freePort } from '../../devtools/local-postgres/free-port.js';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { browserProgram, startBrowser } from '../support/browser.js';
import { recordedService } from '../support/compat.js';
import { demoFolder } from '../support/demo.js';
import { startNotingProxy } from '../support/noted-requests.js';
import type { NotedRequest, NotingProxy } from '../support/noted-requests.js';
import { GIVE_UP_MS } from '../support/patience.js';

const { AESCAN: folder, PICTURES: pictures } = process.env;

/** The pages, and the lists of the API that name what they are about: `[path, list, member]`. */
const PAGES: readonly (readonly [path: string, list?: string, member?: string])[] = [
  ['/transactions'],
  ['/transactions/', '/v3/transactions?type=spend&limit=1', 'hash'],
  ['/transactions/', '/v3/transactions?type=contract_call&limit=1', 'hash'],
  ['/keyblocks'],
  ['/keyblocks/', '/v3/key-blocks?limit=1&direction=forward&scope=gen:2-9999999', 'height'],
  ['/microblocks/', '/v3/transactions?limit=1', 'block_hash'],
  ['/accounts'],
  ['/accounts/', '/v3/transactions?type=spend&limit=1', 'tx.sender_id'],
  ['/accounts/', '/v3/names?limit=1', 'ownership.current'],
  ['/names'],
  ['/names/', '/v3/names?limit=1', 'name'],
  ['/oracles'],
  ['/oracles/', '/v3/oracles?limit=1', 'oracle'],
  ['/state-channels'],
  ['/state-channels/', '/v3/channels?limit=1', 'channel'],
  ['/contracts'],
  ['/contracts/', '/v3/transactions?type=contract_call&limit=1', 'tx.contract_id'],
  ['/tokens'],
  ['/tokens/', '/v3/aex9?limit=1', 'contract_id'],
  ['/nfts'],
  ['/nfts/', '/v3/aex141?limit=1', 'contract_id'],
  ['/dex-trades'],
  ['/mining'],
  ...['accounts', 'contracts', 'difficulty', 'hashrate', 'keyblocks', 'names', 'transactions'].map(
    (chart) => [`/charts/${chart}`] as const,
  ),
  ['/search/middle'],
  // Last: by then the ledger of a new demo is written, which it needs.
  ['/'],
];

/**
 * What a page may be told with 404: that a contract is no token, that a name is in no auction or only in one, and by the recorded node that it
 * does not know the answer to a dry run.
 */
const MAY_BE_MISSING = /^\/mdw\/v3\/(aex9|aex141)\/ct_|^\/mdw\/v3\/names\/|^\/v3\/dry-run/;

interface Site {
  url: string;
  proxy: NotingProxy;
  stop(): Promise<void>;
}

/** Starts the built site with a middleware, and waits until it answers. */
async function startSite(middleware: string): Promise<Site> {
  const proxy = await startNotingProxy(middleware);
  const site = spawn(process.execPath, [join(folder!, '.output/server/index.mjs')], {
    env: {
      PATH: process.env['PATH'],
      HOST: '127.0.0.1',
      PORT: `${await freePort()}`,
      NUXT_PUBLIC_MIDDLEWARE_URL: `${proxy.url}/mdw/v3`,
      NUXT_PUBLIC_NODE_URL: `${proxy.url}/v3`,
      NUXT_PUBLIC_WEBSOCKET_URL: `${proxy.url.replace('http', 'ws')}/mdw/v3/websocket`,
      NUXT_PUBLIC_NETWORK_NAME: 'TESTNET',
      NUXT_PUBLIC_NETWORK_ID: 'ae_uat',
      NUXT_PUBLIC_ENABLE_MINING: 'true',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await listening(site);
  return {
    url,
    proxy,
    async stop() {
      site.kill();
      await once(site, 'close');
      proxy.close();
    },
  };
}

async function listening(site: ChildProcess): Promise<string> {
  let printed = '';
  for await (const text of site.stdout!.setEncoding('utf8')) {
    printed += text as string;
    const found = /http:\/\/127\.0\.0\.1:\d+/.exec(printed);
    if (found !== null) return found[0];
  }
  throw new Error(`the site ended: ${printed}`);
}

const memberOf = (row: unknown, path: string): string =>
  String(path.split('.').reduce((value, name) => (value as Record<string, unknown>)[name], row));

/** The address of a page, with what it is about; undefined if the chain has no such thing. */
async function addressOf(
  middleware: string,
  [path, list, member]: (typeof PAGES)[number],
): Promise<string | undefined> {
  if (list === undefined) return path;
  const answer = await fetch(`${middleware}/mdw${list}`);
  expect(answer.status, list).to.equal(200);
  const { data } = (await answer.json()) as { data: unknown[] };
  return data.length === 0 ? undefined : path + memberOf(data[0], member!);
}

const wasRefused = ({ path, status }: NotedRequest): boolean =>
  status >= 400 && !(status === 404 && MAY_BE_MISSING.test(path));

describe(`aescan${folder === undefined ? ' (skipped: AESCAN names no built copy of it)' : ''}`, () => {
  if (folder === undefined || browserProgram === undefined) return void it.skip('shows every page');
  let browser: Browser;

  const closers: (() => unknown)[] = [];

  before(async () => void (browser = await startBrowser()));
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });
  after(() => browser.close());

  async function look(middleware: string, of: string): Promise<void> {
    const site = await startSite(middleware);
    closers.push(() => site.stop());
    const page = await browser.newPage({ viewport: { width: 1300, height: 1600 } });
    page.setDefaultTimeout(GIVE_UP_MS / 5);
    const faults: string[] = [];
    page.on('pageerror', ({ message }) => faults.push(message));
    const refused: string[] = [];
    const asked = new Map<string, Set<number>>();
    for (const [at, entry] of PAGES.entries()) {
      const address = await addressOf(middleware, entry);
      if (address === undefined) continue;
      site.proxy.noted.length = 0;
      await show(page, site.url + address, address.slice(entry[0].length)).catch(({ message }: Error) =>
        refused.push(`${address}: ${message}`),
      );
      for (const one of site.proxy.noted) {
        const path = one.path.replace(/\?.*/, '').replace(/\/(\d+|[a-z]{2}_\w+|[^/]+\.chain)/g, '/{}');
        asked.set(path, (asked.get(path) ?? new Set()).add(one.status));
        if (wasRefused(one)) refused.push(`${address}: ${one.path} ${one.status} ${one.body.slice(0, 200)}`);
      }
      for (const fault of faults.splice(0)) refused.push(`${address}: ${fault}`);
      if (pictures !== undefined)
        await page.screenshot({ path: join(pictures, `${of}-${at}${entry[0].replaceAll('/', '-')}.png`) });
    }
    if (process.env['FIGURES'] !== undefined)
      for (const [path, statuses] of [...asked].sort())
        process.stdout.write(`      ${path}: ${[...statuses].join(' ')}\n`);
    await page.close();
    expect(site.proxy.websockets).to.include('/mdw/v3/websocket');
    expect(refused).to.deep.equal([]);
  }

  it('shows every page of a recorded chain with tokens', async () => {
    const service = await recordedService('realnode-tokens');
    closers.push(() => service.close());
    await look(`http://127.0.0.1:${service.api.port}`, 'recorded');
  });

  it('shows every page of a running demo', async () => {
    const demo = demoFolder();
    closers.push(
      () => demo.remove(),
      () => demo.stop(),
    );
    await look(await demo.start().base(), 'demo');
  });
});

/** Opens a page, and waits until it asks for nothing more and shows what it is about. */
async function show(page: Page, url: string, about: string): Promise<void> {
  await page.goto(url, { waitUntil: 'networkidle' });
  await page.locator('body', { hasText: about }).waitFor();
}
