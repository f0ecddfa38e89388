import { expect } from 'chai';
import { decodeId, encodeId } from '../../../src/chain/encoding/encoding.js';
import { below, pagesOf, recordedService, rowsOf } from '../../support/compat.js';
import type { Page, RecordedService } from '../../support/compat.js';
import { LIARS, recordedTokens, tokenStates } from '../../support/recorded-tokens.js';
import type { TokenState } from '../../support/recorded-tokens.js';

/** Of each token the last state, as far as its events tell it. */
const last = [...new Map(tokenStates.map((state) => [state.token, state])).values()];
const ofAex9 = ({ label, balances }: TokenState): boolean => balances !== undefined && !LIARS.includes(label);
const bytesOf = (account: string): string => Buffer.from(decodeId(account)).toString('hex');
const isHeld = ([, amount]: readonly [string, string]): boolean => amount !== '0';

describe('tokens in the compatible API', () => {
  let service: RecordedService;

  before(async () => (service = await recordedService('realnode-tokens')));
  after(() => service.close());

  const json = (path: string): Promise<Record<string, unknown>> =>
    service.api.json(below(path)) as Promise<Record<string, unknown>>;

  it('of AEX-9 are as they say of themselves, and listed by name, symbol and creation', async () => {
    const all = await rowsOf(service.api, '/v3/aex9?limit=100&int-as-string=true');
    expect(await json('/v3/aex9/count')).to.deep.equal({ data: all.length });
    // One more was created in a meta transaction: nothing is recorded of it.
    expect(all).to.have.length(Object.values(recordedTokens).filter((token) => token.aex9_extensions).length + 1);
    for (const [id, { label, aex9_extensions: extensions, meta_info: info }] of Object.entries(recordedTokens)) {
      if (extensions === undefined) continue;
      const row = all.find(({ contract_id: contract }) => contract === id)!;
      const { name, symbol, decimals } =
        'failed' in info! ? { name: 'out_of_gas_error', symbol: 'out_of_gas_error', decimals: null } : info!;
      expect(row, label).to.include({ name, symbol, decimals, invalid: false });
      if (!('failed' in info!)) expect(row['extensions'], label).to.deep.equal(extensions);
      expect(await json(`/v3/aex9/${id}?int-as-string=true`)).to.deep.equal(row);
      expect(await json(`/v2/aex9/${id}?int-as-string=true`)).to.deep.equal(row);
    }
    for (const by of ['name', 'symbol', 'creation']) {
      const rows = await rowsOf(service.api, `/v3/aex9?by=${by}&direction=forward&limit=7`);
      expect(rows.map(({ contract_id: id }) => id)).to.have.members(all.map(({ contract_id: id }) => id));
      expect(await rowsOf(service.api, `/v3/aex9?by=${by}&limit=4`)).to.deep.equal([...rows].reverse());
      const pages = await pagesOf(service.api, `/v3/aex9?by=${by}&direction=forward&limit=3`);
      const before = (await service.api.json(below(pages[2]!.prev!))) as Page;
      expect(before.data).to.deep.equal(pages[1]!.data);
    }
  });

  it('are found by the beginning of a name in any case, and by the whole name, whatever is in it', async () => {
    const found = async (query: string): Promise<unknown[]> =>
      (await rowsOf(service.api, `/v3/aex9?${query}`)).map(({ name }) => name);
    expect(await found('prefix=MADE&direction=forward')).to.deep.equal(['Made One', 'Made Three', 'Made Two']);
    expect(await found('exact=Made%20One')).to.deep.equal(['Made One']);
    expect(await found('exact=made%20one')).to.deep.equal([]);
    expect(await found('by=symbol&prefix=rc')).to.deep.equal(['Recorded Coin 23']);
    expect(await found('by=symbol&exact=RC23')).to.deep.equal(['Recorded Coin 23']);
    expect(await found('exact=nulbyte')).to.deep.equal([]);
    for (const { meta_info: info } of Object.values(recordedTokens)) {
      if (info === undefined || 'failed' in info || info.decimals === undefined) continue;
      if (info.name === '' || info.name.length > 1_000 || info.name.includes('\0')) continue;
      expect(await found(`exact=${encodeURIComponent(info.name)}`)).to.include(info.name);
    }
  });

  it('have the balances that they say themselves after each recorded micro block, but for liars', async () => {
    for (const { token, label, hash, balances } of tokenStates.filter(ofAex9)) {
      const rows = await rowsOf(
        service.api,
        `/v3/aex9/${token}/balances?block_hash=${hash}&limit=100&int-as-string=true`,
      );
      const expected = Object.fromEntries(Object.entries(balances!).filter(isHeld));
      expect(
        Object.fromEntries(rows.map((row) => [row['account_id'], row['amount']])),
        `${label} ${hash}`,
      ).to.deep.equal(expected);
    }
  });

  it('have the balances, supply and holders of the last block, by account and by amount', async () => {
    for (const { token, label, balances, total_supply: supply } of last.filter(ofAex9)) {
      const held = Object.entries(balances!).filter(isHeld);
      const path = `/v3/aex9/${token}/balances?direction=forward&limit=3&int-as-string=true`;
      const shown = async (query: string) =>
        (await rowsOf(service.api, `${path}${query}`)).map((row) => [row['account_id'], row['amount']]);
      const byKey = [...held].sort(([a], [b]) => (bytesOf(a) < bytesOf(b) ? -1 : 1));
      expect(await shown(''), label).to.deep.equal(byKey);
      const byAmount = [...byKey].sort(([, a], [, b]) => (BigInt(a) < BigInt(b) ? -1 : BigInt(a) > BigInt(b) ? 1 : 0));
      expect(await shown('&by=amount'), label).to.deep.equal(byAmount);
      expect(await json(`/v3/aex9/${token}?int-as-string=true`), label).to.include({
        event_supply: supply,
        holders: String(held.length),
      });
      for (const [account, amount] of Object.entries(balances!))
        expect(await json(`/v3/aex9/${token}/balances/${account}?int-as-string=true`)).to.deep.equal({
          contract: token,
          account,
          amount,
        });
    }
  });

  it('of an account are all that it holds, with the event that changed them last', async () => {
    const accounts = new Set(last.filter(ofAex9).flatMap(({ balances }) => Object.keys(balances!)));
    for (const account of accounts) {
      const rows = await rowsOf(service.api, `/v3/accounts/${account}/aex9/balances?limit=2&int-as-string=true`);
      expect(
        await rowsOf(service.api, `/v2/aex9/account-balances/${account}?limit=100&int-as-string=true`),
      ).to.deep.equal(rows);
      const amounts = new Map(rows.map((row) => [row['contract_id'], row['amount']]));
      for (const { token, balances, label } of last.filter(ofAex9))
        expect(amounts.get(token) ?? '0', `${label} ${account}`).to.equal(balances![account] ?? '0');
      for (const row of rows) {
        const { hash, block_hash, block_height, tx } = (await json(
          `/v3/transactions/${String(row['tx_hash'])}?int-as-string=true`,
        )) as { hash: string; block_hash: string; block_height: string; tx: { type: string } };
        expect(row).to.include({ tx_hash: hash, block_hash, height: block_height });
        expect(tx.type.replaceAll('_', '').toLowerCase()).to.equal(String(row['tx_type']).replaceAll('_', ''));
      }
    }
  });

  it('refuse what is no token, and malformed parameters', async () => {
    const [looks] = Object.entries(recordedTokens).find(([, { label }]) => label === 'looks')!;
    const [nft] = Object.entries(recordedTokens).find(([, { label }]) => label === 'nft2')!;
    const account = encodeId('ak', Buffer.alloc(32, 7));
    const token = last.find(ofAex9)!.token;
    for (const [path, status, error] of [
      [`/v3/aex9/${looks}`, 404, `not found: ${looks}`],
      [`/v3/aex9/${nft}`, 404, `not found: ${nft}`],
      [`/v3/aex9/${looks}/balances`, 400, `not AEX9 contract: ${looks}`],
      [`/v3/aex9/${nft}/balances/${account}`, 400, `not AEX9 contract: ${nft}`],
      [`/v3/aex9/${account}`, 400, `invalid id: ${account}`],
      [`/v3/aex9?by=age`, 400, 'invalid query: by=age'],
      [`/v3/aex9?prefix=a&exact=b`, 400, 'invalid query: prefix excludes exact'],
      [`/v3/aex9/${token}/balances?block_hash=mh_x`, 400, 'invalid hash: mh_x'],
    ] as const) {
      const answer = await service.api.get(below(path));
      expect(answer.status, path).to.equal(status);
      expect((JSON.parse(answer.body) as { error: string }).error).to.equal(error);
    }
    expect(await json(`/v3/aex9/${token}/balances/${account}`)).to.deep.equal({
      contract: token,
      account,
      amount: null,
    });
  });
});
