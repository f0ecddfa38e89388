import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { integer } from '../../explorer/format.js';
import { encodeId } from '../../src/chain/encoding/encoding.js';
import { EVENT_NAMES } from '../../src/chain/event-names.js';
import { browserProgram, startBrowser } from '../support/browser.js';
import { recordedService } from '../support/compat.js';
import type { RecordedService } from '../support/compat.js';
import { DESK, PHONE, openExplorer } from '../support/explorer.js';
import type { ExplorerWindow } from '../support/explorer.js';
import { recordedLogs } from '../support/recorded-logs.js';
import { recordedGenerations } from '../support/recording.js';
import type { RecordedLog } from '../support/recorded-logs.js';

const OF = 'realnode-tokens';
const PER_PAGE = 20;
const newestFirst = recordedLogs(OF).reverse();
const logsOf = (id: string): RecordedLog[] =>
  newestFirst.filter((log) => log.called_id === id || log.contract_id === id);
const ids = [...new Set(newestFirst.flatMap((log) => [log.contract_id, log.called_id]))];
const BUSY = ids.reduce((most, id) => (logsOf(id).length > logsOf(most).length ? id : most));
/** Its calls let other contracts emit events. */
const CALLED = newestFirst.find((log) => log.contract_id !== log.called_id)!.called_id;
/** Height of the transaction whose call information the recorded node never answers. */
const UNANSWERED = recordedGenerations(OF).find(({ microBlocks }) =>
  microBlocks.some(({ transactions }) => transactions.includes('"hash":"th_t5tt3pihfrH')),
)!.height;
const nameOf = ({ topics }: RecordedLog): string | undefined => EVENT_NAMES.get(BigInt(topics[0]!));

describe(`events of contracts in the explorer${browserProgram === undefined ? ' (skipped: no Chromium here)' : ''}`, () => {
  if (browserProgram === undefined) return void it.skip('shows events');
  let service: RecordedService;
  let browser: Browser;
  let window: ExplorerWindow;

  before(async () => {
    [service, browser] = await Promise.all([recordedService(OF), startBrowser()]);
  });
  after(async () => {
    await browser.close();
    await service.close();
  });
  const open = async (device: Parameters<typeof openExplorer>[2]): Promise<void> => {
    window = await openExplorer(browser, `http://127.0.0.1:${service.api.port}`, device);
  };
  beforeEach(() => open(DESK));
  afterEach(async () => {
    await window.close();
    expect(window.faults).to.deep.equal([]);
  });

  const rows = () => window.page.locator('table[aria-label=Events] tbody tr');
  const hashes = async (): Promise<(string | null)[]> =>
    Promise.all((await rows().locator('td:last-child a').all()).map((link) => link.getAttribute('title')));
  const show = async (id: string): Promise<void> => window.show(`#/contract/${id}?tab=events`);
  async function turn(to: string): Promise<void> {
    const before = await window.page.locator('table[aria-label=Events] tbody').innerHTML();
    await window.page.getByRole('link', { name: to, exact: true }).click();
    while ((await window.page.locator('table[aria-label=Events] tbody').innerHTML()) === before);
    await window.loaded();
  }

  it('are those of the node, newest first, page by page and back', async () => {
    const logs = logsOf(BUSY);
    expect(logs.length).to.be.above(PER_PAGE);
    await window.show(`#/contract/${BUSY}`);
    await window.page.getByRole('tab', { name: 'Events' }).click();
    await rows().first().waitFor();
    const pages = Array.from({ length: Math.ceil(logs.length / PER_PAGE) }, (_, page) =>
      logs.slice(page * PER_PAGE, (page + 1) * PER_PAGE).map((log) => log.transaction_hash),
    );
    for (const [page, expected] of pages.entries()) {
      if (page > 0) await turn('Older');
      expect(await hashes(), `page ${page}`).to.deep.equal(expected);
      const heights = logs.slice(page * PER_PAGE, (page + 1) * PER_PAGE).map((log) => log.block_height);
      const high = page === 0 ? Infinity : heights[0]!;
      const low = page === pages.length - 1 ? 0 : heights.at(-1)! - 1;
      expect((await window.text()).includes('may be missing'), `page ${page} has ${low} to ${high}`).to.equal(
        low <= UNANSWERED && UNANSWERED <= high,
      );
    }
    for (const [page, expected] of [...pages.entries()].reverse().slice(1)) {
      await turn('Newer');
      expect(await hashes(), `back to page ${page}`).to.deep.equal(expected);
    }
    expect(await window.page.getByRole('link', { name: 'Newer', exact: true }).count()).to.equal(0);
  });

  it('have name, arguments, generation and transaction, and what the node says beside them', async () => {
    await show(BUSY);
    const log = logsOf(BUSY).findIndex((one) => nameOf(one) === 'Transfer');
    const { topics, data, block_height: height, transaction_hash: hash } = logsOf(BUSY)[log]!;
    expect(log).to.be.below(PER_PAGE);
    const row = rows().nth(log);
    expect(await row.locator('code b').innerText()).to.equal('Transfer');
    for (const word of topics.slice(1, 3)) {
      const account = encodeId('ak', Buffer.from(BigInt(word).toString(16).padStart(64, '0'), 'hex'));
      expect(await row.locator(`a[href="#/account/${account}"]`).count(), account).to.be.at.least(1);
    }
    expect(await row.locator(`a[href="#/generation/${height}"]`).innerText()).to.equal(integer(height));
    expect(await row.locator(`a[href="#/transaction/${hash}"]`).count()).to.equal(1);
    expect(await row.innerText()).to.not.contain(data);
    await row.locator('summary').click();
    for (const raw of [...topics.map(String), data]) expect(await row.innerText()).to.contain(raw);
  });

  it('of another contract, in a call of this one, lead to that one, and from there back', async () => {
    const [foreign] = logsOf(CALLED).filter((log) => log.contract_id !== CALLED);
    await show(CALLED);
    await rows().locator(`td:nth-child(2) a[href="#/contract/${foreign!.contract_id}"]`).first().click();
    await window.page.locator('.idline code', { hasText: foreign!.contract_id }).waitFor();
    await show(foreign!.contract_id);
    expect(await rows().locator(`td:nth-child(2) a[href="#/contract/${CALLED}"]`).count()).to.be.at.least(1);
  });

  it('without a known name are shown by the hash of it', async () => {
    const log = newestFirst.find((one) => nameOf(one) === undefined)!;
    await show(log.contract_id);
    const at = logsOf(log.contract_id).indexOf(log);
    expect(await rows().nth(at).locator(`[title="${log.topics[0]}"]`).innerText()).to.match(/^event \d+…\d+$/);
  });

  it('are none of a contract that emitted none', async () => {
    const contract = encodeId('ct', Buffer.alloc(32, 7));
    const { data } = (await service.api.json('/mdw/v3/contracts?limit=100')) as { data: { contract: string }[] };
    const silent = data.find(({ contract: id }) => logsOf(id).length === 0)?.contract ?? contract;
    await show(silent);
    expect(await window.text()).to.contain('It has no events.');
  });

  for (const [name, device] of Object.entries({ desk: DESK, phone: PHONE }))
    it(`fit on a ${name}, and axe finds nothing`, async () => {
      await window.close();
      await open(device);
      for (const id of [BUSY, CALLED, newestFirst.find((one) => nameOf(one) === undefined)!.contract_id]) {
        await show(id);
        await window.expectAccessible(id);
        await rows().first().locator('summary').click();
        await window.expectAccessible(`${id}, opened`);
      }
    });
});
