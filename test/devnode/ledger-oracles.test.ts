import { expect } from 'chai';
import { nameHash, oracleId, queryId } from '../../src/chain/protocol/ids.js';
import { supplyOf } from '../../devtools/devnode/ledger/supply.js';
import { ALICE, BOB, CAROL, START, ledger } from '../support/ledger.js';
import type { Ledger } from '../support/ledger.js';

const FEE = 20_000_000_000_000n;
const ORACLE = oracleId(ALICE);

const delta = (value: number) => ({ type: 'delta', value });
const register = (oracle_ttl: object = delta(50)) => ({
  type: 'OracleRegisterTx',
  account_id: ALICE,
  query_format: 'the query spec',
  response_format: 'the response spec',
  query_fee: 4,
  oracle_ttl: oracle_ttl as never,
  abi_version: 0,
});
const extend = (value: number) => ({ type: 'OracleExtendTx', oracle_id: ORACLE, oracle_ttl: delta(value) });
const ask = (members: object = {}) => ({
  type: 'OracleQueryTx',
  sender_id: BOB,
  oracle_id: ORACLE,
  query: 'How are you?',
  query_fee: 4,
  query_ttl: delta(10),
  response_ttl: delta(20),
  ...members,
});
const answer = (query_id: string, ttl = 20, oracle_id = ORACLE) => ({
  type: 'OracleRespondTx',
  oracle_id,
  query_id,
  response: 'I am fine, thanks!',
  response_ttl: delta(ttl),
});

/** An oracle that is registered from generation 1 to 51, with a query in the first transaction of bob. */
function asked(): { made: Ledger; id: string } {
  const made = ledger();
  made.apply(register());
  made.apply(ask());
  return { made, id: queryId(BOB, 1n, ORACLE) };
}

describe('oracles in the state machine', () => {
  it('last from the generation of their registration, and longer by every extension: the example of the specification', () => {
    const made = ledger();
    made.apply(register());
    expect(made.state.oracle(ORACLE)?.expires).to.equal(51);
    expect(made.refusal(register())).to.equal('account_is_already_an_oracle');
    made.goTo(20);
    made.apply(extend(100));
    expect(made.state.oracle(ORACLE)?.expires).to.equal(151);
    expect(made.refusal(extend(0))).to.equal('zero_relative_oracle_extension_ttl');
    made.goTo(151);
    expect(made.state.oracle(ORACLE)).not.to.equal(undefined);
    made.goTo(152);
    expect(made.state.oracle(ORACLE)).to.equal(undefined);
    expect(made.refusal(extend(1))).to.equal('oracle_does_not_exist');
    made.apply(register({ type: 'block', value: 160 }));
    expect(made.state.oracle(ORACLE)?.expires).to.equal(160);
  });

  it('refuse an absolute ttl that is not in the future', () => {
    expect(ledger().refusal(register({ type: 'block', value: 1 }))).to.equal('too_low_height');
  });

  it('accept queries with at least their fee, if they exist longer than query and response', () => {
    const made = ledger();
    expect(made.refusal(ask())).to.equal('oracle_does_not_exist');
    made.apply(register());
    expect(made.refusal(ask({ query_fee: 3 }))).to.equal('query_fee_too_low');
    expect(made.refusal(ask({ query_ttl: delta(31) }))).to.equal('too_long_ttl');
    made.apply(ask({ query_fee: 5, query_ttl: delta(30) }));
    expect(made.state.query(queryId(BOB, 1n, ORACLE))).to.deep.include({
      fee: 5n,
      expires: 31,
      sender: BOB,
      responseTtl: 20,
    });
    // The total cost is the fee and the query fee.
    expect(made.balance(BOB)).to.equal(START - FEE - 5n);
  });

  it('earn the query fee with a response of the requested time to live', () => {
    const { made, id } = asked();
    made.goTo(5);
    expect(made.refusal(answer(id, 19))).to.equal('oracle_response_has_wrong_response_ttl');
    expect(made.refusal(answer(queryId(CAROL, 1n, ORACLE)))).to.equal('oracle_query_not_found');
    expect(made.refusal(answer(id, 20, oracleId(CAROL)))).to.equal('oracle_does_not_match_query_id');
    made.apply(answer(id));
    expect(made.balance(ALICE)).to.equal(START - 2n * FEE + 4n);
    expect(made.state.query(id)).to.deep.include({ response: 'I am fine, thanks!', expires: 25 });
    expect(made.refusal(answer(id))).to.equal('oracle_closed_for_response');
    made.goTo(26);
    expect(made.state.query(id)).to.equal(undefined);
    expect(made.balance(BOB)).to.equal(START - FEE - 4n);
  });

  it('return the fee of an open query when the query or the oracle expires', () => {
    const { made, id } = asked();
    made.goTo(11);
    expect(supplyOf(made.state).oracle_queries).to.equal(4n);
    made.goTo(12);
    expect(made.state.query(id)).to.equal(undefined);
    expect(made.state.oracle(ORACLE)?.queries).to.deep.equal([]);
    expect(made.balance(BOB)).to.equal(START - FEE);
  });

  it('are found by name from Iris on, and the id of the query then contains the name', () => {
    const made = ledger();
    const name = 'thirteenchars.chain';
    made.apply({ type: 'NameClaimTx', account_id: CAROL, name, name_salt: 0, name_fee: 2_000_000_000_000_000_000n });
    const pointers = [{ key: 'oracle_pubkey', id: ORACLE }];
    made.apply({
      type: 'NameUpdateTx',
      account_id: CAROL,
      name_id: nameHash(name),
      name_ttl: 100,
      client_ttl: 1,
      pointers,
    });
    made.apply(register());
    made.apply(ask({ oracle_id: nameHash(name) }));
    expect(made.state.oracle(ORACLE)?.queries).to.deep.equal([queryId(BOB, 1n, nameHash(name))]);
  });
});
