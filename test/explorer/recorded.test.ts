import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { bytes, inAe, integer } from '../../explorer/format.js';
import { browserProgram, startBrowser } from '../support/browser.js';
import { DESK, PHONE, openExplorer } from '../support/explorer.js';
import type { ExplorerWindow } from '../support/explorer.js';
import { readValue } from '../../src/chain/fate/values.js';
import { recorded, recordedInfo } from '../support/recording.js';
import { startRecorded } from '../support/service.js';
import type { Service } from '../support/service.js';
import { plainTransactions, recordedChain, textOf } from '../support/slow-model.js';
import { plainChannels, plainContracts, plainQuestions } from '../support/slow-objects.js';
import { plainNames, plainNameTransactions } from '../support/slow-names.js';

const chain = recordedChain();
const contracts = [...plainContracts(chain)];
/** One whose calls were decoded by hand: `put_key("k1", 11)` is the first. */
const CALLED = contracts.find(([, { calls }]) => calls.length > 5)![0];
const names = plainNames(chain);
const lives = plainNameTransactions(chain);
/** The one with the most transactions. */
const NAME = names.reduce((most, one) => (lengthOf(one.name_hash) > lengthOf(most.name_hash) ? one : most));
const [ORACLE, questions] = [...plainQuestions(chain)].find(([, list]) =>
  list.some(({ response }) => response !== null),
)!;
const [CHANNEL, ofChannel] = [...plainChannels(chain)].find(([, list]) => list.length > 2)!;
const creator = textOf(contracts[0]![1].creation.tx['owner_id']);

function lengthOf(hash: string): number {
  return lives.get(hash)?.length ?? 0;
}

describe(`the explorer on the recorded chain${browserProgram === undefined ? ' (skipped: no Chromium here)' : ''}`, () => {
  if (browserProgram === undefined) return void it.skip('shows the chain');
  let service: Service;
  let browser: Browser;
  let window: ExplorerWindow;

  before(async () => {
    [service, browser] = await Promise.all([startRecorded(), startBrowser()]);
    window = await openExplorer(browser, service.url);
  });
  after(async () => {
    await browser.close();
    await service.close();
  });
  afterEach(() => expect(window.faults).to.deep.equal([]));

  const show = (address: string): Promise<void> => window.show(address);
  const text = (): Promise<string> => window.text();
  const heights = (): Promise<string[]> => window.page.locator('.life .height').allInnerTexts();

  it('shows the owner of a contract, its code and its calls', async () => {
    const { creation, calls } = contracts.find(([id]) => id === CALLED)![1];
    const rows = window.page.locator('[aria-label=Calls] tbody tr');
    await show(`#/contract/${CALLED}`);
    expect(await rows.count()).to.equal(Math.min(calls.length + 1, 20));
    // Calls are decoded a moment after they are loaded.
    while (!(await text()).includes('put_key("k1", 11) → 11')) {
      await window.page.reload();
      await window.loaded();
    }
    for (const id of [textOf(creation.tx['owner_id']), creation.hash])
      expect(await window.page.locator(`a[title="${id}"]`).count(), id).to.be.at.least(1);
    const { bytecode } = JSON.parse(recorded(`/v2/contracts/${CALLED}/code`)) as { bytecode: string };
    expect(await text()).to.contain(bytes(Buffer.from(bytecode.slice(3), 'base64').length - 4));
    // Newest first, and last how it was made.
    expect(await rows.last().innerText()).to.contain('the contract was made');
    expect(await rows.nth(-2).innerText()).to.contain('put_key("k1", 11) → 11');
    expect(await text()).to.contain('123456789012345678901234567890');

    await show(`#/transaction/${calls[0]!.hash}`);
    expect(await text()).to.contain('put_key("k1", 11)');
  });

  it('shows a call that failed as failed, with the reason of the contract, and marks it in lists', async () => {
    const calls = plainTransactions(chain)
      .filter(({ type }) => type === 'ContractCallTx')
      .reverse();
    const infoOf = (hash: string) =>
      (JSON.parse(recordedInfo(hash) ?? '{}') as { call_info?: { return_type: string; return_value: string } })
        .call_info;
    const failed = calls.find(({ hash }) => infoOf(hash)?.return_type === 'revert')!;
    const value = Buffer.from(infoOf(failed.hash)!.return_value.slice(3), 'base64').subarray(0, -4);
    await show(`#/transaction/${failed.hash}`);
    expect(await window.page.locator('.badge.bad').innerText()).to.contain('Failed');
    const note = window.page.locator('.note.bad');
    expect(await note.locator('b').innerText()).to.equal(readValue(value).value);
    // Above the fold.
    expect((await note.boundingBox())!.y).to.be.below(300);

    const marks = window.page.locator('[aria-label=Transactions] .st.bad');
    const expected = calls.filter(({ hash }) => ['revert', 'error'].includes(infoOf(hash)?.return_type ?? ''));
    const page = 1 + Math.floor(calls.indexOf(failed) / 20);
    // Calls get their results a moment after they are loaded.
    do await show(`#/transactions?type=ContractCallTx&page=${page}`);
    while (!(await marks.count()));
    const rows = window.page.locator('[aria-label=Transactions] tbody tr', { has: window.page.locator('.st.bad') });
    const links = await rows.locator('td:last-child a').all();
    const shown = await Promise.all(links.map((link) => link.getAttribute('title')));
    expect(shown).to.include(failed.hash);
    expect(expected.map(({ hash }) => hash)).to.include.members(shown);
    expect(await rows.first().innerText()).to.contain('failed');
  });

  it('shows what an account owns', async () => {
    await show(`#/account/${creator}?tab=names`);
    const section = (title: string) =>
      window.page.locator('section', { has: window.page.getByRole('heading', { name: title }) });
    const owned = names.filter(({ owner, revoked }) => owner === creator && !revoked).map(({ name }) => name);
    for (const name of owned.slice(0, 3)) expect(await section('Names that it owns').innerText()).to.contain(name);
    await show(`#/account/${creator}?tab=contracts`);
    const shown = await section('Contracts that it created').locator('td:first-child a').all();
    const ids = await Promise.all(shown.map((link) => link.getAttribute('title')));
    const created = contracts
      .filter(([, { creation }]) => creation.type === 'ContractCreateTx' && creation.tx['owner_id'] === creator)
      .filter(([, { creation }]) => recordedInfo(creation.hash)!.includes('"return_type":"ok"'))
      .map(([id]) => id);
    expect(created).to.have.length.above(0);
    expect(ids).to.have.members(created);

    await show(`#/account/${ORACLE.replace('ok_', 'ak_')}?tab=oracle`);
    expect(await section('Oracle').innerText()).to.contain(ORACLE);
  });

  it('shows the history of a name, newest first, and its future events', async () => {
    await show(`#/name/${NAME.name}`);
    const life = lives.get(NAME.name_hash)!.map(({ block_height }) => integer(block_height as number));
    const [expires, ...past] = await heights();
    expect(past).to.deep.equal(life);
    expect(expires).to.match(/^in about \d+ days \(\d/);
    expect(await text()).to.contain(NAME.owner);

    const auction = names.find(({ auction_end_height: end, created_at_height: start }) => end > 214 && end > start)!;
    await show(`#/name/${auction.name}`);
    expect((await heights()).slice(0, 2).every((height) => height.startsWith('in about'))).to.equal(true);
    expect(await text()).to.contain(`with generation ${integer(auction.auction_end_height)}`);
    expect(await text()).to.contain(`${inAe(auction.winningBid as bigint)} AE`);
  });

  it('shows the queries of an oracle and their responses', async () => {
    await show(`#/oracle/${ORACLE}`);
    for (const { request, response } of questions as { request: Texts; response: Texts | null }[]) {
      expect(await text()).to.contain(request['query']!);
      if (response !== null) expect(await text()).to.contain(`→ ${response['response']!}`);
    }
  });

  it('shows the history of a channel', async () => {
    await show(`#/channel/${CHANNEL}`);
    expect(await heights()).to.deep.equal(ofChannel.map(({ height }) => integer(height)));
    expect(await text()).to.contain(textOf(ofChannel[0]!.effective['initiator_id']));
  });

  it('shows the status of the service and of its node', async () => {
    await show('#/status');
    for (const said of [
      'complete and follows the head',
      'ae_mdwtest',
      '7.2.2',
      'up to generation 214',
      '0 key blocks',
    ]) {
      expect(await text()).to.contain(said);
    }
  });

  for (const [device, options] of Object.entries({ desk: DESK, phone: PHONE })) {
    it(`has its pages of objects within the width of a ${device}, free of what axe finds`, async () => {
      const other = await openExplorer(browser, service.url, options);
      const wrapped = await wrappedTransaction();
      const addresses = {
        ...{ contract: `contract/${CALLED}`, account: `account/${creator}`, name: `name/${NAME.name}` },
        ...{ oracle: `oracle/${ORACLE}`, channel: `channel/${CHANNEL}`, status: 'status', wrapped },
      };
      for (const [name, address] of Object.entries(addresses)) {
        await other.show(`#/${address}`);
        await other.expectAccessible(name);
      }
      expect(other.faults).to.deep.equal([]);
      await other.close();
    });
  }

  /** One that a generalized account sent. */
  async function wrappedTransaction(): Promise<string> {
    const url = `${service.url}/middleware/transactions/interval/0/214?txtype=GAMetaTx&limit=1&page=1`;
    const { transactions } = (await (await fetch(url)).json()) as { transactions: { hash: string }[] };
    return `transaction/${transactions[0]!.hash}`;
  }
});

type Texts = Record<string, string>;
