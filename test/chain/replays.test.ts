/** The request of a replay of a call. */
import { expect } from 'chai';
import { parseExact, stringifyExact } from '../../src/chain/encoding/json.js';
import { readTransaction } from '../../src/chain/facts.js';
import type { Transaction } from '../../src/chain/facts.js';
import { replayOf } from '../../src/chain/replays.js';
import { recordedBlocks } from '../support/recorded-replay.js';

const PLACE = { height: 40, version: 6, maxGas: 6_000_000n };

const all = [...recordedBlocks().values()].flatMap(({ transactions }) => transactions);
const first = (type: string): Transaction => all.find(({ transaction }) => transaction.type === type)!.transaction;

const changed = ({ body }: Transaction, change: (tx: Record<string, unknown>) => object): Transaction => {
  const envelope = parseExact(body) as { tx: Record<string, unknown> };
  return readTransaction(stringifyExact({ ...envelope, tx: { ...envelope.tx, ...change(envelope.tx) } }));
};

describe('the request of a replay', () => {
  const call = changed(first('ContractCallTx'), () => ({ gas: 3_000_000 }));
  const spend = first('SpendTx');
  const sizes = (before: readonly Transaction[], place = PLACE): unknown => {
    const replay = replayOf(call, before, place);
    return typeof replay === 'string' ? replay : replay.transactions.length;
  };

  it('has the transactions before the call that a dry run takes', () => {
    const wrapping = first('PayingForTx');
    expect(sizes([])).to.equal(1);
    expect(sizes([spend, wrapping, spend])).to.equal(3);
    const unknown = changed(spend, () => ({ type: 'NewTx' }));
    const malformed = changed(spend, () => ({ sender_id: 'ak_x' }));
    expect(sizes([unknown, malformed, spend])).to.equal(2);
  });

  it('leaves out what has nothing to do with the call where the gas does not suffice, and no more than needed', () => {
    const caller = call.tx['caller_id'];
    const contract = call.tx['contract_id'] as string;
    const other = first('GAMetaTx').tx['ga_id'];
    const foreign = changed(spend, () => ({ sender_id: other, recipient_id: other }));
    const own = changed(spend, () => ({ sender_id: caller }));
    const paying = changed(foreign, () => ({ recipient_id: `ak_${contract.slice(3)}` }));
    const gas = (some: readonly Transaction[]): bigint => {
      for (let maxGas = 0n; ; maxGas += 1_000n) if (sizes(some, { ...PLACE, maxGas }) !== 'too_much_gas') return maxGas;
    };
    const needed = gas([own, paying]);
    expect(needed > gas([])).to.equal(true);
    expect(sizes([foreign, own, foreign, paying], { ...PLACE, maxGas: needed })).to.equal(3);
    expect(sizes([foreign, own, foreign, paying], { ...PLACE, maxGas: needed + 20_000n })).to.equal(4);
    expect(sizes([foreign, own, foreign, paying])).to.equal(5);
    const foreignCall = changed(call, () => ({ caller_id: other }));
    expect(sizes([foreignCall])).to.equal('too_much_gas');
  });

  it('credits the account of a call for which another one pays', () => {
    const wrapped = all.find(
      ({ transaction, inner }) => transaction.type === 'PayingForTx' && inner?.caller !== undefined,
    )!;
    const replay = replayOf(wrapped.transaction, [], PLACE);
    if (typeof replay === 'string') return expect.fail(replay);
    expect(replay.transactions).to.deep.equal([wrapped.inner!.text]);
    expect(replay.credit!.account).to.equal(wrapped.inner!.caller);
    expect(replay.credit!.amount > 0n).to.equal(true);
    const plain = replayOf(call, [], PLACE);
    expect(plain).to.have.property('credit', undefined);
  });

  it('is none of a call that has no binary form', () => {
    expect(
      replayOf(
        changed(call, () => ({ caller_id: 'ak_x' })),
        [],
        PLACE,
      ),
    ).to.equal('unsupported');
  });
});
