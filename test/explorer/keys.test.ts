import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { browserProgram, startBrowser } from '../support/browser.js';
import { createWorld } from '../support/events.js';
import type { EventServer, World } from '../support/events.js';
import { openExplorer } from '../support/explorer.js';
import type { ExplorerWindow } from '../support/explorer.js';
import { eventually } from '../support/populator.js';

/** Run in the page: all that can be used, and what tells one from another. */
const STOPS =
  "[...document.querySelectorAll('a[href], button, input, select, summary, [tabindex=\"0\"]')].filter((one) => one.tabIndex >= 0 && one.checkVisibility() && one.closest('dialog') === null)";
const TELL =
  "(one) => one.tagName + ' ' + (one.getAttribute('href') ?? '') + ' ' + one.textContent.trim().slice(0, 40)";

describe(`keys and names of the explorer${browserProgram === undefined ? ' (skipped: no Chromium here)' : ''}`, () => {
  if (browserProgram === undefined) return void it.skip('go from row to row');
  let world: World;
  let server: EventServer;
  let browser: Browser;
  let window: ExplorerWindow;
  let page: Page;

  before(async () => {
    world = await createWorld({ seed: 'keys', generations: 40, txsPerGeneration: 12 });
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
  const focused = (what: string): Promise<string> => page.evaluate<string>(`document.activeElement.${what}`);

  /** Waits until an expression is true in the page. The policy of the pages does not let the driver do so itself. */
  const until = (expression: string): Promise<boolean> => eventually(() => page.evaluate<boolean>(expression), Boolean);

  it('go from row to row and open one; back returns to the same place', async () => {
    await window.show('#/transactions');
    const titles = await page.evaluate<string[]>(
      "[...document.querySelectorAll('tbody td:last-child a')].map(({ title }) => title)",
    );
    expect(titles).to.have.length(20);
    for (const title of [titles[0], titles[1]]) {
      await page.keyboard.press('j');
      expect(await focused('title')).to.equal(title);
    }
    await page.keyboard.press('k');
    await page.keyboard.press('k');
    expect(await focused('title')).to.equal(titles[0]);
    for (let row = 1; row < 20; row++) await page.keyboard.press('j');
    expect(await focused('title')).to.equal(titles[19]);
    const place = await page.evaluate<number>('scrollY');
    expect(place).to.be.above(0);
    await until(`history.state?.y === ${place}`);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/#/transaction/${titles[19]}`);
    expect(await page.evaluate('scrollY')).to.equal(0);
    await page.goBack();
    await until(`scrollY === ${place}`);
  });

  it('stay on the link of an account when its name arrives', async () => {
    const names = '**/middleware/names/of/*';
    let release: (() => void) | undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route(names, async (route) => {
      const accounts = decodeURIComponent(new URL(route.request().url()).pathname.split('/').at(-1)!).split(',');
      await released;
      await route.fulfill({ json: accounts.map((account) => ({ account, name: 'late.chain' })) });
    });
    await window.show('#/transactions');
    await page.evaluate('document.querySelector("tbody a[href^=\'#/account/\']").focus()');
    const account = await focused("getAttribute('href')");
    expect(await focused('textContent')).to.match(/^ak_/);
    release!();
    await until("document.querySelector('tbody').textContent.includes('late.chain')");
    expect([await focused('textContent'), await focused("getAttribute('href')")]).to.deep.equal([
      'late.chain',
      account,
    ]);
    await page.unroute(names);
  });

  it('go to the generation before and after', async () => {
    await window.show('#/generation/7');
    await page.keyboard.press(']');
    await page.getByRole('heading', { level: 1, name: '8', exact: true }).waitFor();
    await page.keyboard.press('[');
    await page.getByRole('heading', { level: 1, name: '7', exact: true }).waitFor();
  });

  it('are listed, do nothing in a field, and can be switched off', async () => {
    await window.show('#/generation/7');
    await page.keyboard.press('?');
    const list = page.getByRole('dialog', { name: 'Keys' });
    await list.waitFor();
    for (const key of ['/', 'j', 'k', 'n', '[', ']', '?'])
      expect(await list.locator('kbd').allInnerTexts()).to.include(key);
    await window.expectAccessible('the list of keys');
    await page.keyboard.press(']');
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'hidden' });
    expect(new URL(page.url()).hash).to.equal('#/generation/7');

    await page.keyboard.press('/');
    await page.keyboard.type('j]');
    expect(await page.getByRole('combobox').inputValue()).to.equal('j]');
    await page.keyboard.press('Escape');
    expect(new URL(page.url()).hash).to.equal('#/generation/7');

    await page.getByRole('button', { name: 'Keys' }).click();
    await list.getByRole('checkbox', { name: 'Use these keys' }).uncheck();
    await list.getByRole('button', { name: 'Close' }).click();
    for (const reload of [false, true]) {
      if (reload) await page.reload();
      await window.loaded();
      for (const key of [']', '?', '/']) await page.keyboard.press(key);
      expect(await list.isVisible()).to.equal(false);
      expect(new URL(page.url()).hash).to.equal('#/generation/7');
      expect(await focused('role')).to.not.equal('combobox');
    }
  });

  it('of the tabs go from one to the next, which are one stop', async () => {
    const path = '/middleware/transactions/interval/0/100?txtype=NameClaimTx&limit=1&page=1';
    const { transactions } = await get<{ transactions: [{ tx: { account_id: string } }] }>(path);
    await window.show(`#/account/${transactions[0].tx.account_id}`);
    const tabs = page.getByRole('tab');
    expect(await tabs.count()).to.be.above(1);
    expect(await page.locator('[role=tab][tabindex="0"]').count()).to.equal(1);
    await tabs.first().focus();
    await page.keyboard.press('ArrowRight');
    await page.waitForURL(/\?tab=\w+$/);
    await page.locator('[role=tab][aria-selected=true]:focus').waitFor();
    expect(await tabs.nth(1).getAttribute('aria-selected')).to.equal('true');
  });

  for (const address of ['#/', '#/transactions', '#/generation/7'])
    it(`reach everything on ${address} with Tab alone, in the order of the page`, async () => {
      await window.show(address);
      // Home has its rows before the chain above them.
      if (address === '#/') await page.locator('[aria-label="The chain now"] a').first().waitFor();
      const all = await page.evaluate<string[]>(`${STOPS}.map(${TELL})`);
      expect(all[0]).to.contain('Skip to the content');
      for (const [i, stop] of all.entries()) {
        await page.keyboard.press('Tab');
        // By its place, not its text: ages grow, and names replace accounts.
        expect(await page.evaluate<number>(`${STOPS}.indexOf(document.activeElement)`)).to.equal(i, stop);
      }
    });

  it('names are shown instead of accounts, all of a list by one request', async () => {
    const names = await get<{ name: string; pointers: { id: string }[] | null }[]>('/middleware/names/active');
    const accounts = names.flatMap(({ pointers }) => pointers ?? []).map(({ id }) => id);
    const named = await get<{ account: string; name: string }[]>(
      `/middleware/names/of/${[...new Set(accounts)].filter((id) => id.startsWith('ak_')).join(',')}`,
    );
    const { account, name } = (
      await Promise.all(
        named.map(async (one) => ({
          ...one,
          ...(await get<{ count: number }>(`/middleware/transactions/account/${one.account}/count?txtype=SpendTx`)),
        })),
      )
    ).sort((a, b) => b.count - a.count)[0]!;
    const [spend] = await get<[{ hash: string; block_height: number }]>(
      `/middleware/transactions/account/${account}?txtype=SpendTx&limit=1&page=1`,
    );
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/names/of/')) asked.push(decodeURIComponent(request.url().split('/').at(-1)!));
    });
    await window.show(`#/generation/${spend.block_height}`);
    const links = page.locator(`[aria-label=Transactions] a.nm[title="${account}"]`);
    await links.first().waitFor();
    expect(await links.first().innerText()).to.equal(name);
    expect(await links.first().getAttribute('href')).to.equal(`#/account/${account}`);
    // The beneficiary of the key block may be asked for before the rows are there.
    expect(asked.length).to.be.at.most(2);
    const all = asked.flatMap((one) => one.split(','));
    expect(new Set(all).size).to.equal(all.length);

    await window.show(`#/account/${account}`);
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await window.show(`#/transaction/${spend.hash}`);
    await page.getByRole('heading', { level: 1, name }).waitFor();
  });
});
