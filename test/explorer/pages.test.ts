import { expect } from 'chai';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { inAe, integer } from '../../explorer/format.js';
import { browserProgram, startBrowser } from '../support/browser.js';
import { createWorld } from '../support/events.js';
import type { EventServer, World } from '../support/events.js';
import { DESK, PHONE, openExplorer } from '../support/explorer.js';
import type { ExplorerWindow } from '../support/explorer.js';
import { startPrefixProxy } from '../support/prefix-proxy.js';

type Tx = Record<string, string>;
interface Row {
  hash: string;
  tx: Tx & { amount: string; type: string };
}

describe(`the explorer in a browser${browserProgram === undefined ? ' (skipped: no Chromium here)' : ''}`, () => {
  if (browserProgram === undefined) return void it.skip('shows the chain');
  let world: World;
  let server: EventServer;
  let browser: Browser;
  let window: ExplorerWindow;
  let context: BrowserContext;
  let page: Page;
  let faults: string[];

  before(async () => {
    world = await createWorld({ seed: 'explorer', generations: 60, txsPerGeneration: 40 });
    server = await world.serve();
    browser = await startBrowser();
  });
  after(async () => {
    await browser.close();
    await world.close();
  });
  beforeEach(() => open(DESK));
  afterEach(() => context.close());

  async function open(options: Parameters<typeof openExplorer>[2]): Promise<void> {
    window = await openExplorer(browser, server.http, options);
    ({ page, context, faults } = window);
  }

  const times = (list: string[], one: string): number => list.filter((other) => other === one).length;
  const show = (address: string): Promise<void> => window.show(address);
  const loaded = (): Promise<void> => window.loaded();
  const text = (): Promise<string> => window.text();
  const titles = async (links: string): Promise<string[]> =>
    Promise.all((await page.locator(links).all()).map(async (link) => (await link.getAttribute('title'))!));
  const get = async <Body>(path: string): Promise<Body> =>
    (await (await fetch(`${server.http}${path}`, { headers: { accept: 'application/json' } })).json()) as Body;
  const rows = async (type: string): Promise<Row[]> =>
    (
      await get<{ transactions: Row[] }>(
        `/middleware/transactions/interval/0/100?txtype=${type}&limit=50&page=1&int-as-string=true`,
      )
    ).transactions;
  const height = async (): Promise<number> => (await get<{ height: number }>('/v2/key-blocks/current/height')).height;

  /** An address of each page, by what it shows. */
  async function addresses(): Promise<Record<string, string>> {
    const [spend, call, oracle, name] = await Promise.all(
      ['SpendTx', 'ContractCallTx', 'OracleQueryTx', 'NameClaimTx'].map(async (type) => (await rows(type))[0]),
    );
    const { micro_blocks } = await get<{ micro_blocks: string[] }>('/v2/generations/height/50');
    const [channelId] = await get<string[]>('/middleware/channels/active');
    return {
      head: '#/',
      generation: '#/generation/50',
      'micro block': `#/block/${micro_blocks[0]}`,
      spend: `#/transaction/${spend!.hash}`,
      call: `#/transaction/${call!.hash}`,
      account: `#/account/${spend!.tx['sender_id']}`,
      contract: `#/contract/${call!.tx['contract_id']}`,
      oracle: `#/oracle/${oracle!.tx['oracle_id']}`,
      channel: `#/channel/${channelId}`,
      name: `#/name/${name!.tx['name']}`,
      names: '#/names',
      'search for a name': '#/names/a',
      ...{ transactions: '#/transactions', contracts: '#/contracts', auctions: '#/auctions' },
      ...{ oracles: '#/oracles', channels: '#/channels', tokens: '#/tokens' },
      'no token': `#/token/${call!.tx['contract_id']}`,
      charts: '#/charts',
      status: '#/status',
      'nothing there': `#/block/${(await get<{ key_block: Tx }>('/v2/generations/height/50')).key_block['state_hash']!.replace('bs_', 'mh_')}`,
      'no page': '#/nonsense',
    };
  }

  for (const [device, options] of Object.entries({ desk: DESK, phone: PHONE })) {
    it(`has every page within the width of a ${device}, free of what axe finds, from this server alone`, async () => {
      await context.close();
      await open(options);
      for (const [name, address] of Object.entries(await addresses())) {
        await show(address);
        await window.expectAccessible(name);
      }
      expect(faults).to.deep.equal([]);
    });
  }

  it('shows each digit that the API has', async () => {
    const [spend] = await rows('SpendTx');
    await show(`#/transaction/${spend!.hash}`);
    expect(await text()).to.contain(`${inAe(spend!.tx.amount)} AE`);
    expect(await page.locator(`[title="${inAe(spend!.tx.amount)} AE"]`).count()).to.be.at.least(1);
    expect(await page.locator(`a[href="#/account/${spend!.tx['recipient_id']}"]`).count()).to.be.at.least(1);

    const account = spend!.tx['sender_id']!;
    const { count } = await get<{ count: number }>(`/middleware/transactions/account/${account}/count`);
    await show(`#/account/${account}`);
    expect(await text()).to.contain(`${integer(count)} in all`);
    const balance = /"balance":(\d+)/.exec(await (await fetch(`${server.http}/v2/accounts/${account}`)).text())![1]!;
    expect(await page.locator('.balance .big').getAttribute('title')).to.equal(`${inAe(balance)} AE`);
  });

  it('shows at the head the height, the number of transactions and exact amounts', async () => {
    const { count } = await get<{ count: number }>('/middleware/count/current');
    const top = await height();
    const { transactions } = await get<{ transactions: Row[] }>(
      `/middleware/transactions/interval/${top - 8}/${top}?limit=14&page=1&int-as-string=true`,
    );
    await show('#/');
    const figures = page.locator('.figures');
    await figures.getByText(integer(count)).first().waitFor();
    expect(await page.locator('.gen .h').nth(1).innerText()).to.equal(integer(top));
    const amounts = transactions
      .flatMap(({ tx }) => tx.amount ?? tx['name_fee'] ?? tx['query_fee'] ?? tx['initiator_amount'] ?? [])
      .map((amount) => `${inAe(amount)} AE`);
    expect(amounts).to.not.deep.equal([]);
    expect(await titles('[aria-label="Latest transactions"] td.b .num')).to.deep.equal(amounts);
  });

  it('says that the checksum of an identifier is wrong, asks no server, and offers what differs by one letter', async () => {
    const [spend] = await rows('SpendTx');
    const account = spend!.tx['sender_id']!;
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    const wrong = `${account.slice(0, -1)}${account.endsWith('1') ? '2' : '1'}`;
    await show(`#/account/${wrong}`);
    await page.getByRole('heading', { level: 1, name: 'No account has this identifier' }).waitFor();
    expect(await text())
      .to.contain('The checksum at its end is wrong')
      .and.to.contain(wrong);
    const meant = page.getByRole('listitem').filter({ hasText: 'Did you mean' });
    expect(await meant.locator('a.id').getAttribute('title')).to.equal(account);
    await window.expectAccessible('a wrong checksum');
    expect(asked.filter((url) => url.includes(wrong))).to.deep.equal([]);
    await meant.getByRole('link', { name: 'Open' }).click();
    await page.getByRole('heading', { level: 2, name: 'Transactions' }).waitFor();
    expect(await page.locator('[role=alert]').count()).to.equal(0);
  });

  it('goes through the pages of a list, and filters it', async () => {
    const senders = (await rows('SpendTx')).map(({ tx }) => tx['sender_id']!);
    const account = senders.sort((a, b) => times(senders, b) - times(senders, a))[0]!;
    const path = `/middleware/transactions/account/${account}`;
    const hashes = async (query: string): Promise<string[]> =>
      (await get<Row[]>(`${path}?limit=20&${query}`)).map(({ hash }) => hash);
    const shown = (): Promise<string[]> => titles('[aria-label=Transactions] tbody tr:not(.group) td:last-child a');
    await show(`#/account/${account}`);
    expect(await shown()).to.deep.equal(await hashes('page=1'));
    await page.locator('a[rel=next]').click();
    await page.getByText(/^Page 2 of/).waitFor();
    expect(await shown()).to.deep.equal(await hashes('page=2'));
    await page.locator('select').selectOption('SpendTx');
    await page.waitForURL(/\?type=SpendTx$/);
    await loaded();
    expect(await shown()).to.deep.equal(await hashes('page=1&txtype=SpendTx'));

    const [download] = await Promise.all([page.waitForEvent('download'), page.getByText('Save all as CSV').click()]);
    expect(download.suggestedFilename()).to.equal(`${account}.csv`);
    const csv = await (await fetch(`${server.http}${path}?txtype=SpendTx`, { headers: { accept: 'text/csv' } })).text();
    let saved = '';
    for await (const chunk of await download.createReadStream()) saved += String(chunk);
    expect(saved).to.equal(csv);
  });

  it('saves the transactions of an account of some days as CSV', async () => {
    const [spend] = await rows('SpendTx');
    const account = spend!.tx['sender_id']!;
    const path = `${server.http}/middleware/transactions/account/${account}`;
    const csv = await (await fetch(path, { headers: { accept: 'text/csv' } })).text();
    const [head = '', ...lines] = csv.trimEnd().split('\r\n');
    const days = lines.map((line) => /\d{4}-\d\d-\d\d/.exec(line)![0]);
    const distinct = [...new Set(days)];
    const save = async (from: string, to: string): Promise<string> => {
      await page.getByLabel('From').fill(from);
      await page.getByLabel('to', { exact: true }).fill(to);
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByText('Save these days as CSV').click(),
      ]);
      let saved = '';
      for await (const chunk of await download.createReadStream()) saved += String(chunk);
      return saved;
    };
    const expected = (from: string, to: string): string =>
      [head, ...lines.filter((_, i) => days[i]! >= from && days[i]! <= to), ''].join('\r\n');
    await show(`#/account/${account}`);
    const newest = distinct[0]!;
    const oldest = distinct.at(-1)!;
    expect(await save(oldest, newest)).to.equal(csv);
    expect(await save(newest, newest)).to.equal(expected(newest, newest));
    expect(await save(oldest, oldest)).to.equal(expected(oldest, oldest));
    await page.getByLabel('From').fill('1999-01-01');
    await page.getByLabel('to', { exact: true }).fill('1999-01-02');
    await page.getByText('Save these days as CSV').click();
    await page.getByText('There are none in these days.').waitFor();
  });

  it('finds what is searched for', async () => {
    const [claim] = await rows('NameClaimTx');
    await show('#/');
    const search = async (wanted: string): Promise<void> => {
      await page.getByRole('combobox').fill(wanted);
      await page.getByRole('combobox').press('Enter');
    };
    await search('42');
    await page.getByRole('heading', { level: 1, name: '42' }).waitFor();
    await search(claim!.tx['name']!);
    await page.getByRole('heading', { name: claim!.tx['name']!, exact: true }).waitFor();
    await search(claim!.hash);
    await page.getByRole('heading', { name: / claimed / }).waitFor();
    await search('zzzzzzzz');
    await page.getByText('No name contains this').waitFor();
  });

  it('shows new blocks at once, and reports a reorg', async () => {
    await show('#/');
    await world.devnode.grow(1);
    await world.sync();
    const before = await height();
    await page.locator('.gen .h').getByText(integer(before), { exact: true }).waitFor();
    const abandoned = (await get<{ key_block: { hash: string } }>(`/v2/generations/height/${before}`)).key_block.hash;

    await world.devnode.fork({ depth: 2, grow: 3 });
    await world.sync();
    await page.locator('.reorg').waitFor();
    await page
      .locator('.gen .h')
      .getByText(integer(await height()), { exact: true })
      .waitFor();
    expect(await page.locator('.reorg').innerText()).to.contain('blocks were replaced');
    await page.locator(`.gen[title^="${abandoned}"]`).waitFor({ state: 'detached' });
    const shown = (await titles('a.gen')).map((title) => title.split(',')[0]);
    for (const [i, hash] of shown.entries()) {
      const { key_block } = await get<{ key_block: { hash: string } }>(
        `/v2/generations/height/${(await height()) - i}`,
      );
      expect(hash).to.equal(key_block.hash);
    }
    expect(faults).to.deep.equal([]);
  });

  it('says when the head is old', async () => {
    // The blocks of the simulated chain are old.
    await show('#/');
    await page.getByText(/^The head is \d+ \w+ old\.$/).waitFor();
  });

  it('reports when the server cannot be reached, and continues by itself when it is back', async () => {
    await show('#/');
    await context.setOffline(true);
    await page.evaluate("location.hash = '#/generation/7'");
    await page.getByText('The server cannot be reached.').waitFor();
    await window.expectAccessible('without a connection');
    await context.setOffline(false);
    await page.getByText(/^kh_/).first().waitFor();
    await page.getByText('The server cannot be reached.').waitFor({ state: 'detached' });
  });

  it('reports that the connection is lost, and shows the missed blocks when they are back', async () => {
    const other = await world.serve();
    let isDown = false;
    const proxy = createServer((req, res) => {
      if (isDown) return void req.socket.destroy();
      const passed = request(`${other.http}${req.url}`, { headers: req.headers }, (answer) => {
        res.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(res);
        res.once('close', () => answer.destroy());
      });
      passed.on('error', () => res.destroy());
      passed.end();
    });
    await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/`;
    try {
      await page.goto(url);
      await page.locator('.gen').first().waitFor();
      isDown = true;
      proxy.closeAllConnections();
      await page.getByText(/^No connection since/).waitFor();
      await world.devnode.grow(1);
      await world.sync();
      isDown = false;
      await page
        .locator('.gen .h')
        .getByText(integer(await height()), { exact: true })
        .waitFor();
      await page.getByText(/^No connection since/).waitFor({ state: 'detached' });
    } finally {
      proxy.closeAllConnections();
      proxy.close();
    }
  });

  it('shows the head and new blocks while the stream of events is refused', async () => {
    await page.route('**/middleware/events?*', (route) => route.fulfill({ status: 503 }));
    await show('#/');
    await page.getByText('The stream of events is interrupted.').waitFor();
    await world.devnode.grow(1);
    await world.sync();
    const heights = page.locator('.gen .h');
    await heights.getByText(integer(await height()), { exact: true }).waitFor();

    await page.unroute('**/middleware/events?*');
    await page.getByText('The stream of events is interrupted.').waitFor({ state: 'detached' });
    await world.devnode.grow(1);
    await world.sync();
    await heights.getByText(integer(await height()), { exact: true }).waitFor();
  });

  it('works behind a path prefix', async () => {
    const proxy = await startPrefixProxy(server.http, '/some/where');
    try {
      await page.goto(`${proxy.url}/`);
      await page.locator('.gen .h').first().waitFor();
      await page.locator('a.gen').first().click();
      await page.getByText('Key block', { exact: true }).waitFor();
    } finally {
      proxy.close();
    }
  });

  it('can be used with the keyboard alone', async () => {
    await show('#/');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).to.equal('content');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Key block', { exact: true }).waitFor();
  });
});
