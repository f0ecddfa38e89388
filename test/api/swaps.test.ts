import { expect } from 'chai';
import { decodeId, encodeId } from '../../src/chain/encoding/encoding.js';
import { eventHash } from '../../src/chain/event-names.js';
import { recordedService } from '../support/compat.js';
import type { RecordedService } from '../support/compat.js';
import { exportedRows, rowsOf as readRows } from '../support/key-lists.js';
import type { Row } from '../support/key-lists.js';
import { recordedLogs } from '../support/recorded-logs.js';
import { recordedTokens } from '../support/recorded-tokens.js';

const idOf = (label: string): string => Object.entries(recordedTokens).find(([, token]) => token.label === label)![0];
const PAIRS: Record<string, readonly [string, string]> = {
  [idOf('pairAB')]: [idOf('tokenA'), idOf('tokenB')],
  [idOf('pairBC')]: [idOf('tokenB'), idOf('childMade')],
};
const ofWord = (word: bigint | number): string =>
  encodeId('ak', Buffer.from(BigInt(word).toString(16).padStart(64, '0'), 'hex'));
/** Newest first. */
const events = recordedLogs('realnode-tokens')
  .filter(({ topics }) => BigInt(topics[0]!) === eventHash('SwapTokens'))
  .reverse();
const SWAPS = '/middleware/tokens/swaps';
const ONE = ['pair', 'caller', 'recipient', 'from_contract', 'from_amount', 'to_contract', 'to_amount'] as const;

/** What the event of a swap says. */
function saidBy({ contract_id: pair, topics, data, transaction_hash, log_index }: (typeof events)[number]): Row {
  const [in0, in1, out0, out1] = Buffer.from(decodeId(data, 'cb')).toString().split('|');
  const [first, second] = PAIRS[pair]!;
  const isForward = in0 !== '0';
  return {
    ...{ transaction_hash, log_index: String(log_index), pair },
    ...{ caller: ofWord(topics[1]!), recipient: ofWord(topics[2]!) },
    ...{ from_contract: isForward ? first : second, from_amount: isForward ? in0 : in1 },
    ...{ to_contract: isForward ? second : first, to_amount: isForward ? out1 : out0 },
  };
}

describe('swaps of exchanges', () => {
  let service: RecordedService;

  before(async () => (service = await recordedService('realnode-tokens')));
  after(() => service.close());

  const rowsOf = (path: string): Promise<Row[]> => readRows(service.api, path);

  const exported = (path: string): Promise<Row[]> => exportedRows(service.api, path);

  it('are those of the events of pairs, in both orders, with what was given and got', async () => {
    const rows = await rowsOf(`${SWAPS}?limit=2`);
    expect(rows).to.have.length.above(3);
    expect(rows).to.have.length(events.length);
    for (const [i, row] of rows.entries()) {
      expect(row).to.include(saidBy(events[i]!));
      for (const side of ['from', 'to'] as const) {
        const info = recordedTokens[row[`${side}_contract`] as string]!.meta_info as Row;
        expect([row[`${side}_symbol`], row[`${side}_decimals`]]).to.deep.equal([info['symbol'], info['decimals']]);
      }
      const { body } = await service.api.get(`/v3/transactions/${String(row['transaction_hash'])}`);
      expect(String((JSON.parse(body) as Row)['block_height'])).to.equal(row['height']);
    }
    expect(await rowsOf(`${SWAPS}?limit=3&order=asc`)).to.deep.equal([...rows].reverse());
  });

  it('are cut by heights and times', async () => {
    const rows = await rowsOf(SWAPS);
    const { height, time } = rows[1]! as { height: string; time: string };
    expect(await rowsOf(`${SWAPS}?from=${height}&to=${height}&limit=1`)).to.deep.equal(
      rows.filter((row) => row['height'] === height),
    );
    expect(await rowsOf(`${SWAPS}?from=${height}`)).to.deep.equal(
      rows.filter((row) => BigInt(row['height'] as string) >= BigInt(height)),
    );
    expect(await rowsOf(`${SWAPS}?to_time=${time}`)).to.deep.equal(
      rows.filter((row) => BigInt(row['time'] as string) <= BigInt(time)),
    );
    expect(await rowsOf(`${SWAPS}?to=5`)).to.deep.equal([]);
  });

  it('are found by pair, by token and by account', async () => {
    const all = await rowsOf(SWAPS);
    for (const [pair, tokens] of Object.entries(PAIRS)) {
      expect(await rowsOf(`/middleware/tokens/${pair}/swaps?limit=1`)).to.deep.equal(
        all.filter((row) => row['pair'] === pair),
      );
      for (const token of tokens)
        expect(await rowsOf(`/middleware/tokens/${token}/swaps?limit=2`)).to.deep.equal(
          all.filter((row) => row['from_contract'] === token || row['to_contract'] === token),
        );
    }
    const callers = new Set(all.map(({ caller }) => caller as string));
    for (const caller of callers)
      expect(await rowsOf(`/middleware/accounts/${caller}/swaps?limit=1`)).to.deep.equal(
        all.filter((row) => row['caller'] === caller),
      );
    // A token that no exchange has is one all the same.
    expect(await rowsOf(`/middleware/tokens/${idOf('plain0')}/swaps`)).to.deep.equal([]);
    const { status } = await service.api.get(`/middleware/tokens/${idOf('nftMap')}/swaps`);
    expect(status).to.equal(404);
  });

  it('are tables, too, which continue behind a transaction', async () => {
    const lists = [
      SWAPS,
      `${SWAPS}?order=asc`,
      `/middleware/tokens/${idOf('pairAB')}/swaps`,
      `/middleware/tokens/${idOf('tokenB')}/swaps`,
      `/middleware/accounts/${ofWord(events[0]!.topics[1]!)}/swaps`,
    ];
    for (const path of lists) {
      const rows = await rowsOf(path);
      const table = await exported(path);
      expect(table, path).to.have.length(rows.length);
      for (const [i, row] of rows.entries()) {
        const other = table[i]!;
        expect([other['tx_hash'], String(other['log_index'])]).to.deep.equal([
          row['transaction_hash'],
          row['log_index'],
        ]);
        for (const member of [...ONE, 'from_symbol', 'to_symbol'] as const)
          expect(other[member], `${path} ${member}`).to.equal(row[member]);
        for (const side of ['from', 'to']) {
          const [whole, fraction = ''] = String(other[`${side}_amount_decimal`]).split('.');
          const digits = Number(row[`${side}_decimals`]);
          expect(BigInt(whole + fraction.padEnd(digits, '0'))).to.equal(BigInt(row[`${side}_amount`] as string));
        }
      }
      const { body } = await service.api.get(path, { headers: { accept: 'text/csv' } });
      expect(body.split('\r\n')[0]).to.equal(Object.keys(table[0]!).join(','));
      const first = table[0]!['tx_hash'];
      expect(await exported(`${path}${path.includes('?') ? '&' : '?'}after=${String(first)}`)).to.deep.equal(
        table.slice(table.map((row) => row['tx_hash']).lastIndexOf(first) + 1),
      );
    }
  });
});
