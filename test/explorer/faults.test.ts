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
    expect(await page.locator('.old').innerText()).to.contain(height);
    await window.expectAccessible('the status of a dead server');
    await window.context.setOffline(false);
    await page.getByText('The server cannot be reached.').waitFor({ state: 'detached' });
    expect(await page.locator('.old').count()).to.equal(0);
  });

  it('says what is wrong when the server refuses', async () => {
    await page.route('**/middleware/names/active*', (route) =>
      route.fulfill({ status: 503, json: { reason: 'the database cannot be read' } }),
    );
    await window.show('#/names');
    await page.getByText('the database cannot be read').waitFor();
    await page.unroute('**/middleware/names/active*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('the database cannot be read').waitFor({ state: 'detached' });
  });
});

const times = (list: string[], one: string): number => list.filter((other) => other === one).length;
