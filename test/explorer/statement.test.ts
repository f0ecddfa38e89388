import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { inAe } from '../../explorer/format.js';
import { parseExact } from '../../src/chain/encoding/json.js';
import { browserProgram, startBrowser } from '../support/browser.js';
import { recordedService } from '../support/compat.js';
import type { RecordedService } from '../support/compat.js';
import { DESK, PHONE, openExplorer } from '../support/explorer.js';
import type { ExplorerWindow } from '../support/explorer.js';
import { writeMovements } from '../support/ledger-rows.js';

interface Row {
  height: number;
  transaction_hash: string | null;
  kind: string;
  amount: number | bigint;
  balance: number | bigint;
}

/** Of the recording: it spends, claims, asks, opens channels and is rewarded. */
const PER_PAGE = 20;

describe(`the statement of an account in a browser${browserProgram === undefined ? ' (skipped: no Chromium here)' : ''}`, () => {
  if (browserProgram === undefined) return void it.skip('shows the changes of a balance');
  let service: RecordedService;
  let browser: Browser;
  let window: ExplorerWindow;
  let account: string;
  let base: string;

  before(async () => {
    [service, browser] = await Promise.all([recordedService('realnode-tokens'), startBrowser()]);
    await writeMovements(service.database, 'ae_dev', { delay: 10, treasury: null });
    const { rows } = await service.database.query<{ id: string }>({
      name: 'test.busiest',
      text: `
        SELECT i.id FROM movements AS m JOIN ledger_ids AS i ON i.key = m.account
        GROUP BY i.id ORDER BY count(DISTINCT m.kind) DESC, count(*) DESC LIMIT 1`,
    });
    account = rows[0]!.id;
    base = `http://127.0.0.1:${service.api.port}`;
    window = await openExplorer(browser, base);
  });
  after(async () => {
    await browser.close();
    await service.close();
  });
  afterEach(() => expect(window.faults).to.deep.equal([]));

  const list = '[aria-label="Changes of the balance"] tbody tr:not(.group)';

  async function ledger(query = ''): Promise<Row[]> {
    const { status, body } = await service.api.get(`/middleware/accounts/${account}/ledger${query}`);
    expect(status, body).to.equal(200);
    return (parseExact(body) as unknown as { rows: Row[] }).rows;
  }

  /** Exact amounts of the rows, and where they lead. */
  async function shown(): Promise<[change: string, balance: string, opens: string][]> {
    const rows = await window.page.locator(list).all();
    return Promise.all(
      rows.map(async (row) => {
        const amounts = await row.locator('.num').all();
        const [change, balance] = await Promise.all(amounts.map((one) => one.getAttribute('data-exact')));
        return [change!, balance!, (await row.locator('[data-opens] a').getAttribute('href'))!];
      }),
    );
  }

  const expected = (rows: readonly Row[]): [string, string, string][] =>
    rows.map(({ amount, balance, transaction_hash: hash, height }) => [
      ...([inAe(amount), inAe(balance)] as const),
      hash === null ? `#/generation/${height}` : `#/transaction/${hash}`,
    ]);

  it('has each change with its sign and the balance after it, and leads to its transaction', async () => {
    const rows = await ledger();
    expect(rows).to.have.length.above(2 * PER_PAGE);
    await window.show(`#/account/${account}`);
    expect(await shown()).to.deep.equal(expected(rows.slice(0, PER_PAGE)));
    await window.page.getByText(/Changes may be missing from generation 0 on/).waitFor();
    // The points of signed amounts stand below each other.
    const right = await window.page.locator(`${list} td.b .num i`).evaluateAll((all) => {
      const ends = (all as { getBoundingClientRect(): { left: number } }[]).map(
        (one) => one.getBoundingClientRect().left,
      );
      return [...new Set(ends.map(Math.round))];
    });
    expect(right).to.have.length(1);
    await window.page.locator(list).first().locator('[data-opens] a').click();
    await window.page.waitForURL(/#\/(transaction|generation)\//);
  });

  it('goes on to older changes, and back', async () => {
    const rows = await ledger();
    await window.show(`#/account/${account}`);
    for (let at = PER_PAGE; at < Math.min(rows.length, 4 * PER_PAGE); at += PER_PAGE) {
      await window.page.locator('a[rel=next]').click();
      await window.page
        .locator(`${list} [data-exact="${inAe(rows[at]!.balance)}"]`)
        .first()
        .waitFor();
      await window.loaded();
      expect(await shown()).to.deep.equal(expected(rows.slice(at, at + PER_PAGE)));
    }
    await window.page.getByRole('link', { name: 'Newest' }).click();
    await window.page
      .locator(`${list} [data-exact="${inAe(rows[0]!.balance)}"]`)
      .first()
      .waitFor();
    await window.loaded();
    expect(await shown()).to.deep.equal(expected(rows.slice(0, PER_PAGE)));
  });

  it('has filters by kind, which the CSV has, too', async () => {
    await window.show(`#/account/${account}`);
    for (const [title, kinds] of [
      ['Fees', ['fee']],
      ['Payments', ['spend', 'payment']],
      ['Names', ['name_fee', 'bid', 'bid_refund', 'lock']],
    ] as const) {
      const rows = await ledger(`?kind=${kinds.join(',')}`);
      await window.page.locator('.chip', { hasText: title }).click();
      await window.page.locator('.chip[aria-current]', { hasText: title }).waitFor();
      await window.loaded();
      expect(await shown(), title).to.deep.equal(expected(rows.slice(0, PER_PAGE)));
    }
    const [download] = await Promise.all([
      window.page.waitForEvent('download'),
      window.page.getByText('Save all as CSV').click(),
    ]);
    expect(download.suggestedFilename()).to.equal(`${account}_statement.csv`);
    let saved = '';
    for await (const chunk of await download.createReadStream()) saved += String(chunk);
    const path = `/middleware/accounts/${account}/ledger?order=asc&kind=name_fee,bid,bid_refund,lock`;
    expect(saved).to.equal((await service.api.get(path, { headers: { accept: 'text/csv' } })).body);
    await window.page.locator('.chip', { hasText: 'Channels' }).click();
    await window.page.locator('.chip[aria-current]', { hasText: 'Channels' }).waitFor();
  });

  it('draws the course of the balance, with what came in and went out', async () => {
    await window.show(`#/account/${account}`);
    const card = window.page.locator('section.balance');
    expect(await card.locator('svg[role=img]').getAttribute('aria-label')).to.match(
      /^Balance after the last \d+ changes/,
    );
    expect(await card.innerText()).to.match(/In, 30 days[^]*Out, 30 days/);
  });

  for (const [device, options] of Object.entries({
    desk: DESK,
    'dark desk': { ...DESK, colorScheme: 'dark' as const },
    phone: PHONE,
    'light phone': { ...PHONE, colorScheme: 'light' as const },
  })) {
    it(`fits the window of a ${device}, free of what axe finds`, async () => {
      const own = await openExplorer(browser, base, options);
      await own.show(`#/account/${account}`);
      await own.expectAccessible('the statement');
      const folder = process.env['PICTURES'];
      if (folder !== undefined)
        await own.page.screenshot({ path: `${folder}/statement-${device}.png`, fullPage: true });
      await own.show(`#/account/${account}?kind=oracle`);
      await own.expectAccessible('the statement of a kind');
      expect(own.faults).to.deep.equal([]);
      await own.close();
    });
  }
});
