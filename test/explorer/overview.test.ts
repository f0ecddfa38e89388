import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { inAe, integer } from '../../explorer/format.js';
import { browserProgram, startBrowser } from '../support/browser.js';
import { createWorld } from '../support/events.js';
import type { EventServer, World } from '../support/events.js';
import { DESK, PHONE, openExplorer } from '../support/explorer.js';
import type { ExplorerWindow } from '../support/explorer.js';

interface StepFigures {
  start: number;
  key_blocks: number;
  transactions: number;
  types: Record<string, number>;
  fees: string;
}

describe(`charts and search of the explorer${browserProgram === undefined ? ' (skipped: no Chromium here)' : ''}`, function () {
  if (browserProgram === undefined) return void it.skip('show the chain');
  this.timeout(120_000);
  let world: World;
  let server: EventServer;
  let browser: Browser;
  let window: ExplorerWindow;
  let page: Page;
  /** Soon after the head of the simulated chain, whose blocks are old, ms. */
  let now: number;

  before(async () => {
    world = await createWorld({ seed: 'overview', generations: 40, txsPerGeneration: 12 });
    server = await world.serve();
    browser = await startBrowser();
    now = (await get<{ time: number }>('/v2/key-blocks/current')).time + 30_000;
  });
  after(async () => {
    await browser.close();
    await world.close();
  });
  beforeEach(() => open(DESK));
  afterEach(async () => {
    expect(window.faults).to.deep.equal([]);
    await window.close();
  });

  async function open(options: Parameters<typeof openExplorer>[2]): Promise<void> {
    window = await openExplorer(browser, server.http, options);
    ({ page } = window);
    await page.clock.setFixedTime(now);
  }

  const get = async <Body>(path: string): Promise<Body> => (await (await fetch(server.http + path)).json()) as Body;
  const compact = (ms: number): string => new Date(ms).toISOString().slice(0, 10).replaceAll('-', '');

  describe('charts', () => {
    it('show a bar for each hour or day with its exact numbers, from one request', async () => {
      const day = 86_400_000;
      const path = `/middleware/figures/${compact(now - day)}/${compact(now)}?by=hour`;
      const all = await get<StepFigures[]>(path);
      const asked: string[] = [];
      page.on('request', (request) => {
        if (request.url().includes('/figures/')) asked.push(request.url().slice(server.http.length));
      });
      await window.show('#/charts?span=day');
      expect(asked).to.deep.equal([path]);

      const bars = page.getByRole('group', { name: /^Transactions an hour/ });
      await bars.focus();
      await page.keyboard.press('End');
      const last = all.at(-1)!;
      const tip = await bars.getByRole('status').innerText();
      expect(tip.split('\n')[0]).to.equal(
        `${new Date(last.start).toISOString().slice(0, 13).replace('T', ' ')}:00, until now`,
      );
      expect(tip).to.contain(integer(last.transactions)).and.to.contain(integer(last.types['SpendTx']!));
      await page.keyboard.press('ArrowLeft');
      expect(await bars.getByRole('status').innerText()).to.contain(integer(all.at(-2)!.transactions));
      await page.keyboard.press('Escape');
      expect(await bars.getByRole('status').innerText()).to.equal('');
      const fees = page.getByRole('group', { name: /^Fees an hour/ });
      await fees.locator('svg').hover({ position: { x: (await fees.locator('svg').boundingBox())!.width - 2, y: 20 } });
      expect(await fees.getByRole('status').innerText()).to.contain(`${inAe(last.fees)} AE`);
      // The last bar of each chart is not complete.
      expect(await bars.locator('rect.part').count()).to.be.above(0);

      await page.getByRole('link', { name: '30 days' }).click();
      await page.getByRole('group', { name: /^Transactions a day: 31 bars/ }).waitFor();
      const ticks = page.locator('.chart .x').first().locator('span');
      expect(await ticks.last().innerText()).to.equal(new Date(now).toISOString().slice(0, 10));
      const axis = await page.locator('.chart .y').first().locator('span').allInnerTexts();
      expect(axis.at(-1)).to.equal('0');
    });

    it('are saved as CSV with all digits', async () => {
      await window.show('#/charts?span=all');
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'CSV' }).click(),
      ]);
      let saved = '';
      for await (const chunk of await download.createReadStream()) saved += String(chunk);
      const [month] = await get<StepFigures[]>('/middleware/figures/20180101/20301231?by=month');
      const [head, row] = saved.split('\r\n').map((line) => line.split(','));
      expect(head!.slice(0, 3)).to.deep.equal(['start', 'key_blocks', 'transactions']);
      expect(row!.slice(0, 3)).to.deep.equal([
        new Date(month!.start).toISOString(),
        ...[String(month!.key_blocks), String(month!.transactions)],
      ]);
      expect(row![head!.indexOf('fees_aettos')]).to.equal(month!.fees);
    });

    it('say that the chain has nothing in a time', async () => {
      await page.clock.setFixedTime(now + 200 * 86_400_000);
      await window.show('#/charts');
      await page.getByText('The chain has no blocks in this time.').waitFor();
      await page.getByRole('link', { name: 'Show all of it' }).click();
      await page.getByRole('group', { name: /^Transactions a month/ }).waitFor();
    });
  });

  describe('the search', () => {
    const field = () => page.getByRole('combobox');
    const options = () => page.getByRole('option');

    it('suggests names by a part of them, is used with the keyboard, and closes with the focus where it was', async () => {
      const [{ name }] = await get<[{ name: string }]>('/middleware/names/active?limit=1&page=1');
      await window.show('#/status');
      await page.getByRole('link', { name: 'Charts' }).focus();
      await page.keyboard.press('/');
      expect(await page.evaluate('document.activeElement.role')).to.equal('combobox');
      expect(await field().inputValue()).to.equal('');
      await page.keyboard.type(name.slice(1, 4));
      await options().filter({ hasText: name }).waitFor();
      expect(await page.locator('.suggest mark').first().innerText()).to.equal(name.slice(1, 4));
      await window.expectAccessible('suggestions');
      await page.keyboard.press('Escape');
      expect(await options().count()).to.equal(0);
      expect(await page.evaluate('document.activeElement.textContent')).to.equal('Charts');

      await page.keyboard.press('/');
      await page.keyboard.type(name.slice(0, -'.chain'.length));
      const texts = async (): Promise<string[]> => options().locator('.nm').allInnerTexts();
      await options().filter({ hasText: name }).waitFor();
      for (let i = (await texts()).indexOf(name); i > 0; i--) await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.waitForURL(`**/#/name/${name}`);
    });

    it('opens what a pasted address of a page is about, and suggests it again', async () => {
      const { key_block } = await get<{ key_block: { beneficiary: string } }>('/v2/generations/height/3');
      await window.show('#/');
      await field().fill(`https://other.example/accounts/${key_block.beneficiary}?type=all`);
      await page.keyboard.press('Enter');
      await page.waitForURL(`**/#/account/${key_block.beneficiary}`);
      await page.getByRole('link', { name: 'Charts' }).click();
      await field().focus();
      await page.getByRole('group', { name: 'Seen before on this device' }).waitFor();
      await options().filter({ hasText: key_block.beneficiary }).click();
      await page.waitForURL(`**/#/account/${key_block.beneficiary}`);
    });

    it('says of a height that is not reached yet when it comes', async () => {
      await window.show('#/status');
      await field().fill('100');
      await options()
        .filter({ hasText: /^100not yet, in about \d/ })
        .waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'Generation 100 is not there yet' }).waitFor();
      await page.getByText(/^It comes in about .* UTC\)\. This page shows it then\.$/).waitFor();
      await window.expectAccessible('a height to come');
    });

    it('offers names that differ by one letter from one that nobody claimed', async () => {
      const [{ name }] = await get<[{ name: string }]>('/middleware/names/active?limit=1&page=1');
      await window.show(`#/name/${name.slice(0, 1)}${name.slice(2)}`);
      await page.getByRole('heading', { level: 1, name: /^Nobody has claimed / }).waitFor();
      const meant = page.getByRole('listitem').filter({ hasText: `Did you mean ${name}?` });
      await meant.getByRole('link', { name: 'Open' }).click();
      await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
    });

    it('says that an identifier is right but unknown', async () => {
      const { key_block } = await get<{ key_block: Record<string, string> }>('/v2/generations/height/3');
      const unknown = key_block['state_hash']!.slice('bs_'.length);
      for (const [page_, prefix, title] of [
        ['transaction', 'th', 'No transaction has this hash'],
        ['block', 'mh', 'No block has this hash'],
        ['contract', 'ct', 'No contract has this identifier'],
        ['oracle', 'ok', 'No oracle has this identifier'],
        ['channel', 'ch', 'No channel has this identifier'],
        ['name', 'nm', 'No name has this hash'],
      ]) {
        await window.show(`#/${page_}/${prefix}_${unknown}`);
        await page.getByRole('heading', { level: 1, name: title! }).waitFor();
        expect(await window.text(), title).to.contain('well formed');
        await window.expectAccessible(title!);
      }
    });

    it('says that a checksum is wrong, offers what differs by one letter, and else stays where it is', async () => {
      const { key_block } = await get<{ key_block: { beneficiary: string } }>('/v2/generations/height/3');
      const wrong = key_block.beneficiary.slice(0, -1) + (key_block.beneficiary.endsWith('2') ? '3' : '2');
      await window.show('#/status');
      await field().fill(wrong);
      await page.getByRole('alert').getByText('The checksum of this identifier is wrong.').waitFor();
      await options().filter({ hasText: key_block.beneficiary }).waitFor();
      await window.expectAccessible('a wrong checksum');
      expect(new URL(page.url()).hash).to.equal('#/status');
      await page.keyboard.press('Enter');
      await page.waitForURL(`**/#/account/${key_block.beneficiary}`);

      await window.show('#/status');
      await field().fill(`${key_block.beneficiary.slice(0, -3)}222`);
      await page.getByRole('alert').getByText('The checksum of this identifier is wrong.').waitFor();
      await page.keyboard.press('Enter');
      expect(await options().count()).to.equal(0);
      expect(new URL(page.url()).hash).to.equal('#/status');
    });
  });

  it('fit a phone, and have nothing that axe finds', async () => {
    await window.close();
    await open(PHONE);
    await window.show('#/charts?span=month');
    await window.expectAccessible('charts');
    await page.getByRole('combobox').fill('a');
    await page.getByRole('option').first().waitFor();
    await window.expectAccessible('suggestions on a phone');
  });
});
