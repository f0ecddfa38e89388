import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { browserProgram, startBrowser } from '../support/browser.js';
import { integer } from '../../explorer/format.js';
import { nodeAt } from '../support/copy.js';
import { decodeAll } from '../support/decoding.js';
import { createWorld } from '../support/events.js';
import type { EventServer, World } from '../support/events.js';
import { openExplorer } from '../support/explorer.js';
import type { ExplorerWindow } from '../support/explorer.js';

interface Row {
  hash: string;
  block_hash: string;
  tx: { type: string };
}

const ABOUT = /^in about \d+ (s|min|h|days?) \(\d{1,2} [A-Z][a-z]{2}( \d{4})? \d\d:\d\d UTC\)$/;

describe(`the explorer while the chain grows${browserProgram === undefined ? ' (skipped: no Chromium here)' : ''}`, function () {
  if (browserProgram === undefined) return void it.skip('follows the stream of events');
  let world: World;
  let server: EventServer;
  let browser: Browser;
  let window: ExplorerWindow;
  let page: Page;

  before(async () => {
    world = await createWorld({ seed: 'explorer live', generations: 30, txsPerGeneration: 20 });
    server = await world.serve();
    browser = await startBrowser();
  });
  after(async () => {
    await browser.close();
    await world.close();
  });
  beforeEach(async () => {
    window = await openExplorer(browser, server.http);
    ({ page } = window);
  });
  afterEach(async () => {
    expect(window.faults).to.deep.equal([]);
    await window.close();
  });

  const get = async <Body>(path: string): Promise<Body> => (await (await fetch(server.http + path)).json()) as Body;
  const newest = async (count: number): Promise<string[]> => {
    const path = `/middleware/transactions/interval/0/${world.devnode.height()}?limit=${count}&page=1`;
    return (await get<{ transactions: Row[] }>(path)).transactions.map(({ hash }) => hash);
  };
  /** Takes the newest micro block away; its transactions wait again. Returns its payments. */
  async function takeBack(): Promise<string[]> {
    const { micro_blocks } = await get<{ micro_blocks: string[] }>(`/v2/generations/height/${world.devnode.height()}`);
    const path = `/v2/micro-blocks/hash/${micro_blocks.at(-1)}/transactions`;
    const { transactions } = await get<{ transactions: Row[] }>(path);
    await world.devnode.microFork({ drop: 1, keep: 'all', next: 'key-block' });
    await world.sync();
    return transactions.filter(({ tx }) => tx.type === 'SpendTx').map(({ hash }) => hash);
  }
  /** Opens an address and waits until the page follows the stream. */
  async function follow(address: string): Promise<void> {
    const opened = page.waitForResponse((response) => response.url().includes('middleware/events'));
    await window.show(address);
    await opened;
    await window.loaded();
  }
  /** Runs in the page. */
  const linksIn = (selector: string, what: 'title' | 'href'): Promise<string[]> =>
    page.evaluate<string[]>(`[...document.querySelectorAll('${selector}')].map((link) => link.${what})`);
  const hashesIn = (part: string): Promise<string[]> => linksIn(`${part} [data-opens] a`, 'title');

  it('says what holds up a transaction that waits', async () => {
    // Of two payments of one account, the later one waits for the other.
    const gapOf = async (hash: string): Promise<{ hash: string; gap: number }> => {
      const { tx } = await get<{ tx: { sender_id: string; nonce: number } }>(`/v2/transactions/${hash}`);
      return { hash, gap: tx.nonce - (await get<{ nonce: number }>(`/v2/accounts/${tx.sender_id}`)).nonce - 1 };
    };
    const waiting = await Promise.all((await takeBack()).map(gapOf));
    const checks = page.locator('section', { hasText: 'Why it may take longer' });
    const next = waiting.find(({ gap }) => gap === 0)!;
    await follow(`#/transaction/${next.hash}`);
    await checks.getByText('nothing holds it up').waitFor();
    expect(await checks.getByText('Yes', { exact: true }).count()).to.equal(4);

    const later = waiting.find(({ gap }) => gap > 0)!;
    await window.show(`#/transaction/${later.hash}`);
    await checks.getByText(`: ${later.gap} other transaction`).waitFor();
    expect(await checks.getByText('No', { exact: true }).count()).to.equal(1);
    await window.expectAccessible('a transaction that is held up');
    await world.devnode.grow(1);
    await world.sync();
  });

  it('turns the page of a waiting transaction into that of one that is done', async () => {
    const [hash] = await takeBack();
    await follow(`#/transaction/${hash}`);
    await page.locator('.badge.wait').waitFor();
    expect(await page.locator('.badge.wait').innerText()).to.contain('Waiting');
    expect(await page.locator('h1').innerText()).to.contain('is sending');
    expect(await window.text()).to.contain('It waits for a block.');
    await window.expectAccessible('a waiting transaction');
    await page.locator('section', { hasText: 'Why it may take longer' }).waitFor();
    const moves = page.locator('section', { has: page.getByRole('heading', { name: /^What (will move|moved)$/ }) });
    expect(await moves.locator('h2').innerText()).to.equal('What will move');
    const rows = await moves.locator('tbody tr').allInnerTexts();
    expect(rows).to.have.length(3);
    const places = (): Promise<string> =>
      page.evaluate<string>(
        "JSON.stringify([...document.querySelectorAll('main section.card')].map((card) => { const { x, y, width } = card.getBoundingClientRect(); return [x, y, width]; }))",
      );
    const before = await places();

    await world.devnode.grow(1);
    await world.sync();
    await page.locator('.badge.good', { hasText: 'Done' }).waitFor();
    // The same cards at the same places.
    expect(await moves.locator('h2').innerText()).to.equal('What moved');
    expect(await moves.locator('tbody tr').allInnerTexts()).to.deep.equal(rows);
    expect(await places()).to.equal(before);
    await page.getByRole('status').getByText('It is in a block now.').waitFor();
    expect(await page.locator('h1').innerText()).to.contain(' sent ');
    expect(await page.locator('.note.wait').count()).to.equal(0);
    const { block_hash } = await get<Row>(`/v2/transactions/${hash}`);
    expect(await window.text()).to.contain(block_hash);
    await window.expectAccessible('a transaction that is done');
  });

  it('shows the right transactions on the home page and in the list after a micro fork', async () => {
    await follow('#/');
    const latest = '[aria-label="Latest transactions"]';
    const before = await hashesIn(latest);
    const taken = await takeBack();
    expect(before).to.include.members(taken.slice(0, 1));
    await page.locator(`${latest} a[title="${taken[0]}"]`).waitFor({ state: 'detached' });
    const note = page.locator('.reorg');
    await note.getByText(/\d+ transactions? waits? again\./).waitFor();
    const waiting = Number(/(\d+) transactions? waits? again/.exec(await note.innerText())![1]);
    expect(waiting).to.be.at.least(taken.length);

    await world.devnode.grow(1);
    await world.sync();
    await note.getByText(/\d+ transactions? came back/).waitFor();
    const [, back = '0', still = '0'] = /(\d+) transactions? came back(?:, (\d+) \w+ waits? again)?/.exec(
      await note.innerText(),
    )!;
    expect(Number(back) + Number(still)).to.equal(waiting);
    await window.expectAccessible('a note about a micro fork');
    const rows = await newest(before.length);
    await page.locator(`${latest} a[title="${rows.at(-1)}"]`).waitFor();
    await page.locator(`${latest} a[title="${rows[0]}"]`).waitFor();
    expect(await hashesIn(latest)).to.have.members(rows);
    // Events do not say how a transaction ended: the list is read again.
    const unknown = page.locator(`${latest} [title="Result unknown"]:has(.type.pay)`);
    await unknown.first().waitFor({ state: 'detached' });

    await window.show('#/transactions');
    expect(await hashesIn('[aria-label=Transactions]')).to.deep.equal(await newest(20));
  });

  it('keeps new rows of a list behind a bar, until they are asked for by button or key', async () => {
    await follow('#/transactions');
    const before = await hashesIn('[aria-label=Transactions]');
    expect(before).to.deep.equal(await newest(20));
    await world.devnode.grow(1);
    await world.sync();
    await page.getByRole('button', { name: /^\d+ new transactions?$/ }).waitFor();
    expect(await hashesIn('[aria-label=Transactions]')).to.deep.equal(before);
    await window.expectAccessible('a list with new rows');
    await page.keyboard.press('n');
    await page.locator('.newbar').waitFor({ state: 'detached' });
    await page.locator(`[aria-label=Transactions] a[title="${(await newest(1))[0]}"]`).waitFor();
    expect(await hashesIn('[aria-label=Transactions]')).to.deep.equal(await newest(20));
  });

  /** Adds generations until a list is longer. */
  async function growUntilLonger(list: string): Promise<number> {
    const length = async (): Promise<number> => Number((await fetch(server.http + list)).headers.get('x-total-count'));
    const before = await length();
    for (;;) {
      await world.devnode.grow(1);
      await world.sync();
      const now = await length();
      if (now > before) return now;
    }
  }
  const bar = (of: string) => page.getByRole('button', { name: new RegExp(`^\\d+ new ${of}s?$`) });
  const newestOf = async (list: string): Promise<Row & { tx: Record<string, string> }> => {
    const body = await get<Row[] | { transactions: Row[] }>(list);
    return (Array.isArray(body) ? body : body.transactions)[0] as Row & { tx: Record<string, string> };
  };

  it('follows an account: its balance at once, its new transactions behind a bar', async () => {
    const { tx } = await newestOf(
      `/middleware/transactions/interval/0/${world.devnode.height()}?txtype=SpendTx&limit=1&page=1`,
    );
    const account = tx['sender_id']!;
    const list = `/middleware/transactions/account/${account}?limit=20&page=1`;
    await follow(`#/account/${account}`);
    const before = await hashesIn('[aria-label=Transactions]');
    const nonce = page.locator('.facts > div', { hasText: 'Nonce' }).locator('dd');
    const total = await growUntilLonger(list);
    await bar('transaction').waitFor();
    expect(await hashesIn('[aria-label=Transactions]')).to.deep.equal(before);
    await page.getByRole('tab', { name: `Transactions ${integer(total)}` }).waitFor();
    const now = await get<{ nonce: number }>(`/v2/accounts/${account}`);
    await nonce.getByText(integer(now.nonce), { exact: true }).waitFor();
    await window.expectAccessible('an account with new rows');
    await page.keyboard.press('n');
    await page.locator('.newbar').waitFor({ state: 'detached' });
    const rows = (await get<Row[]>(list)).map(({ hash }) => hash);
    await page.locator(`[aria-label=Transactions] a[title="${rows[0]}"]`).waitFor();
    expect(await hashesIn('[aria-label=Transactions]')).to.deep.equal(rows);
  });

  it('follows a generation from before it exists until the next one', async () => {
    const height = world.devnode.height() + 1;
    await follow(`#/generation/${height}`);
    await page.getByText(/^It comes in about .* This page shows it then\.$/).waitFor();
    await world.devnode.grow(1);
    await world.sync();
    await page.locator('.badge', { hasText: 'Open' }).waitFor();
    await bar('transaction').click();
    await page.locator('.newbar').waitFor({ state: 'detached' });
    const path = `/middleware/transactions/interval/${height}/${height}?limit=50&page=1`;
    const { transactions } = await get<{ transactions: Row[] }>(path);
    await page.locator(`[aria-label=Transactions] a[title="${transactions[0]!.hash}"]`).waitFor();
    expect(await hashesIn('[aria-label=Transactions]')).to.deep.equal(transactions.map(({ hash }) => hash));
    const count = page.locator('.figures > div', { hasText: 'Transactions' }).first();
    await count.getByText(integer(transactions.length), { exact: true }).waitFor();
    await world.devnode.grow(1);
    await world.sync();
    await page.getByRole('link', { name: `${integer(height + 1)} →` }).waitFor();
    expect(await page.locator('.badge', { hasText: 'Open' }).count()).to.equal(0);
  });

  it('says on the page of a contract that it was called, and asks for its calls again', async () => {
    const { tx } = await newestOf(
      `/middleware/transactions/interval/0/${world.devnode.height()}?txtype=ContractCallTx&limit=1&page=1`,
    );
    const contract = tx['contract_id']!;
    await follow(`#/contract/${contract}`);
    await growUntilLonger(`/middleware/contracts/transactions/address/${contract}?limit=1&page=1`);
    await bar('call').waitFor();
    const asked = page.waitForResponse((response) => response.url().includes('/contracts/calls/address/'));
    await page.keyboard.press('n');
    await asked;
    await page.locator('.newbar').waitFor({ state: 'detached' });
  });

  it('says when an open auction ends, without a link to a generation that does not exist yet', async () => {
    const auctions = await get<{ name: string; expiration: number }[]>('/middleware/names/auctions/active');
    const { name, expiration } = auctions[0]!;
    expect(expiration).to.be.above(world.devnode.height());
    await window.show(`#/name/${name}`);
    await page.locator('.badge.wait', { hasText: 'In auction' }).waitFor();
    const time = page.locator(`.card [title^="generation"]`).first();
    expect(await time.innerText()).to.match(ABOUT);
    expect(await page.locator(`a[href="#/generation/${expiration}"]`).count()).to.equal(0);
    await window.expectAccessible('an open auction');
    await window.show(`#/names/${name}`);
    await page.getByText('in auction, nobody yet').waitFor();

    await window.show('#/auctions');
    const ends = await page.locator('[aria-label=Auctions] td.e').allInnerTexts();
    expect(ends).to.have.length.above(0);
    for (const end of ends) expect(end).to.match(ABOUT);
    const future = (await linksIn('main a[href^="#/generation/"]', 'href')).map((href) =>
      Number(href.split('/').at(-1)),
    );
    expect(future.filter((height) => height > world.devnode.height())).to.deep.equal([]);
  });

  it('leads to each list from the header, and filters transactions by type', async () => {
    await window.show('#/');
    for (const [link, table] of [
      ['Transactions', 'Transactions'],
      ['Contracts', 'Contracts'],
      ['Names', 'Names'],
      ['Oracles', 'Oracles'],
      ['Channels', 'Channels'],
      ['In auction', 'Auctions'],
    ] as const) {
      if (link === 'In auction') await page.getByRole('link', { name: 'Names', exact: true }).click();
      await page.getByRole('link', { name: link, exact: true }).first().click();
      // This chain need not have an open channel.
      await page.locator(`table[aria-label=${table}] tbody tr, .empty`).first().waitFor();
    }
    await window.show('#/transactions?type=NameUpdateTx');
    const updated = page.locator('[aria-label=Transactions] .ft > span:last-child');
    await updated
      .locator('.nm')
      .nth((await updated.count()) - 1)
      .waitFor();
    await window.show('#/transactions?type=NameClaimTx');
    const types = await page.locator('[aria-label=Transactions] .type').allInnerTexts();
    expect(new Set(types)).to.deep.equal(new Set(['Name claim']));
  });

  it('reads the events of a contract again when there is one more, and not at each block', async () => {
    const node = nodeAt(world.devnode.externalUrl);
    await decodeAll(world.database, node);
    const newest = async (query = ''): Promise<{ transaction_hash: string; contract_id: string }> =>
      (
        await get<{ logs: { transaction_hash: string; contract_id: string }[] }>(
          `/middleware/contracts/logs?limit=1${query}`,
        )
      ).logs[0]!;
    const { contract_id: contract, transaction_hash: before } = await newest();
    let reads = 0;
    page.on('request', (sent) => {
      if (sent.url().includes(`/contracts/${contract}/logs`)) reads++;
    });
    await follow(`#/contract/${contract}?tab=events`);
    const shown = (hash: string) => page.locator(`table[aria-label=Events] tbody a[title="${hash}"]`).first();
    await shown(before).waitFor();
    for (let blocks = 0; blocks < 3; blocks++) {
      await world.devnode.mineKeyBlock();
      await world.sync();
      await page.getByText(integer(world.devnode.height())).first().waitFor();
      expect(reads).to.equal(1);
    }
    let hash = before;
    for (let tries = 0; hash === before && tries < 20; tries++) {
      await world.devnode.grow(1);
      await world.sync();
      await decodeAll(world.database, node);
      ({ transaction_hash: hash } = await newest(`&contract=${contract}`));
    }
    expect(hash).to.not.equal(before);
    await shown(hash).waitFor();
    node.close();
  });
});
