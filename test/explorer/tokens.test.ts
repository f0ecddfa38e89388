import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { encodeId } from '../../src/chain/encoding/encoding.js';
import { bytesOfWord } from '../../src/chain/encoding/words.js';
import { browserProgram, startBrowser } from '../support/browser.js';
import { recordedService } from '../support/compat.js';
import type { RecordedService } from '../support/compat.js';
import { DESK, PHONE, openExplorer } from '../support/explorer.js';
import type { ExplorerWindow } from '../support/explorer.js';
import { LIARS, recordedTokens, tokenStates } from '../support/recorded-tokens.js';
import { tamper } from '../support/roles.js';

const byLabel = Object.fromEntries(Object.entries(recordedTokens).map(([id, { label }]) => [label, id]));
const lastOf = (label: string) => tokenStates.findLast((state) => state.label === label)!;
const HOSTILE = ['plainRtl77', 'plainLong', 'plainEmpty', 'plainHtml', 'plainNul', 'noMeta', 'liar'];
/** Characters that would change how the text around them is shown. */
const CONTROLS = /[\0-\x08\x0b-\x1f\u202a-\u202e\u2066-\u2069]/;

describe(`tokens in the explorer${browserProgram === undefined ? ' (skipped: no Chromium here)' : ''}`, () => {
  if (browserProgram === undefined) return void it.skip('shows tokens');
  let service: RecordedService;
  let browser: Browser;
  let window: ExplorerWindow;

  before(async () => {
    [service, browser] = await Promise.all([recordedService('realnode-tokens'), startBrowser()]);
  });
  after(async () => {
    await browser.close();
    await service.close();
  });
  const open = async (device: typeof DESK | typeof PHONE): Promise<void> => {
    window = await openExplorer(browser, `http://127.0.0.1:${service.api.port}`, device);
  };
  beforeEach(() => open(DESK));
  afterEach(async () => {
    await window.close();
    expect(window.faults).to.deep.equal([]);
  });
  const text = (): Promise<string> => window.text();
  const count = (selector: string): Promise<number> => window.page.locator(selector).count();

  it('have a page with supply, holders by amount with their part, and transfers', async () => {
    const { balances } = lastOf('tokenB');
    const held = Object.entries(balances!).filter(([, amount]) => amount !== '0');
    await window.show(`#/token/${byLabel['tokenB']}`);
    expect(await window.page.locator('h1').innerText()).to.equal('Second Coin');
    const [most, amount] = held.reduce((a, b) => (BigInt(a[1]) >= BigInt(b[1]) ? a : b));
    const [row] = await window.page.locator('[aria-label=Holders] tbody tr').all();
    expect(await row!.locator(`a[title="${most}"]`).count()).to.equal(1);
    // Six decimals.
    const shown = await row!.locator('.num').getAttribute('data-exact');
    expect(shown!.replaceAll(/[^\d.]/g, '')).to.equal(
      String(BigInt(amount) / 10n ** 6n) + `.${amount.padStart(7, '0').slice(-6)}`.replace(/\.?0+$/, ''),
    );
    expect(await count('[aria-label=Holders] tbody tr')).to.equal(Math.min(held.length, 20));
    await window.show(`#/token/${byLabel['tokenA']}?tab=transfers`);
    expect(await count('[aria-label=Transfers] tbody tr')).to.be.above(10);
    expect(await text()).to.contain('RC23');
  });

  it('are shown safely, whatever they say of themselves', async () => {
    for (const device of [DESK, PHONE]) {
      await window.close();
      await open(device);
      for (const label of HOSTILE) {
        await window.show(`#/token/${byLabel[label]}`);
        await window.expectAccessible(label);
        const page = await text();
        expect(page, label).to.not.match(CONTROLS);
        expect(page.length, label).to.be.below(3_000);
        expect((await window.page.locator('h1').innerText()).trim(), label).to.not.equal('');
        expect(page.includes('other balances than its events'), label).to.equal(LIARS.includes(label));
      }
      await window.show(`#/token/${byLabel['plainHtml']}`);
      expect(await window.page.locator('h1').innerText()).to.equal('<script>alert(1)</script>');
      await window.show('#/tokens');
      await window.expectAccessible('tokens');
      await window.show('#/tokens?kind=aex141');
      await window.expectAccessible('collections');
      for (const label of ['nftMap', 'nftUrl', 'nftObj', 'nft2', 'tokenA']) {
        await window.show(`#/token/${byLabel[label]}`);
        await window.expectAccessible(label);
      }
      await window.show(`#/token/${byLabel['tokenA']}?tab=transfers`);
      await window.expectAccessible('transfers');
    }
  });

  it('are listed, found by the beginning of a name, and sorted', async () => {
    await window.show('#/tokens');
    expect(await count('[aria-label=Tokens] tbody tr')).to.equal(20);
    await window.page.getByRole('link', { name: 'Next' }).click();
    await window.page.getByRole('link', { name: 'First' }).click();
    await window.page.getByRole('link', { name: 'Next' }).waitFor();
    await window.page.getByLabel('Name begins with').fill('made');
    await window.page.keyboard.press('Enter');
    await window.page.locator('[aria-label=Tokens] tbody tr').nth(3).waitFor({ state: 'detached' });
    expect(await window.page.locator('[aria-label=Tokens] tbody td.a').allInnerTexts()).to.deep.equal([
      'Made One',
      'Made Three',
      'Made Two',
    ]);
    await window.page.getByRole('link', { name: 'Made Two' }).click();
    await window.page.getByRole('heading', { level: 1, name: 'Made Two' }).waitFor();
    await window.show('#/tokens?kind=aex141');
    expect(await text()).to.contain('Pictures 23');
  });

  it('of a collection have owners, and nothing is asked of other hosts', async () => {
    const { owners } = lastOf('nftMap');
    await window.show(`#/token/${byLabel['nftMap']}`);
    const rows = window.page.locator('[aria-label="Tokens of the collection"] tbody tr');
    expect(await rows.count()).to.equal(Math.min(Object.keys(owners!).length, 20));
    const [id, owner] = Object.entries(owners!).sort(([a], [b]) => (BigInt(a) < BigInt(b) ? -1 : 1))[0]!;
    expect(await rows.first().innerText()).to.contain(`#${id}`);
    expect(await rows.first().locator(`a[title="${owner}"]`).count()).to.equal(1);
    expect(await text()).to.contain('ipfs://base/23');
    expect(await count('img')).to.equal(0);
  });

  it('of a collection show metadata and an address of a picture on a click alone', async () => {
    const asked: string[] = [];
    await window.page.route('**/mdw/v3/aex141/**', (route) => {
      asked.push(route.request().url());
      return route.fulfill({
        json: {
          metadata: {
            map: { name: '\u202eevil', image: 'https://pictures.example/1.png', link: 'javascript:alert(1)' },
          },
        },
      });
    });
    await window.show(`#/token/${byLabel['nftMap']}`);
    expect(asked).to.deep.equal([]);
    await window.page
      .getByRole('button', { name: /Metadata/ })
      .first()
      .click();
    const link = window.page.getByRole('link', { name: /pictures\.example/ });
    await link.waitFor();
    expect(asked).to.have.length(1);
    expect(await link.getAttribute('rel')).to.equal('noopener noreferrer');
    expect(await count('[href^="javascript"]')).to.equal(0);
    expect(await text()).to.not.match(CONTROLS);
    await window.expectAccessible('metadata');
  });

  it('of a collection show the metadata that it told', async () => {
    for (const [label, shown] of [
      ['nftMap', 'Picture 0'],
      ['nftUrl', 'Open at example.invalid'],
    ] as const) {
      await window.show(`#/token/${byLabel[label]}`);
      const button = window.page.getByRole('button', { name: /Metadata/ });
      await button.first().click();
      await window.page.getByText(shown).waitFor();
    }
  });

  it('are on the page of an account that holds them, and of their contract', async () => {
    const { balances } = lastOf('tokenB');
    const [account] = Object.entries(balances!).find(([, amount]) => amount !== '0')!;
    await window.show(`#/account/${account}?tab=tokens`);
    expect(await window.page.locator('[aria-label=Tokens] tbody').innerText()).to.contain('Second Coin');
    await window.expectAccessible('holdings');
    const [owner] = Object.values(lastOf('nftMap').owners!);
    await window.show(`#/account/${owner}?tab=tokens`);
    expect(await window.page.locator('[aria-label="Tokens of collections"] tbody').innerText()).to.contain('#');
    for (const label of ['tokenB', 'childMade']) {
      await window.show(`#/contract/${byLabel[label]}`);
      await window.page.getByRole('link', { name: recordedName(label) }).click();
      await window.page.getByRole('heading', { level: 1, name: recordedName(label) }).waitFor();
    }
  });

  it('have the swaps that were made of them, and an account those that it made', async () => {
    interface Row {
      caller: string;
      from_token: string;
      from_amount: string;
      from_decimals: string;
      tx_hash: string;
    }
    const swapsAt = async (path: string): Promise<Row[]> =>
      ((await service.api.json(`/mdw/v3/${path}/swaps?limit=20&int-as-string=true`)) as { data: Row[] }).data;
    const rows = '[aria-label=Swaps] tbody tr';
    const shownAt = async (at: number): Promise<string> =>
      (await window.page.locator(rows).nth(at).locator('.num').first().getAttribute('data-exact'))!;
    const ofToken = await swapsAt(`dex/${byLabel['tokenB']}`);
    expect(ofToken).to.have.length.above(1);
    for (const device of [DESK, PHONE]) {
      await window.close();
      await open(device);
      await window.show(`#/token/${byLabel['tokenB']}?tab=swaps`);
      await window.page.locator(rows).first().waitFor();
      expect(await count(rows)).to.equal(ofToken.length);
      for (const [at, { from_amount: amount, from_decimals: decimals }] of ofToken.entries()) {
        const [whole, fraction = ''] = (await shownAt(at)).replaceAll(/[^\d.]/g, '').split('.');
        expect(BigInt(whole + fraction.padEnd(Number(decimals), '0'))).to.equal(BigInt(amount));
      }
      await window.expectAccessible('swaps of a token');
      const { caller } = ofToken[0]!;
      await window.show(`#/account/${caller}?tab=swaps`);
      await window.page.locator(rows).first().waitFor();
      expect(await count(rows)).to.equal((await swapsAt(`accounts/${caller}/dex`)).length);
      expect(await window.page.locator(rows).first().innerText()).to.contain(ofToken[0]!.from_token);
      await window.expectAccessible('swaps of an account');
    }
    await window.show(`#/token/${byLabel['plain0']}?tab=swaps`);
    await window.page.getByText('There are none.').waitFor();
    expect(await count(`${rows} a`)).to.equal(0);
  });

  it('have the course of their supply, unless their events do not tell it', async () => {
    const drawn = async (label: string): Promise<number> => {
      await window.show(`#/token/${byLabel[label]}`);
      return count('[aria-label="Course of the supply"] [aria-label^="Supply after"]');
    };
    const changes = async (label: string): Promise<unknown[]> =>
      ((await service.api.json(`/middleware/tokens/${byLabel[label]}/supply`)) as { rows: unknown[] }).rows;
    const labels = ['tokenA', 'tokenB', 'waex', 'plain0', 'nftMap', ...LIARS];
    const shown = new Set<number>();
    for (const label of labels) {
      const expected = label !== 'nftMap' && (await changes(label)).length > 0 ? 1 : 0;
      expect(await drawn(label), label).to.equal(expected);
      shown.add(expected);
      await window.expectAccessible(label);
    }
    expect([...shown].sort()).to.deep.equal([0, 1]);
  });

  it('have allowances, as they told them, and an account those that it gave and those that it has', async () => {
    const allowed = Object.entries(recordedTokens).flatMap(([contract, { allowances, meta_info: info }]) =>
      Object.values(allowances ?? []).map(([{ from_account: owner, for_account: spender }, amount]) => {
        const { name, decimals } = info as { name: string; decimals: string };
        return { contract, owner, spender, amount, name, decimals: Number(decimals) };
      }),
    );
    expect(allowed).to.have.length.above(4);
    const amounts = async (label: string): Promise<string[]> => {
      await window.page.locator(`[aria-label="${label}"] tbody tr`).first().waitFor();
      const nums = await window.page.locator(`[aria-label="${label}"] tbody .num`).all();
      const exact = await Promise.all(nums.map(async (num) => (await num.getAttribute('data-exact'))!));
      return exact.map((text) => text.replaceAll(/[^\d.]/g, '')).sort();
    };
    const written = ({ amount, decimals }: (typeof allowed)[number]): string => {
      const digits = amount.padStart(decimals + 1, '0');
      return `${digits.slice(0, digits.length - decimals)}.${decimals === 0 ? '' : digits.slice(-decimals)}`.replace(
        /\.?0*$/,
        '',
      );
    };
    const [one] = allowed;
    for (const device of [DESK, PHONE]) {
      await window.close();
      await open(device);
      await window.show(`#/token/${one!.contract}?tab=allowances`);
      const ofToken = allowed.filter(({ contract }) => contract === one!.contract);
      expect(await amounts('Allowances')).to.deep.equal(ofToken.map(written).sort());
      await window.expectAccessible('allowances of a token');
      for (const [side, label] of [
        ['owner', 'It allows others'],
        ['spender', 'Others allow it'],
      ] as const) {
        await window.show(`#/account/${one![side]}?tab=allowances`);
        const own = allowed.filter((other) => other[side] === one![side]);
        expect(await amounts(label)).to.deep.equal(own.map(written).sort());
        expect(await window.page.locator(`[aria-label="${label}"] tbody`).first().innerText()).to.contain(one!.name);
        await window.expectAccessible(label);
      }
    }
    await window.show(`#/account/${idOfWord(5n)}`);
    expect(await window.page.getByRole('tab', { name: 'Allowances' }).count()).to.equal(0);
  });

  it('of any name are shown safely among allowances, which are marked where only their event tells them', async () => {
    await tamper(service.database, [
      `INSERT INTO token_allowances (contract_id, owner, spender, amount, position, log_index, due_at)
      SELECT contract_id, 77, 78, 5, position, 0, 'infinity' FROM tokens WHERE contract_id IN (${HOSTILE.map((label) => `'${byLabel[label]}'`).join()})`,
    ]);
    for (const device of [DESK, PHONE]) {
      await window.close();
      await open(device);
      await window.show(`#/account/${idOfWord(77n)}?tab=allowances`);
      expect(await count('[aria-label="It allows others"] tbody tr')).to.equal(HOSTILE.length);
      const page = await text();
      expect(page).to.contain('by its event');
      expect(page).to.contain('<script>alert(1)</script>');
      expect(page).to.not.match(CONTROLS);
      expect(page.length).to.be.below(3_000);
      await window.expectAccessible('allowances of any name');
    }
  });

  it('are no page for a contract that is none', async () => {
    await window.show(`#/token/${byLabel['looks']}`);
    expect(await text()).to.contain('no token');
    await window.page.getByRole('link', { name: 'Open', exact: true }).first().click();
    await window.page.getByRole('heading', { level: 1, name: 'Contract' }).waitFor();
  });
});

/** The account whose key is a number. */
const idOfWord = (word: bigint): string => encodeId('ak', bytesOfWord(word));

function recordedName(label: string): string {
  const info = recordedTokens[byLabel[label]!]!.meta_info!;
  return 'failed' in info ? '' : info.name;
}
