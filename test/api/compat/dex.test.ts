import { expect } from 'chai';
import { decodeId, encodeId } from '../../../src/chain/encoding/encoding.js';
import { eventHash } from '../../../src/chain/event-names.js';
import { below, recordedService, rowsOf } from '../../support/compat.js';
import type { RecordedService } from '../../support/compat.js';
import { recordedLogs } from '../../support/recorded-logs.js';
import { tamper } from '../../support/roles.js';
import { recordedTokens, tokenStates } from '../../support/recorded-tokens.js';

type Row = Record<string, string> & { amounts: Record<string, string> };

const idOf = (label: string): string => Object.entries(recordedTokens).find(([, token]) => token.label === label)![0];
const PAIRS = {
  [idOf('pairAB')]: [idOf('tokenA'), idOf('tokenB')],
  [idOf('pairBC')]: [idOf('tokenB'), idOf('childMade')],
} as Record<string, [string, string]>;
const asAccount = (id: string): string => encodeId('ak', decodeId(id));
const ofWord = (word: bigint | number): string =>
  encodeId('ak', Buffer.from(BigInt(word).toString(16).padStart(64, '0'), 'hex'));
const logs = recordedLogs('realnode-tokens');
const named = (name: string) => logs.filter(({ topics }) => BigInt(topics[0]!) === eventHash(name));
/** Newest first. */
const swaps = named('SwapTokens').reverse();

describe('swaps of the exchange in the compatible API', () => {
  let service: RecordedService;

  before(async () => (service = await recordedService('realnode-tokens')));
  after(() => service.close());

  const read = async (path: string): Promise<Row[]> =>
    (await rowsOf(service.api, `${path}${path.includes('?') ? '&' : '?'}int-as-string=true`)) as Row[];

  it('are those of the events, with both amounts, in the direction of the amounts', async () => {
    const rows = await read('/v3/dex/swaps?limit=2');
    expect(rows.map((row) => [row['tx_hash'], row['log_idx']])).to.deep.equal(
      swaps.map((log) => [log.transaction_hash, String(log.log_index)]),
    );
    expect(rows).to.have.length.above(3);
    for (const [i, row] of rows.entries()) {
      const { contract_id: pair, topics, data } = swaps[i]!;
      const [in0, in1, out0, out1] = Buffer.from(decodeId(data, 'cb')).toString().split('|') as [string, ...string[]];
      expect(row.amounts).to.deep.equal({ amount0_in: in0, amount1_in: in1, amount0_out: out0, amount1_out: out1 });
      const [first, second] = PAIRS[pair]!;
      const [from, to] = in0 === '0' ? [second, first] : [first, second];
      const [given, got] = in0 === '0' ? [in1, out0] : [in0, out1];
      expect(row).to.deep.include({
        ...{ caller: ofWord(topics[1]!), to_account: ofWord(topics[2]!) },
        ...{ from_contract: from, to_contract: to, from_amount: given, to_amount: got, action: 'SWAP' },
      });
      for (const [end, id] of [
        ['from', from],
        ['to', to],
      ] as const) {
        const info = recordedTokens[id]!.meta_info as { symbol: string; decimals: string };
        expect([row[`${end}_token`], row[`${end}_decimals`]]).to.deep.equal([info.symbol, info.decimals]);
      }
      const { block_height, micro_time } = (await service.api.json(
        below(`/v3/transactions/${row['tx_hash']}?int-as-string=true`),
      )) as Record<string, string>;
      expect(row).to.include({ height: block_height, micro_time });
    }
    expect(await read('/v3/dex/swaps?limit=3&direction=forward')).to.deep.equal([...rows].reverse());
    const height = rows[1]!['height']!;
    expect(await read(`/v3/dex/swaps?scope=gen:${height}-${height}&direction=forward&limit=1`)).to.deep.equal(
      rows.filter((row) => row['height'] === height).reverse(),
    );
    expect(await read('/v3/dex/swaps?scope=gen:1-5')).to.deep.equal([]);
  });

  it('are found by pair, by token, by account and by symbol', async () => {
    const all = await read('/v3/dex/swaps');
    const isOf = (pair: string) => (_: Row, i: number) => swaps[i]!.contract_id === pair;
    for (const pair of Object.keys(PAIRS)) {
      expect(await read(`/v3/dex/${pair}/swaps?limit=1`)).to.deep.equal(all.filter(isOf(pair)));
      for (const token of PAIRS[pair]!) {
        const expected = all.filter((row) => [row['from_contract'], row['to_contract']].includes(token));
        expect(await read(`/v3/dex/${token}/swaps?limit=2`)).to.deep.equal(expected);
        expect(await read(`/v3/dex/${token}/swaps?limit=2&direction=forward`)).to.deep.equal([...expected].reverse());
      }
    }
    for (const caller of new Set(all.map((row) => row['caller']!))) {
      const path = `/v3/accounts/${caller}/dex/swaps`;
      expect(await read(`${path}?limit=2`)).to.deep.equal(all.filter((row) => row['caller'] === caller));
      expect(await read(`${path}?token_symbol=SEC`)).to.deep.equal(
        all.filter((row) => row['caller'] === caller && [row['from_token'], row['to_token']].includes('SEC')),
      );
      expect(await read(`${path}?token_symbol=NONE&limit=1`)).to.deep.equal([]);
    }
    expect((await service.api.get(below(`/v3/dex/${idOf('waex')}/swaps`))).status).to.equal(404);
  });

  it('are what the reserves of the pairs changed by, as their tokens say', async () => {
    const rows = await read('/v3/dex/swaps');
    const liquidity = new Set(
      [...named('Mint'), ...named('Burn')]
        .filter(({ contract_id: id }) => PAIRS[id] !== undefined)
        .map(({ transaction_hash: hash }) => hash),
    );
    const blocks = new Map<string, string>();
    for (const hash of new Set([...rows.map((row) => row['tx_hash']!), ...liquidity])) {
      const { block_hash } = (await service.api.json(below(`/v3/transactions/${hash}`))) as { block_hash: string };
      blocks.set(hash, block_hash);
    }
    const withLiquidity = new Set([...liquidity].map((hash) => blocks.get(hash)));
    let compared = 0;
    for (const [pair, tokens] of Object.entries(PAIRS)) {
      for (const token of tokens) {
        let reserve = 0n;
        for (const state of tokenStates.filter((one) => one.token === token)) {
          const now = BigInt(state.balances![asAccount(pair)] ?? 0);
          const inBlock = rows.filter(
            (row, i) => swaps[i]!.contract_id === pair && blocks.get(row['tx_hash']!) === state.hash,
          );
          const change = inBlock.reduce(
            (sum, row) =>
              sum +
              (row['from_contract'] === token ? BigInt(row['from_amount']!) : 0n) -
              (row['to_contract'] === token ? BigInt(row['to_amount']!) : 0n),
            0n,
          );
          if (!withLiquidity.has(state.hash)) expect(now - reserve, `${token} ${state.hash}`).to.equal(change);
          if (change !== 0n && !withLiquidity.has(state.hash)) compared++;
          reserve = now;
        }
      }
    }
    expect(compared).to.be.above(3);
  });

  it('are among the activities of who made them, with the transaction and what was got', async () => {
    const callers = [...new Set(swaps.map(({ topics }) => ofWord(topics[1]!)))];
    let found = 0;
    for (const caller of [...callers, asAccount(idOf('tokenA'))]) {
      const own = await read(`/v3/accounts/${caller}/dex/swaps?limit=100`);
      for (const query of ['', '&owned_only=true']) {
        const path = `/v3/accounts/${caller}/activities?limit=100${query}`;
        const rows = (await read(`${path}&type=swaps`)) as unknown as {
          type: string;
          payload: Record<string, unknown>;
        }[];
        expect(rows.every(({ type }) => type === 'DexSwapEvent')).to.equal(true);
        expect(rows.map(({ payload: { tx: _, token_name: __, amount: ___, ...swap } }) => swap)).to.deep.equal(own);
        for (const { payload } of rows) {
          const hash = String(payload['tx_hash']);
          expect(payload['tx']).to.deep.equal(
            await service.api.json(below(`/v3/transactions/${hash}?int-as-string=true`)),
          );
          const token = recordedTokens[String(payload['to_contract'])]!.meta_info as { name: string };
          expect([payload['token_name'], payload['amount']]).to.deep.equal([token.name, payload['to_amount']]);
        }
        const all = await read(path);
        expect(all.filter((row) => row['type'] === 'DexSwapEvent')).to.deep.equal(rows);
        const { total } = (await service.api.json(below(`${path}&type=swaps&count=true`))) as { total: number };
        expect(total).to.equal(rows.length);
        expect(await read(path.replace('limit=100', 'limit=3'))).to.deep.equal(all);
      }
      found += own.length;
    }
    expect(found).to.equal(swaps.length);
    const [first] = swaps;
    const path = `/v3/accounts/${ofWord(first!.topics[1]!)}/activities?type=swaps&contract=`;
    const ofPair = await read(`${path}${first!.contract_id}`);
    expect(ofPair).to.have.length(
      swaps.filter((one) => one.contract_id === first!.contract_id && one.topics[1] === first!.topics[1]).length,
    );
    expect(await read(`${path}${idOf('nftMap')}`)).to.deep.equal([]);
  });

  it('are not events of contracts that are no pairs, nor events of pairs that say no amounts', async () => {
    const lists = ['/v3/dex/swaps?limit=2', `/v3/dex/${idOf('tokenB')}/swaps?limit=2`];
    const before = await Promise.all(lists.map(read));
    const someone = idOf('waex');
    await tamper(service.database, [
      `INSERT INTO contract_logs (position, log_index, contract_id, topics, data)
      SELECT s.position, 1000 + i, s.id, s.topics, s.data
      FROM generate_series(1, 30) AS i CROSS JOIN LATERAL (
        SELECT l.position, l.topics, CASE WHEN i % 3 = 0 THEN 'cb_Xfbg4g==' ELSE l.data END AS data,
          CASE WHEN i % 3 = 0 THEN l.contract_id ELSE '${someone}' END AS id
        FROM contract_logs AS l WHERE l.topics[1] = ${eventHash('SwapTokens')} AND l.log_index < 1000
        ORDER BY l.position DESC, l.log_index LIMIT 1
      ) AS s`,
    ]);
    expect(await Promise.all(lists.map(read))).to.deep.equal(before);
  });
});
