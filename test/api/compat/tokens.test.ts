import { expect } from 'chai';
import { decodeId, encodeId } from '../../../src/chain/encoding/encoding.js';
import { eventHash } from '../../../src/chain/event-names.js';
import { tokenMove } from '../../../src/chain/tokens/events.js';
import { below, pagesBefore, pagesOf, recordedService, rowsOf } from '../../support/compat.js';
import type { Page, RecordedService } from '../../support/compat.js';
import { decodeAll } from '../../support/decoding.js';
import { recordedLogs } from '../../support/recorded-logs.js';
import { LIARS, recordedTokens, tokenStates } from '../../support/recorded-tokens.js';
import type { TokenState } from '../../support/recorded-tokens.js';
import { recordedNode } from '../../support/recorded-node.js';
import { tamper } from '../../support/roles.js';

/** Of each token the last state, as far as its events tell it. */
const last = [...new Map(tokenStates.map((state) => [state.token, state])).values()];
const ofAex9 = ({ label, balances }: TokenState): boolean => balances !== undefined && !LIARS.includes(label);
const bytesOf = (account: string): string => Buffer.from(decodeId(account)).toString('hex');
const ofWord = (word: bigint | number): string =>
  encodeId('ak', Buffer.from(BigInt(word).toString(16).padStart(64, '0'), 'hex'));
const TRANSFER = eventHash('Transfer');
const idOf = (row: Record<string, unknown>): unknown[] => [row['tx_hash'], row['log_idx']];
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
      expect(row, label).to.include({ name, symbol, decimals, invalid: LIARS.includes(label) });
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

  it('are invalid where their events do not tell their balances, and hold what they told then', async () => {
    for (const { token, label, hash, balances } of last.filter(({ label }) => LIARS.includes(label))) {
      const row = await json(`/v3/aex9/${token}?int-as-string=true`);
      expect(row, label).to.include({ invalid: true, invalid_reason: 'balances_differ' });
      expect(row['invalid_description']).to.match(/other balances/);
      expect(row).to.include({
        holders: String(Object.values(balances!).length),
        event_supply: String(Object.values(balances!).reduce((sum, amount) => sum + BigInt(amount), 0n)),
      });
      const { rows } = await service.database.query<{ hash: string }>({
        name: 'test.top',
        text: 'SELECT hash FROM micro_blocks ORDER BY position DESC LIMIT 1',
      });
      for (const query of ['', `&block_hash=${rows[0]!.hash}`]) {
        const shown = await rowsOf(service.api, `/v3/aex9/${token}/balances?limit=100&int-as-string=true${query}`);
        expect(Object.fromEntries(shown.map((one) => [one['account_id'], one['amount']]))).to.deep.equal(balances);
        expect(new Set(shown.map((one) => one['verified']))).to.deep.equal(new Set([false]));
      }
      const before = await rowsOf(service.api, `/v3/aex9/${token}/balances?block_hash=${hash}&limit=100`);
      expect(before).to.have.length.above(0);
    }
  });

  it('are invalid where their events make a balance negative, and show it', async () => {
    const [id] = Object.entries(recordedTokens).find(([, { label }]) => label === 'liar')!;
    await tamper(service.database, [`SELECT take_back_checks(ARRAY['${id}'])`]);
    try {
      expect(await json(`/v3/aex9/${id}`)).to.include({ invalid: true, invalid_reason: 'negative_balances' });
      const shown = await rowsOf(service.api, `/v3/aex9/${id}/balances?by=amount&direction=forward&int-as-string=true`);
      expect(shown[0]!['amount']).to.match(/^-/);
    } finally {
      await decodeAll(service.database, recordedNode(undefined, 'realnode-tokens'));
    }
    expect(await json(`/v3/aex9/${id}`)).to.include({ invalid_reason: 'balances_differ' });
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
          verified: true,
        });
    }
  });

  it('are verified when the token was asked what it holds, not before', async () => {
    const { token, balances } = last.filter(ofAex9)[0]!;
    const [account] = Object.keys(balances!) as [string];
    const verified = async (): Promise<Set<unknown>> => {
      const { rows } = await service.database.query<{ hash: string }>({
        name: 'test.top',
        text: 'SELECT hash FROM micro_blocks ORDER BY position DESC LIMIT 1',
      });
      const lists = [
        `/v3/aex9/${token}/balances?limit=100`,
        `/v3/aex9/${token}/balances?by=amount&limit=100`,
        `/v3/aex9/${token}/balances?block_hash=${rows[0]!.hash}&limit=100`,
        `/v3/accounts/${account}/aex9/balances?limit=100`,
      ];
      const found = new Set<unknown>();
      for (const path of lists)
        for (const row of await rowsOf(service.api, path)) if (row['contract_id'] === token) found.add(row['verified']);
      return found.add((await json(`/v3/aex9/${token}/balances/${account}`))['verified']);
    };
    expect(await verified()).to.deep.equal(new Set([true]));
    await tamper(service.database, `UPDATE tokens SET matched = false WHERE contract_id = '${token}'`);
    try {
      expect(await verified()).to.deep.equal(new Set([false]));
    } finally {
      await tamper(service.database, `UPDATE tokens SET matched = true WHERE contract_id = '${token}'`);
    }
  });

  it('have a history of each balance, with a row for each generation that changed it', async () => {
    const heights = new Map<string, Map<number, TokenState>>();
    for (const state of tokenStates.filter(ofAex9))
      heights.set(state.token, (heights.get(state.token) ?? new Map<number, TokenState>()).set(state.height, state));
    let rows = 0;
    for (const [token, states] of heights) {
      const accounts = new Set([...states.values()].flatMap(({ balances }) => Object.keys(balances!)));
      for (const account of accounts) {
        const amounts = [...states].map(([height, { balances }]) => [height, balances![account] ?? '0'] as const);
        const expected = amounts.filter(([, amount], i) => amount !== (amounts[i - 1]?.[1] ?? '0'));
        const path = `/v3/aex9/${token}/balances/${account}/history?int-as-string=true`;
        const shown = await rowsOf(service.api, `${path}&direction=forward&limit=2`);
        expect(
          shown.map(({ height, amount }) => [Number(height), amount]),
          `${states.values().next().value!.label} ${account}`,
        ).to.deep.equal(expected);
        for (const row of shown) expect(row).to.include({ contract: token, account });
        expect(await rowsOf(service.api, path)).to.deep.equal([...shown].reverse());
        const [first] = shown;
        if (first !== undefined)
          expect(await rowsOf(service.api, `${path}&scope=gen:0-${String(first['height'])}`)).to.deep.equal([first]);
        rows += shown.length;
      }
    }
    expect(rows).to.be.above(60);
    const liar = last.find(({ label }) => label === 'liar')!;
    for (const [account, amount] of Object.entries(liar.balances!)) {
      const [newest] = await rowsOf(
        service.api,
        `/v3/aex9/${liar.token}/balances/${account}/history?int-as-string=true`,
      );
      expect(newest!['amount']).to.equal(amount);
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

  it('of AEX-9 have the transfers of their events, by sender, recipient, or both', async () => {
    const logs = recordedLogs('realnode-tokens').filter(
      ({ topics }) => topics.length === 4 && BigInt(topics[0]!) === TRANSFER,
    );
    for (const { token, label } of last.filter(({ balances }) => balances !== undefined)) {
      const own = logs.filter(({ contract_id: id }) => id === token).reverse();
      const ends = new Set(own.flatMap(({ topics }) => [BigInt(topics[1]!), BigInt(topics[2]!)]));
      for (const word of ends) {
        const account = ofWord(word);
        for (const [name, places] of [
          ['sender', [1]],
          ['recipient', [2]],
          ['account', [1, 2]],
        ] as const) {
          const path = `/v3/aex9/${token}/transfers?${name}=${account}&int-as-string=true`;
          const expected = own.filter(({ topics }) => places.some((place) => BigInt(topics[place]!) === word));
          const rows = await rowsOf(service.api, `${path}&limit=2`);
          expect(rows.map(idOf), `${label} ${name}`).to.deep.equal(
            expected.map((log) => [log.transaction_hash, String(log.log_index)]),
          );
          expect(rows.map(({ sender, recipient, amount }) => [sender, recipient, amount])).to.deep.equal(
            expected.map(({ topics }) => [ofWord(topics[1]!), ofWord(topics[2]!), String(topics[3])]),
          );
          expect(await rowsOf(service.api, `${path}&limit=3&direction=forward`)).to.deep.equal([...rows].reverse());
        }
        const whole = `/v3/accounts/${account}/aex9/transfers`;
        const ofAccount = own.filter(({ topics }) => [1, 2].some((place) => BigInt(topics[place]!) === word));
        const ofToken = await rowsOf(service.api, `${whole}?contract=${token}&limit=2`);
        expect(ofToken.map(idOf), label).to.deep.equal(ofAccount.map((log) => [log.transaction_hash, log.log_index]));
        const ofAll = await rowsOf(service.api, `${whole}?limit=3`);
        expect(ofAll.filter(({ contract_id: id }) => id === token)).to.deep.equal(ofToken);
        expect(await rowsOf(service.api, `${whole}?limit=100&direction=forward`)).to.deep.equal([...ofAll].reverse());
        for (const [direction, rows] of [
          ['backward', ofAll],
          ['forward', [...ofAll].reverse()],
        ] as const) {
          const pages = await pagesOf(service.api, `${whole}?limit=2&direction=${direction}`);
          const back = await pagesBefore(service.api, pages.at(-1)!);
          expect(back.flatMap(({ data }) => data)).to.deep.equal(rows);
        }
        const sent = await rowsOf(service.api, `/v2/aex9/transfers/from/${account}?limit=100`);
        expect(sent.length).to.be.at.least(own.filter(({ topics }) => BigInt(topics[1]!) === word).length);
        const [first] = sent;
        if (first === undefined) continue;
        const between = await rowsOf(
          service.api,
          `/v2/aex9/transfers/from-to/${account}/${String(first['recipient'])}?limit=100`,
        );
        expect(between).to.deep.equal(sent.filter(({ recipient }) => recipient === first['recipient']));
      }
    }
    const answer = await service.api.get(below(`/v3/aex9/${last.find(ofAex9)!.token}/transfers`));
    expect(answer.status).to.equal(400);
  });

  it('move in the activities of accounts, with mints and burns, by standard and page by page', async () => {
    const kinds = new Map(
      Object.entries(recordedTokens).map(([id, token]) => [
        id,
        token.aex9_extensions ? 9 : token.aex141_extensions ? 141 : 0,
      ]),
    );
    const moves = recordedLogs('realnode-tokens').flatMap((log) => {
      const move = tokenMove(log.topics.map(BigInt));
      const kind = kinds.get(log.contract_id) ?? 0;
      const isOf9 = move !== null && ['Swap', 'Deposit', 'Withdrawal'].includes(move.name);
      if (move === null || kind === 0 || (isOf9 && kind !== 9) || (move.name === 'TemplateMint' && kind !== 141))
        return [];
      return [{ ...move, ...log, is: kind }];
    });
    const words = new Set(moves.flatMap(({ from, to }) => [from ?? to!, to ?? from!]));
    expect(words.size).to.be.above(8);
    for (const word of words) {
      const path = `/v3/accounts/${ofWord(word)}/activities?int-as-string=true&direction=forward`;
      const own = moves.filter(({ from, to }) => from === word || to === word);
      for (const [type, is] of [
        ['aexn', [9, 141]],
        ['aex9', [9]],
        ['aex141', [141]],
      ] as const) {
        const expected = own.filter((move) => is.some((one) => one === move.is));
        const rows = await rowsOf(service.api, `${path}&type=${type}&limit=3`);
        expect(rows.map(({ type: shown }) => shown)).to.deep.equal(
          expected.map((move) => `Aex${move.is}TransferEvent`),
        );
        const payloads = rows.map(({ payload }) => payload as Record<string, unknown>);
        expect(payloads.map((row) => [row['tx_hash'], row['log_idx'], row['contract_id']])).to.deep.equal(
          expected.map((move) => [move.transaction_hash, String(move.log_index), move.contract_id]),
        );
        expect(
          payloads.map((row) => [row['sender_id'], row['recipient_id'], row['amount'] ?? row['token_id']]),
        ).to.deep.equal(
          expected.map((move) => [
            move.from === null ? `ak_${move.contract_id.slice(3)}` : ofWord(move.from),
            move.to === null ? null : ofWord(move.to),
            String(move.value),
          ]),
        );
        for (const row of payloads) {
          const token = recordedTokens[row['contract_id'] as string]!;
          if ('failed' in token.meta_info!) continue;
          expect(row).to.include({ token_name: token.meta_info!.name, token_symbol: token.meta_info!.symbol });
          expect('decimals' in row).to.equal('amount' in row);
        }
        const back = await rowsOf(service.api, `${path.replace('forward', 'backward')}&type=${type}&limit=2`);
        expect(back).to.deep.equal([...rows].reverse());
        const sent = await rowsOf(service.api, `${path}&type=${type}&owned_only=true&limit=100`);
        expect(sent).to.have.length(expected.filter(({ from }) => from === word).length);
      }
      const whole = await rowsOf(service.api, `${path}&limit=100`);
      expect(whole.filter(({ type }) => /^Aex/.test(type as string))).to.have.length(own.length);
      if (whole.length < 100) expect(await rowsOf(service.api, `${path}&limit=1`)).to.deep.equal(whole);
    }
  });

  it('and calls of one contract are those activities that are about it', async () => {
    const contracts = (row: Record<string, unknown>): unknown[] => {
      const { contract_id: id, tx } = row['payload'] as { contract_id?: string; tx?: object };
      return tx === undefined
        ? [id]
        : [...JSON.stringify(tx).matchAll(/"contract_id":"(ct_\w+)"/g)].map(([, of]) => of);
    };
    const { label, token, balances } = last.find(({ label }) => label === 'tokenA')!;
    const holders = Object.keys(balances!).map((id) => `/v3/accounts/${id}/activities`);
    const called = await Promise.all(holders.map((of) => rowsOf(service.api, `${of}?limit=100&type=transactions`)));
    const path = holders.find((_, i) => called[i]!.some((row) => contracts(row).includes(token)))!;
    for (const [query, types] of [
      ['', /^(Aex9Transfer|ContractC\w+Tx)Event$/],
      ['&type=aex9', /^Aex9TransferEvent$/],
      ['&type=transactions', /^ContractC\w+TxEvent$/],
      ['&owned_only=true', /^(Aex9Transfer|ContractC\w+Tx)Event$/],
    ] as const) {
      const all = await rowsOf(service.api, `${path}?limit=100${query}`);
      const expected = all.filter((row) => contracts(row).includes(token));
      const rows = await rowsOf(service.api, `${path}?contract=${token}&limit=7${query}`);
      expect(rows, `${label}${query}`).to.deep.equal(expected);
      expect(
        rows.filter(({ type }) => types.test(type as string)),
        query,
      ).to.not.have.length(0);
      expect(rows).not.to.have.length(0);
      const ascending = await rowsOf(service.api, `${path}?contract=${token}&limit=3&direction=forward${query}`);
      expect(ascending).to.deep.equal([...rows].reverse());
    }
    const { status, body } = await service.api.get(below(`${path}?contract=ak_1`));
    expect([status, JSON.parse(body)]).to.deep.equal([400, { error: 'invalid id: ak_1' }]);
  });

  it('of AEX-141 are as they say of themselves, with their owners and transfers', async () => {
    const states = last.filter(({ owners }) => owners !== undefined);
    const listed = await rowsOf(service.api, '/v3/aex141?by=creation&direction=forward&limit=2&int-as-string=true');
    expect(listed.map(({ contract_id: id }) => id)).to.have.members(states.map(({ token }) => token));
    expect(await json('/v3/aex141/count')).to.deep.equal({ data: states.length });
    for (const { token, label, owners } of states) {
      const { meta_info: info, aex141_extensions: extensions, token_limit, template_limit } = recordedTokens[token]!;
      if (info === undefined || 'failed' in info) throw new Error(label);
      const row = await json(`/v3/aex141/${token}?int-as-string=true`);
      expect(row).to.deep.equal(listed.find(({ contract_id: id }) => id === token));
      expect(row).to.deep.include({
        name: info.name,
        symbol: info.symbol,
        base_url: info.base_url ?? null,
        extensions,
      });
      expect(row['metadata_type']).to.equal(Object.keys(info.metadata_type!)[0]!.toLowerCase());
      expect(row['nft_owners']).to.equal(String(new Set(Object.values(owners!)).size));
      const limits = row['limits'] as Record<string, string> | null;
      if (token_limit === undefined) expect(limits).to.equal(null);
      else expect(limits).to.include({ token_limit, template_limit });
      const tokens = await rowsOf(
        service.api,
        `/v3/aex141/${token}/tokens?direction=forward&limit=2&int-as-string=true`,
      );
      expect(tokens).to.deep.equal(
        Object.entries(owners!)
          .sort(([a], [b]) => (BigInt(a) < BigInt(b) ? -1 : 1))
          .map(([id, owner]) => ({ contract_id: token, owner_id: owner, token_id: id })),
      );
      const moved = recordedLogs('realnode-tokens').filter(
        ({ contract_id: id, topics }) => id === token && BigInt(topics[0]!) === TRANSFER,
      );
      const transfers = await rowsOf(service.api, `/v3/aex141/${token}/transfers?limit=2&int-as-string=true`);
      expect(
        transfers.map(({ sender, recipient, token_id: id }) => [sender, recipient, id]),
        label,
      ).to.deep.equal(moved.reverse().map(({ topics }) => [ofWord(topics[1]!), ofWord(topics[2]!), String(topics[3])]));
      for (const sender of new Set(transfers.map((row) => String(row['sender'])))) {
        const ofSender = transfers.filter((row) => row['sender'] === sender);
        const filtered = await rowsOf(service.api, `/v3/aex141/${token}/transfers?from=${sender}&int-as-string=true`);
        expect(filtered).to.deep.equal(ofSender);
        const all = await rowsOf(service.api, `/v3/aex141/transfers?from=${sender}&int-as-string=true`);
        expect(all.filter(({ contract_id: id }) => id === token)).to.deep.equal(ofSender);
      }
    }
    for (const owner of new Set(states.flatMap(({ owners }) => Object.values(owners!)))) {
      const rows = await rowsOf(service.api, `/v3/accounts/${owner}/aex141/tokens?limit=2&int-as-string=true`);
      const expected = states.flatMap(({ token, owners }) =>
        Object.entries(owners!).flatMap(([id, own]) =>
          own === owner ? [{ contract_id: token, owner_id: owner, token_id: id }] : [],
        ),
      );
      expect(rows).to.have.deep.members(expected);
      expect(await rowsOf(service.api, `/v2/aex141/owned-nfts/${owner}?limit=100&int-as-string=true`)).to.deep.equal(
        rows,
      );
      const one = String(rows[0]!['contract_id']);
      const ofOne = await rowsOf(service.api, `/v3/accounts/${owner}/aex141/tokens?contract=${one}&int-as-string=true`);
      expect(ofOne).to.deep.equal(rows.filter(({ contract_id: id }) => id === one));
    }
  });

  const KINDS: Readonly<Record<string, string>> = { URL: 'url', IPFS: 'ipfs' };

  it('of AEX-141 have the metadata of all kinds that their collections told', async () => {
    const kinds = new Set<string>();
    for (const [contract, { label, meta_info: info, tokens }] of Object.entries(recordedTokens)) {
      const [type] = info === undefined || 'failed' in info ? [] : Object.keys(info.metadata_type ?? {});
      for (const [id, { owner, metadata: told }] of Object.entries(tokens ?? {})) {
        const text = typeof told === 'string' ? told : told.MetadataIdentifier?.[0];
        const map = typeof told === 'string' ? undefined : told.MetadataMap?.[0];
        const metadata = text === undefined ? (map === undefined ? null : { map }) : { [KINDS[type!] ?? 'id']: text };
        kinds.add(Object.keys(metadata ?? {}).join());
        const path = `/v3/aex141/${contract}/tokens/${id}?int-as-string=true`;
        expect(await json(path), `${label} ${id}`).to.deep.equal({
          contract_id: contract,
          token_id: id,
          owner: owner.replace(/^ct_/, 'ak_'),
          owner_id: owner.replace(/^ct_/, 'ak_'),
          metadata,
        });
        expect(await json(`/v2/aex141/${contract}/metadata/${id}`)).to.deep.equal({ data: metadata });
        expect(await json(`/v2/aex141/${contract}/owner/${id}`)).to.deep.equal({
          data: owner.replace(/^ct_/, 'ak_'),
        });
      }
    }
    expect([...kinds].sort()).to.deep.equal(['', 'id', 'map', 'url']);
  });

  it('of AEX-141 have no metadata where they are burnt, or their collection does not tell any, and 503 until it is asked', async () => {
    const [contract] = Object.entries(recordedTokens).find(([, { label }]) => label === 'nftMap')!;
    const [fungible] = Object.entries(recordedTokens).find(([, { label }]) => label === 'tokenA')!;
    const answer = async (path: string): Promise<unknown[]> => {
      const { status, body } = await service.api.get(below(path));
      return [status, (JSON.parse(body) as { error?: string }).error];
    };
    for (const paths of [
      ['v3', 'tokens'],
      ['v2', 'metadata'],
      ['v2', 'owner'],
    ]) {
      const [version, last] = paths as [string, string];
      const path = (of: string, id: string): string => `/${version}/aex141/${of}/${last}/${id}`;
      // Burnt, and never made.
      expect(await answer(path(contract, '5'))).to.deep.equal([404, 'not found: 5']);
      expect(await answer(path(contract, '77'))).to.deep.equal([404, 'not found: 77']);
      expect(await answer(path(fungible, '1'))).to.deep.equal([404, `not found: ${fungible}`]);
      expect(await answer(path(contract, '-1'))).to.deep.equal([400, 'invalid id: -1']);
      expect(await answer(path(contract, 'x'))).to.deep.equal([400, 'invalid id: x']);
    }
    const states = {
      due: [503, 'not available yet'],
      failed: [400, `error calling contract: ${contract}`],
      malformed: [400, `invalid contract return: ${contract}`],
    };
    const { rows } = await service.database.query<{ metadata: string }>({
      name: 'test.metadata',
      text: 'SELECT metadata FROM token_metadata WHERE contract_id = $1 AND token_id = 1',
      values: [contract],
    });
    const set = (state: string, metadata: string): Promise<void> =>
      tamper(service.database, [
        `UPDATE token_metadata SET state = '${state}', metadata = ${metadata} WHERE contract_id = '${contract}' AND token_id = 1`,
      ]);
    try {
      for (const [state, expected] of Object.entries(states)) {
        await set(state, 'NULL');
        for (const path of [`/v3/aex141/${contract}/tokens/1`, `/v2/aex141/${contract}/metadata/1`])
          expect(await answer(path), state).to.deep.equal(expected);
        expect(await answer(`/v2/aex141/${contract}/owner/1`)).to.deep.equal([200, undefined]);
      }
      const hostile = JSON.stringify({ toJSON: '1', '\0': '</script>' }).replace('{', '{"__proto__":"x",');
      await set('ok', `'${hostile}'`);
      const { body } = await service.api.get(below(`/v3/aex141/${contract}/tokens/1?int-as-string=true`));
      expect(body).to.contain(`"metadata":{"map":${hostile}}`);
    } finally {
      await set('ok', `'${rows[0]!.metadata}'`);
    }
  });

  it('of AEX-141 have the templates that are left, with their editions and tokens', async () => {
    for (const [id, { templates, tokens }] of Object.entries(recordedTokens)) {
      if (templates === undefined) continue;
      const rows = await rowsOf(service.api, `/v3/aex141/${id}/templates?direction=forward&limit=1&int-as-string=true`);
      expect(rows.map((row) => row['template_id'])).to.deep.equal(Object.keys(templates));
      for (const row of rows) {
        const { limit, supply } = templates[String(row['template_id'])]!;
        expect(row['edition']).to.include({ supply, ...(limit !== undefined && { limit }) });
        expect(limit === undefined).to.equal(!('limit' in (row['edition'] as object)));
        const made = await rowsOf(
          service.api,
          `/v3/aex141/${id}/templates/${String(row['template_id'])}/tokens?direction=forward&int-as-string=true`,
        );
        expect(made).to.have.length(Number(supply));
        for (const token of made) {
          expect(token['owner_id']).to.equal(tokens![String(token['token_id'])]!.owner);
          expect(token['edition']).to.match(/^\d+$/);
        }
      }
    }
  });

  it('are named by their standard in the transactions that create or call them', async () => {
    let found = 0;
    for (const type of ['contract_create', 'contract_call'])
      for (const { tx } of await rowsOf(service.api, `/v3/transactions?type=${type}&limit=100`)) {
        const { contract_id: id, aexn_type: shown, return_type: ended } = tx as Record<string, string>;
        const token = recordedTokens[id!];
        const expected = token?.aex9_extensions ? 'aex9' : token?.aex141_extensions ? 'aex141' : null;
        // Nothing is recorded of what others created.
        if (token === undefined || (type === 'contract_create' && ended !== 'ok')) continue;
        expect(shown, `${type} ${id}`).to.equal(expected);
        found += expected === null ? 0 : 1;
      }
    expect(found).to.be.above(80);
  });

  it('are named by their standard where contracts are listed', async () => {
    const rows = await rowsOf(service.api, '/v3/contracts?limit=100');
    const types = rows.map(({ contract, aexn_type }) => {
      const { aex9_extensions: aex9, aex141_extensions: aex141 } = recordedTokens[contract as string] ?? {};
      if (recordedTokens[contract as string] !== undefined)
        expect(aexn_type).to.equal(aex9 ? 'aex9' : aex141 ? 'aex141' : null);
      return aexn_type;
    });
    expect(new Set(types)).to.deep.equal(new Set(['aex9', 'aex141', null]));
  });

  it('are not available as contracts if a call made them, which is another answer than that they do not exist', async () => {
    const { data } = (await service.api.json('/mdw/v3/contracts?limit=100')) as { data: { contract: string }[] };
    const made = new Set(data.map(({ contract }) => contract));
    const emitters = new Set(recordedLogs('realnode-tokens').map((log) => log.contract_id));
    const children = [...emitters].filter((id) => !made.has(id));
    expect(children).to.include.members(
      Object.keys(recordedTokens).filter((id) => ['childMade', 'childUsed'].includes(recordedTokens[id]!.label)),
    );
    const unknown = encodeId('ct', Buffer.alloc(32, 7));
    for (const version of ['v2', 'v3']) {
      for (const id of children) {
        const { status, body } = await service.api.get(`/mdw/${version}/contracts/${id}`);
        expect([status, body], id).to.deep.equal([503, '{"error":"not available yet"}']);
      }
      expect((await service.api.get(`/mdw/${version}/contracts/${unknown}`)).status).to.equal(404);
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
      verified: true,
    });
  });
});
