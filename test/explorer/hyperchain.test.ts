import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { browserProgram, startBrowser } from '../support/browser.js';
import { openExplorer } from '../support/explorer.js';
import type { ExplorerWindow } from '../support/explorer.js';
import { startGenerated } from '../support/service.js';
import type { Service } from '../support/service.js';

const HEAD = 12;

describe(`the explorer on a hyperchain${browserProgram === undefined ? ' (skipped: no Chromium here)' : ''}`, () => {
  if (browserProgram === undefined) return void it.skip('shows the chain');
  let service: Service;
  let browser: Browser;
  let window: ExplorerWindow;

  before(async () => {
    [service, browser] = await Promise.all([
      startGenerated({ seed: 'explorer', generations: HEAD, accounts: 12, consensus: 'hyperchain' }),
      startBrowser(),
    ]);
    window = await openExplorer(browser, service.url);
  });
  after(async () => {
    await browser.close();
    await service.close();
  });
  afterEach(() => expect(window.faults).to.deep.equal([]));

  it('shows a transaction in the generation of its micro block, which says the next height', async () => {
    const answer = await fetch(`${service.url}/middleware/transactions/interval/5/5`);
    const { transactions } = (await answer.json()) as { transactions: { hash: string; block_height: number }[] };
    expect(transactions[0]!.block_height).to.equal(6);
    await window.show(`#/transaction/${transactions[0]!.hash}`);
    expect(await window.text()).to.match(/generation\s+5\b/);
    expect(await window.page.locator('main a[href="#/generation/5"]').count()).to.be.at.least(1);
  });

  it('shows a new micro block in the running generation, and does not count a height for it', async () => {
    await window.show(`#/generation/${HEAD}`);
    const blocks = async (): Promise<string> => /Micro blocks\s+(\d+)/.exec(await window.text())![1]!;
    const before = Number(await blocks());
    await service.devnode.addMicroBlock({ txs: 2 });
    while (Number(await blocks()) === before);
    expect(await window.page.locator('.live b').innerText()).to.equal(String(HEAD));
  });

  it('shows amounts in the coin of the network', async () => {
    await window.show('#/transactions');
    await window.page.getByText('Fee, HYC').waitFor();
    expect(await window.text()).to.not.match(/\bAE\b/);
    const answer = await fetch(`${service.url}/middleware/transactions/interval/5/5`);
    const { transactions } = (await answer.json()) as { transactions: { hash: string; tx: { type: string } }[] };
    const spend = transactions.find(({ tx }) => tx.type === 'SpendTx')!;
    await window.show(`#/transaction/${spend.hash}`);
    await window.page.locator('.amount', { hasText: 'HYC' }).first().waitFor();
    expect(await window.text()).to.not.match(/\bAE\b/);
  });

  it('shows the contracts and accounts that are there from the first block on', async () => {
    const contracts = await fetch(`${service.devnode.externalUrl}/v3/hyperchain/contracts`);
    const { election } = (await contracts.json()) as { election: string };
    await window.show(`#/contract/${election}`);
    await window.page.getByText('within a call, or before the first block').waitFor();
    expect(await window.text()).to.contain('in all, newest first');
    const block = await fetch(`${service.url}/v2/key-blocks/height/5`);
    const { miner } = (await block.json()) as { miner: string };
    await window.show(`#/account/${miner}`);
    await window.page
      .getByText(/1\s000\s000\sHYC/)
      .first()
      .waitFor();
  });

  it('shows no coins from key blocks, because no table says them', async () => {
    await window.show('#/');
    // The figures come with an answer of their own.
    await window.page.getByText('Between key blocks').first().waitFor();
    expect(await window.text()).to.not.contain('Coins from key blocks');
  });
});
