/** A browser window with the explorer of a server. */
import axe from 'axe-core';
import { expect } from 'chai';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { GIVE_UP_MS } from './patience.js';

export const DESK = { viewport: { width: 1200, height: 900 } };
export const PHONE = { viewport: { width: 390, height: 800 }, isMobile: true, colorScheme: 'dark' } as const;

/** Run in the page. */
const VIOLATIONS =
  "axe.run(document).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html)))";

export interface ExplorerWindow {
  page: Page;
  context: BrowserContext;
  /** Errors of the page, and requests to other hosts. */
  faults: string[];
  /** Opens an address such as `#/status` and waits until it is loaded. */
  show(address: string): Promise<void>;
  /** Waits until the shown page is loaded. */
  loaded(): Promise<void>;
  text(): Promise<string>;
  /** Checks that the page is not wider than the window, and that axe finds nothing. */
  expectAccessible(name: string): Promise<void>;
  close(): Promise<void>;
}

export async function openExplorer(
  browser: Browser,
  base: string,
  options: Parameters<Browser['newContext']>[0] = DESK,
): Promise<ExplorerWindow> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.setDefaultTimeout(GIVE_UP_MS);
  const faults: string[] = [];
  page.on('pageerror', ({ message }) => faults.push(message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('Failed to load resource')) faults.push(message.text());
  });
  page.on('request', (sent) => {
    if (!sent.url().startsWith(base) && !sent.url().startsWith('blob:')) faults.push(sent.url());
  });
  const loaded = async (): Promise<void> => {
    await page
      .locator('main', { has: page.locator('h1') })
      .filter({ hasNotText: 'Loading…' })
      .waitFor();
    await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
  };
  return {
    page,
    context,
    faults,
    async show(address) {
      await page.goto(`${base}/${address}`);
      await loaded();
    },
    loaded,
    text: () => page.locator('main').innerText(),
    async expectAccessible(name) {
      const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
      expect(overflow, `${name} is wider than the window`).to.be.at.most(0);
      // The content security policy of the page blocks foreign scripts, so axe is injected by the browser.
      await page.evaluate(axe.source);
      expect(await page.evaluate<string[]>(VIOLATIONS), name).to.deep.equal([]);
    },
    close: () => context.close(),
  };
}
