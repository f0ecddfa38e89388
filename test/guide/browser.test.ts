import axe from 'axe-core';
import { expect } from 'chai';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { PAGES } from '../../scripts/guide/contents.js';
import { browserProgram, startBrowser } from '../support/browser.js';
import { createWorld } from '../support/events.js';
import type { World } from '../support/events.js';
import { GIVE_UP_MS } from '../support/patience.js';
import { startPrefixProxy } from '../support/prefix-proxy.js';
import type { PrefixProxy } from '../support/prefix-proxy.js';

const DEVICES = {
  desk: { viewport: { width: 1200, height: 900 } },
  phone: { viewport: { width: 390, height: 800 }, isMobile: true, colorScheme: 'dark' },
} as const;

/** Script that runs in the page: lists the violations that axe finds. */
const VIOLATIONS =
  "axe.run(document).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html)))";

describe(`the guide in a browser${browserProgram === undefined ? ' (skipped: no Chromium here)' : ''}`, () => {
  if (browserProgram === undefined) return void it.skip('shows the documents');
  let world: World;
  let proxy: PrefixProxy;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  /** Console messages, failed requests and requests to other hosts. */
  let faults: string[];

  before(async () => {
    world = await createWorld();
    proxy = await startPrefixProxy((await world.serve()).http, '/some/where');
    browser = await startBrowser();
  });
  after(async () => {
    await browser.close();
    proxy.close();
    await world.close();
  });
  afterEach(() => context.close());

  async function open(device: keyof typeof DEVICES): Promise<void> {
    context = await browser.newContext(DEVICES[device]);
    page = await context.newPage();
    // A machine may be slow: the limit of the browser driver is 30 s.
    page.setDefaultTimeout(GIVE_UP_MS);
    faults = [];
    page.on('console', (message) => void faults.push(message.text()));
    page.on('request', (sent) => {
      if (!sent.url().startsWith(proxy.url)) faults.push(sent.url());
    });
    page.on('response', (answer) => {
      if (answer.status() >= 400) faults.push(`${answer.status()} ${answer.url()}`);
    });
  }

  it('has a link to the page of the API, which sends requests, also with a path prefix', async () => {
    await open('desk');
    for (const at of ['/docs', '/docs/']) {
      await page.goto(`${proxy.url}${at}#/blocks/getChainSize`);
      await page.getByRole('button', { name: 'Try it out' }).click();
      const answered = page.waitForResponse(`${proxy.url}/middleware/size/current`);
      await page.getByRole('button', { name: 'Execute' }).click();
      expect((await answered).status(), at).to.equal(200);
    }
    expect(faults).to.deep.equal([]);
  });

  for (const device of ['desk', 'phone'] as const) {
    it(`fits a ${device}, has no axe violation, and loads from this server alone, also with a path prefix`, async () => {
      await open(device);
      for (const name of ['introduction', 'configuration', 'explorer', 'reload']) {
        await page.goto(`${proxy.url}/guide/${name}`);
        const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
        expect(overflow, `${name} is wider than the window`).to.be.at.most(0);
        // The policy of the page allows no script, so axe is injected by the browser driver.
        await page.evaluate(axe.source);
        expect(await page.evaluate<string[]>(VIOLATIONS), name).to.deep.equal([]);
      }
      expect(faults).to.deep.equal([]);
    });
  }

  it('has no page that is wider than a phone', async () => {
    await open('phone');
    const wide: string[] = [];
    for (const { name } of PAGES) {
      await page.goto(`${proxy.url}/guide/${name}`);
      const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - screen.width');
      if (overflow > 0) wide.push(`${name}: ${overflow}`);
    }
    expect(wide).to.deep.equal([]);
  });

  it('shows the column title in each table cell on a phone', async () => {
    await open('phone');
    await page.goto(`${proxy.url}/guide/configuration`);
    const shown = await page.evaluate<string[]>(
      "[...document.querySelector('tbody tr').cells].map((cell) => getComputedStyle(cell, '::before').content)",
    );
    expect(shown).to.deep.equal(['none', '"Default"', '"Used by"', '"Meaning"']);
  });

  it('leads from the first page to the last by the links to the next page', async () => {
    await open('desk');
    await page.goto(`${proxy.url}/guide`);
    const read: string[] = [];
    for (;;) {
      read.push(new URL(page.url()).pathname.split('/').at(-1)!);
      const next = page.locator('a[rel="next"]');
      if ((await next.count()) === 0) break;
      const before = page.url();
      await Promise.all([page.waitForURL((url) => url.href !== before), next.click()]);
    }
    expect(read).to.deep.equal(PAGES.map(({ name }) => name));
    expect(faults).to.deep.equal([]);
  });

  it('has links from and to the explorer', async () => {
    await open('desk');
    await page.goto(`${proxy.url}/`);
    await page.getByRole('link', { name: 'Guide' }).click();
    await page.getByRole('heading', { level: 1, name: 'What it is' }).waitFor();
    await page.getByRole('link', { name: 'Explorer', exact: true }).click();
    await page.locator('#explorer h1').waitFor();
  });

  it('shows the list of pages on its own page on a phone, and can be used with the keyboard', async () => {
    await open('phone');
    await page.goto(`${proxy.url}/guide/sql`);
    expect(await page.locator('nav.contents').isVisible()).to.equal(false);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(new URL(page.url()).hash).to.equal('#content');
    await page.getByRole('link', { name: 'Contents' }).click();
    await page.getByRole('heading', { level: 1, name: 'Guide' }).waitFor();
  });
});
