import { expect } from 'chai';
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, CDPSession } from 'playwright-core';
import { PAGES } from '../../explorer/routes.js';
import { goLive } from '../../src/store/chain-state.js';
import { browserProgram, startBrowser } from '../support/browser.js';
import { recordedService } from '../support/compat.js';
import { createWorld, startEventServer } from '../support/events.js';
import type { EventServer, World } from '../support/events.js';
import { openExplorer } from '../support/explorer.js';
import type { ExplorerWindow } from '../support/explorer.js';
import { recordedTokens, tokenStates } from '../support/recorded-tokens.js';

const DEVICES = {
  desk: { width: 1440, height: 900, scale: 0.5 },
  phone: { width: 390, height: 844, scale: 0.75 },
};
const SCHEMES = ['light', 'dark'] as const;
/** Where pictures are written, in WebP: `make pictures`. Without it, the pages are only looked at. */
const FOLDER = process.env.PICTURES;
const QUALITY = 60;
/** The pictures of the guide, and their max size altogether. */
const GUIDE = new URL('../../docs/', import.meta.url);
const MAX_BYTES = 1_500_000;

interface Row {
  hash: string;
  tx: Record<string, string>;
}

describe(`pictures of the explorer${browserProgram === undefined ? ' (skipped: no Chromium here)' : ''}`, () => {
  if (browserProgram === undefined) return void it.skip('each page on desk and phone, light and dark');
  let world: World;
  let server: EventServer;
  let browser: Browser;
  let window: ExplorerWindow;
  let camera: CDPSession;

  before(async () => {
    world = await createWorld({ seed: 'pictures', generations: 60, txsPerGeneration: 12, microBlocksPerGeneration: 4 });
    server = await world.serve();
    browser = await startBrowser();
    window = await openExplorer(browser, server.http, { viewport: DEVICES.desk });
    camera = await window.context.newCDPSession(window.page);
    // The blocks of the simulated chain are old.
    const { time } = await get<{ time: number }>('/v2/key-blocks/current');
    await window.page.clock.setFixedTime(time + 8_000);
  });
  after(async () => {
    await browser.close();
    await world.close();
  });

  const get = async <Body>(path: string): Promise<Body> => (await (await fetch(server.http + path)).json()) as Body;
  const newest = async (type: string): Promise<Row> =>
    (await get<{ transactions: Row[] }>(`/middleware/transactions/interval/0/60?txtype=${type}&limit=1&page=1`))
      .transactions[0]!;
  /** A payment of an account that a name points to, not of the newest micro block: that one is taken away. */
  async function payment(): Promise<Row> {
    const path = '/middleware/transactions/interval/0/58?txtype=SpendTx&limit=80&page=1';
    const { transactions } = await get<{ transactions: Row[] }>(path);
    const senders = [...new Set(transactions.map(({ tx }) => tx['sender_id']!))];
    const named = await get<{ account: string }[]>(`/middleware/names/of/${senders.join(',')}`);
    return transactions.find(({ tx }) => named.some(({ account }) => account === tx['sender_id']))!;
  }
  /** A payment that waits, because the newest micro block was taken away. */
  async function waiting(): Promise<string> {
    const { micro_blocks } = await get<{ micro_blocks: string[] }>(`/v2/generations/height/${world.devnode.height()}`);
    const path = `/v2/micro-blocks/hash/${micro_blocks.at(-1)}/transactions`;
    const { transactions } = await get<{ transactions: Row[] }>(path);
    await world.devnode.microFork({ drop: 1, keep: 'all', next: 'key-block' });
    await world.sync();
    return transactions.find(({ tx }) => tx['type'] === 'SpendTx')!.hash;
  }

  async function addresses(): Promise<Record<string, string>> {
    const [call, query, update] = await Promise.all(['ContractCallTx', 'OracleQueryTx', 'NameUpdateTx'].map(newest));
    const spend = await payment();
    const { micro_blocks } = await get<{ micro_blocks: string[] }>('/v2/generations/height/50');
    const [channel] = await get<string[]>('/middleware/channels/active');
    const [auction] = await get<{ name: string }[]>('/middleware/names/auctions/active');
    return {
      ...{ home: '', generation: 'generation/50', block: `block/${micro_blocks[0]}` },
      ...{ transaction: `transaction/${spend.hash}`, call: `transaction/${call!.hash}` },
      account: `account/${spend.tx['sender_id']}`,
      contract: `contract/${call!.tx['contract_id']}`,
      oracle: `oracle/${query!.tx['oracle_id']}`,
      channel: `channel/${channel}`,
      ...{ name: `name/${update!.tx['name_id']}`, auction: `name/${auction!.name}`, names: 'names' },
      ...{ transactions: 'transactions', contracts: 'contracts', oracles: 'oracles', channels: 'channels' },
      ...{ auctions: 'auctions', charts: 'charts', status: 'status' },
      lost: `transaction/${spend.hash.slice(0, -1)}${spend.hash.endsWith('2') ? '3' : '2'}`,
      waiting: `transaction/${await waiting()}`,
    };
  }

  it('each page on desk and phone, light and dark, with a heading, without an error, within the width', async () => {
    await look(window, camera, await addresses());
  });
});

describe(`pictures of tokens${browserProgram === undefined ? ' (skipped: no Chromium here)' : ''}`, () => {
  if (browserProgram === undefined) return void it.skip('as they were recorded, also the hostile ones');

  it('as they were recorded, also the hostile ones', async () => {
    const [service, browser] = await Promise.all([recordedService('realnode-tokens'), startBrowser()]);
    let server: EventServer | undefined;
    try {
      await goLive(service.database);
      server = await startEventServer(service.urls.database, service.urls.node);
      const window = await openExplorer(browser, server.http, { viewport: DEVICES.desk });
      const ids = Object.fromEntries(Object.entries(recordedTokens).map(([id, { label }]) => [label, id]));
      const holder = Object.keys(tokenStates.findLast(({ label }) => label === 'tokenB')!.balances!)[0]!;
      // The blocks of the recording are of one day.
      const { rows } = (await service.api.json(`/middleware/tokens/${ids['tokenA']}/transfers?limit=1`)) as {
        rows: { time: number }[];
      };
      await window.page.clock.setFixedTime(rows[0]!.time + 3_600_000);
      await look(window, await window.context.newCDPSession(window.page), {
        ...{ tokens: 'tokens', token: `token/${ids['tokenA']}`, collection: `token/${ids['nftMap']}` },
        ...{ hostile: `token/${ids['plainLong']}`, events: `contract/${ids['tokenA']}?tab=events` },
        holdings: `account/${holder}?tab=tokens`,
      });
    } finally {
      await browser.close();
      await server?.close();
      await service.close();
    }
  });
});

/** Opens addresses, checks the pages, and takes their pictures. */
async function look(window: ExplorerWindow, camera: CDPSession, addresses: Record<string, string>): Promise<void> {
  const { page } = window;
  if (FOLDER !== undefined) mkdirSync(FOLDER, { recursive: true });
  for (const [name, address] of Object.entries(addresses)) {
    await page.setViewportSize({ width: DEVICES.desk.width, height: DEVICES.desk.height });
    await window.show(`#/${address}`);
    expect(await page.locator('main h1').innerText(), name).to.not.equal('');
    expect(await page.locator('[role=alert]').allInnerTexts(), name).to.deep.equal([]);
    for (const [device, viewport] of Object.entries(DEVICES)) {
      await page.setViewportSize({ width: viewport.width, height: viewport.height });
      const width = await page.evaluate<number>('document.documentElement.scrollWidth');
      expect(width, `${name} on a ${device}`).to.be.at.most(viewport.width);
      if (FOLDER === undefined) continue;
      for (const colorScheme of SCHEMES) {
        await page.emulateMedia({ colorScheme });
        const clip = { x: 0, y: 0, ...viewport };
        const { data } = await camera.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY, clip });
        writeFileSync(join(FOLDER, `${name}-${device}-${colorScheme}.webp`), Buffer.from(data, 'base64'));
      }
    }
  }
  expect(window.faults).to.deep.equal([]);
}

describe('the pictures of the guide', () => {
  const files = readdirSync(new URL('pictures', GUIDE));

  it('show each page of the explorer on desk and phone, light and dark (make pictures)', () => {
    const wanted = ['home', ...Object.keys(PAGES)].flatMap((page) =>
      Object.keys(DEVICES).flatMap((device) => SCHEMES.map((scheme) => `${page}-${device}-${scheme}.webp`)),
    );
    expect(files).to.include.members(wanted);
  });

  it('are all in its page about the explorer, and small', () => {
    const text = readFileSync(new URL('explorer.md', GUIDE), 'utf8');
    expect(files.filter((file) => !text.includes(`](pictures/${file})`))).to.deep.equal([]);
    const sizes = files.map((file) => statSync(new URL(`pictures/${file}`, GUIDE)).size);
    expect(sizes.reduce((sum, size) => sum + size, 0)).to.be.at.most(MAX_BYTES);
  });
});
