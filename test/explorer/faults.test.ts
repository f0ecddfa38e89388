import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { integer } from '../../explorer/format.js';
import { browserProgram, startBrowser } from '../support/browser.js';
import { createWorld } from '../support/events.js';
import type { EventServer, World } from '../support/events.js';
import { openExplorer } from '../support/explorer.js';
import type { ExplorerWindow } from '../support/explorer.js';

interface Generation {
  key_block: { hash: string };
  micro_blocks: string[];
}

describe(`an open page of the explorer${browserProgram === undefined ? ' (skipped: no Chromium here)' : ''}`, () => {
  if (browserProgram === undefined) return void it.skip('says what became of it');
  let world: World;
  let server: EventServer;
  let browser: Browser;
  let window: ExplorerWindow;
  let page: Page;

  before(async () => {
    world = await createWorld({ seed: 'faults of pages', generations: 20, txsPerGeneration: 6 });
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
  const generation = (height: number) => get<Generation>(`/v2/generations/height/${height}`);

  /** Opens an address and waits until the page follows reorgs. */
  async function watch(address: string): Promise<void> {
    const opened = page.waitForResponse((response) => response.url().includes('middleware/events'));
    await window.show(address);
    await opened;
  }

  async function reorg(): Promise<void> {
    await world.devnode.fork({ depth: 3, grow: 4, retainTxs: 'all' });
    await world.sync();
    await page.locator('.reorg').waitFor();
    await window.loaded();
  }

  it('of a generation reports that a reorg replaced it, and shows the present one', async () => {
    const height = world.devnode.height() - 1;
    const { key_block: before } = await generation(height);
    await watch(`#/generation/${height}`);
    await page.getByText(before.hash).first().waitFor();

    await reorg();
    const { key_block: now } = await generation(height);
    expect(now.hash).not.to.equal(before.hash);
    await page.getByText(now.hash).first().waitFor();
    expect(await page.locator('.reorg').innerText()).to.contain('blocks were replaced');
    await window.expectAccessible('a generation after a reorg');
  });

  it('of a generation does not report a reorg above it', async () => {
    await watch('#/generation/3');
    await world.devnode.fork({ depth: 1, grow: 2 });
    const read = page.waitForResponse((response) => response.url().endsWith('/v2/generations/height/3'));
    await world.sync();
    // The page gets the reorg as an event, and reads again.
    await read;
    expect(await page.locator('.reorg').count()).to.equal(0);
  });

  it('of a transaction says that its block was replaced, and where it is now', async () => {
    const [block] = (await generation(world.devnode.height() - 1)).micro_blocks;
    const { transactions } = await get<{ transactions: { hash: string }[] }>(
      `/v2/micro-blocks/hash/${block}/transactions`,
    );
    await watch(`#/transaction/${transactions[0]!.hash}`);
    expect(await window.text()).to.contain(block);

    await reorg();
    const { block_hash: now } = await get<{ block_hash: string }>(`/v2/transactions/${transactions[0]!.hash}`);
    expect(now).not.to.equal(block);
    await page
      .getByText(now === 'none' ? 'It waits for a block.' : now)
      .filter({ visible: true })
      .first()
      .waitFor();
    expect(await page.locator('.reorg').innerText()).to.contain('where the transaction is now');
  });

  it('of a block says that a reorg removed it from the chain', async () => {
    const { key_block } = await generation(world.devnode.height());
    await watch(`#/block/${key_block.hash}`);
    await world.devnode.fork({ depth: 3, grow: 4 });
    await world.sync();
    await page.getByText(/not part of the chain: a reorg replaced it|It may have been replaced in a reorg/).waitFor();
    // The node still answers requests for abandoned blocks.
    await page.route('**/v2/key-blocks/hash/*', (route) =>
      route.fulfill({ json: { ...key_block, height: 2, time: 0 } }),
    );
    await page.reload();
    await page.getByText('not part of the chain: a reorg replaced it').waitFor();
    await window.expectAccessible('a block of an abandoned branch');
  });

  it('has no connection while it is hidden, and shows the present chain when it is visible again', async () => {
    const height = world.devnode.height();
    await watch(`#/generation/${height}`);
    const closed = page.waitForEvent('requestfailed', (request) => request.url().includes('middleware/events'));
    await setHidden(true);
    await closed;
    await world.devnode.fork({ depth: 2, grow: 3 });
    await world.sync();
    const { key_block } = await generation(height);
    await setHidden(false);
    await page.getByText(key_block.hash).first().waitFor();
  });

  /** Hides the page, as if another tab were opened, or shows it again. */
  const setHidden = (isHidden: boolean): Promise<void> =>
    page.evaluate(
      `Object.defineProperty(document, 'hidden', { configurable: true, value: ${isHidden} });
      document.dispatchEvent(new Event('visibilitychange'));`,
    );

  it('reports that a list was not saved, and saves it at the second attempt', async () => {
    const { key_block } = await get<{ key_block: { beneficiary: string } }>('/v2/generations/height/1');
    await window.show(`#/account/${key_block.beneficiary}`);
    const lists = '**/middleware/transactions/account/*';
    const isCsv = (headers: Record<string, string>): boolean => headers['accept'] === 'text/csv';
    let refuse: 'by the server' | 'by the network' = 'by the server';
    await page.route(lists, (route) => {
      if (!isCsv(route.request().headers())) return route.continue();
      if (refuse === 'by the network') return route.abort();
      return route.fulfill({ status: 503, json: { reason: 'Temporarily unavailable' } });
    });
    await page.getByText('Save all as CSV').click();
    await page.getByRole('alert').getByText('Temporarily unavailable').waitFor();
    await window.expectAccessible('an account whose list was not saved');
    refuse = 'by the network';
    await page.getByText('Try again').click();
    await page.getByRole('alert').getByText('The server cannot be reached.').waitFor();
    await page.unroute(lists);

    const [download] = await Promise.all([page.waitForEvent('download'), page.getByText('Try again').click()]);
    expect(download.suggestedFilename()).to.equal(`${key_block.beneficiary}.csv`);
    await page.getByText('The server cannot be reached.').waitFor({ state: 'detached' });
  });

  it('keeps its rows, and tells screen readers that it loads, while a slow server makes the next ones', async () => {
    const { transactions } = await get<{ transactions: { tx: Record<string, string> }[] }>(
      '/middleware/transactions/interval/0/100?txtype=SpendTx&limit=100&page=1',
    );
    const senders = transactions.map(({ tx }) => tx['sender_id']!);
    const busiest = senders.sort((a, b) => times(senders, b) - times(senders, a))[0]!;
    await window.show(`#/account/${busiest}`);
    const rows = page.locator('[aria-label=Transactions] tbody tr:not(.group)');
    const before = await rows.count();
    let answer: (() => void) | undefined;
    const asked = new Promise<void>((resolve) => {
      void page.route('**/middleware/transactions/account/*txtype=SpendTx*', async (route) => {
        resolve();
        await new Promise<void>((go) => (answer = go));
        await route.continue();
      });
    });
    await page.locator('select').selectOption('SpendTx');
    await asked;
    expect(await rows.count()).to.equal(before);
    await page.locator('.old[aria-busy=true]').waitFor();
    await page.unroute('**/middleware/transactions/account/*txtype=SpendTx*');
    answer!();
    await window.loaded();
    await page.locator('.old').waitFor({ state: 'detached' });
  });

  it('of the status keeps its last values, and reports that the server is away, until it is back', async () => {
    await window.show('#/status');
    const height = integer(world.devnode.height());
    expect(await window.text()).to.contain(height);
    await window.context.setOffline(true);
    await page.getByText('The server cannot be reached.').waitFor();
    expect(await page.locator('.old').first().innerText()).to.contain(height);
    await window.expectAccessible('the status of a dead server');
    await window.context.setOffline(false);
    await page.getByText('The server cannot be reached.').waitFor({ state: 'detached' });
    expect(await page.locator('.old').count()).to.equal(0);
  });

  /** An account that the node knows. */
  async function sender(): Promise<string> {
    const path = '/middleware/transactions/interval/0/100?txtype=SpendTx&limit=1&page=1';
    const { transactions } = await get<{ transactions: [{ tx: { sender_id: string } }] }>(path);
    return transactions[0].tx.sender_id;
  }

  it('says what is wrong when the server refuses', async () => {
    const paths = '**/middleware/names/active*';
    let answered = Promise.resolve();
    let refuses = true;
    await page.route(paths, async (route) => {
      await answered;
      if (refuses) await route.fulfill({ status: 503, json: { reason: 'the database cannot be read' } });
      else await route.continue();
    });
    await window.show('#/names');
    const note = page.getByRole('alert');
    await note.getByText('The server cannot answer now (503: the database cannot be read).').waitFor();
    // What is not there keeps its form.
    expect(await page.locator('main table th').allInnerTexts()).to.include.members(['Name', 'Owner', 'Expires']);
    await note.getByText('It has asked once.').waitFor();
    await window.expectAccessible('a server that refuses');
    // No answer until the button was used: on a slow machine the page asks again by itself meanwhile.
    let answer: () => void;
    answered = new Promise((resolve) => (answer = resolve));
    await Promise.all([page.waitForRequest(paths), page.getByRole('button', { name: 'Ask now' }).click()]);
    refuses = false;
    answer!();
    await note.waitFor({ state: 'detached' });
    await page.unroute(paths);
    await page.locator('table[aria-label=Names] tbody tr').first().waitFor();
  });

  it('says once that the server does not answer, asks again by itself with growing pauses, and shows all parts then', async () => {
    const account = await sender();
    let asked = 0;
    const away = (route: Parameters<Parameters<Page['route']>[1]>[0]): Promise<void> => {
      asked++;
      return route.fulfill({ status: 503, json: { reason: 'starting' } });
    };
    const paths = /\/(middleware\/(names|transactions)|v2\/accounts)\//;
    await page.route(paths, away);
    await page.goto(`${server.http}/#/account/${account}`);
    await page.getByText('The server cannot answer now').waitFor();
    await page.getByText('It has asked 2 times.').waitFor();
    expect(await page.getByRole('alert').count()).to.equal(1);
    expect(asked).to.be.above(6);
    await page.unroute(paths, away);
    await page.getByRole('heading', { level: 2, name: 'Transactions' }).waitFor();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await page.locator('.balance .big').waitFor();
  });

  it('shows that one part failed, and the rest', async () => {
    const account = await sender();
    await page.route('**/v2/accounts/*', (route) => route.fulfill({ status: 500, json: { reason: 'out of luck' } }));
    await window.show(`#/account/${account}`);
    await page.getByRole('alert').getByText('This part failed. out of luck').waitFor();
    await page.getByRole('heading', { level: 2, name: 'Transactions' }).waitFor();
    expect(await page.getByRole('alert').count()).to.equal(1);
    await page.unroute('**/v2/accounts/*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('.balance .big').waitFor();
  });

  it('keeps what was read when the connection is lost, grey, and says since when', async () => {
    await window.show('#/generation/3');
    const before = await page.locator('main h1').innerText();
    const clock = page.locator('.live');
    await window.context.setOffline(true);
    await page.evaluate("location.hash = '#/transactions'");
    const note = page.getByRole('status').filter({ hasText: /No connection since \d\d:\d\d/ });
    await note.waitFor();
    await page.locator('main table th', { hasText: 'From → to' }).first().waitFor();
    await clock.getByText(/^at \d\d:\d\d$/).waitFor();
    await page.locator('.live .dot.wait, .live .dot.bad').waitFor();
    await page.goBack();
    await page.locator('.old h1').getByText(before, { exact: true }).waitFor();
    await window.context.setOffline(false);
    await note.waitFor({ state: 'detached' });
    await page.locator('.old').waitFor({ state: 'detached' });
  });

  it('has bones in the final columns while a slow server answers, not before 200 ms, and the last rows at a second visit', async () => {
    let answer: (() => void) | undefined;
    const list = '**/middleware/names/active*';
    await page.route(list, async (route) => {
      await new Promise<void>((go) => (answer = go));
      await route.continue();
    });
    await page.goto(`${server.http}/#/names`);
    await page.getByRole('heading', { level: 1, name: 'Names' }).waitFor();
    await page.locator('.bone').first().waitFor();
    const delay = await page.evaluate<string>("getComputedStyle(document.querySelector('.bones')).animationDelay");
    expect(delay).to.equal('0.2s');
    const left = (): Promise<number> =>
      page.evaluate<number>("document.querySelector('main table th:nth-child(2)').getBoundingClientRect().left");
    expect(await left()).to.be.above(0);
    answer!();
    const rows = page.locator('table[aria-label=Names] tbody tr');
    await rows.first().waitFor();
    await page.locator('.bone').first().waitFor({ state: 'detached' });
    const count = await rows.count();
    await page.evaluate("location.hash = '#/status'");
    await page.getByRole('heading', { level: 1, name: 'Status' }).waitFor();
    await page.evaluate("location.hash = '#/names'");
    await page.locator('.old table[aria-label=Names]').waitFor();
    expect(await rows.count()).to.equal(count);
    answer!();
    await page.locator('.old').waitFor({ state: 'detached' });
  });
});

const times = (list: string[], one: string): number => list.filter((other) => other === one).length;
