import { expect } from 'chai';
import { oracleId, queryId } from '../../src/chain/protocol/ids.js';
import type { JsonObject } from '../../src/chain/encoding/json.js';
import { coinbase } from '../../src/chain/protocol/rewards.js';
import { feeGas } from '../../src/chain/gas.js';
import { feeFault } from '../../devtools/devnode/ledger/fees.js';
import { createRules } from '../../devtools/devnode/ledger/rules.js';
import { supplyOf } from '../../devtools/devnode/ledger/supply.js';
import { ALICE, BOB, MINER, POOL, START, ledger } from '../support/ledger.js';

const early = createRules({ profile: 'early' });
const modern = createRules();

const common = { nonce: 1, version: 1, fee: 1 };
const spend: JsonObject = {
  ...common,
  type: 'SpendTx',
  sender_id: ALICE,
  recipient_id: BOB,
  amount: 2,
  payload: 'ba_Xfbg4g==',
};
const register = (value: number, type = 'delta'): JsonObject => ({
  ...common,
  type: 'OracleRegisterTx',
  account_id: ALICE,
  query_format: 'q',
  response_format: 'r',
  query_fee: 4,
  oracle_ttl: { type, value },
  abi_version: 0,
});
const ask = (value: number): JsonObject => ({
  ...common,
  type: 'OracleQueryTx',
  sender_id: ALICE,
  oracle_id: oracleId(BOB),
  query: 'q',
  query_fee: 4,
  query_ttl: { type: 'delta', value },
  response_ttl: { type: 'delta', value: 1 },
});
const respond = (value: number): JsonObject => ({
  ...common,
  type: 'OracleRespondTx',
  oracle_id: oracleId(ALICE),
  query_id: queryId(BOB, 1n, oracleId(ALICE)),
  response: 'r',
  response_ttl: { type: 'delta', value },
});

describe('the fees of the specification', () => {
  it('are 1 for any transaction, and 1 more per 1000 generations of oracles, queries and responses, rounded up', () => {
    const fee = (tx: JsonObject) =>
      [1, 2, 3, 4, 5, 6].find((paid) => feeFault({ ...tx, fee: paid }, 10, early) === undefined);
    expect(fee(spend)).to.equal(1);
    for (const made of [register, ask, respond]) {
      expect([50, 1000, 1001, 4500].map((ttl) => fee(made(ttl)))).to.deep.equal([2, 2, 3, 6]);
    }
    expect(fee(register(1010, 'block'))).to.equal(2);
    expect(fee(register(1011, 'block'))).to.equal(3);
  });

  it('refuse a fee that is too low, and accept one that is high enough', () => {
    expect(feeFault({ ...register(50), fee: 1 }, 10, early)).to.equal('too_low_fee');
    expect(feeFault({ ...register(50), fee: 2 }, 10, early)).to.equal(undefined);
  });
});

describe('the fees of current protocols', () => {
  it('are computed from gas for bytes and time', () => {
    expect(
      feeGas(
        { ...spend, payload: 'ba_aGVsbG+Vlcnf', amount: 2500000000000000000n, fee: 16960000000000, ttl: 1200 },
        10,
        6,
      ),
    ).to.equal(16_960n);
    const perGeneration = feeGas(register(175_200), 10, 6) - feeGas(register(0), 10, 6);
    // The number itself takes three more bytes.
    expect(perGeneration).to.equal(32_000n + 60n);
  });

  it('have a minimum of the protocol and one of the node', () => {
    const gas = feeGas({ ...spend, fee: 16_000_000_000 }, 10, 6);
    expect(feeFault({ ...spend, fee: 1 }, 10, modern)).to.equal('too_low_fee');
    expect(feeFault({ ...spend, fee: Number(gas * 1_000_000n) }, 10, modern)).to.equal('too_low_gas_price_for_miner');
    expect(feeFault({ ...spend, fee: 17_000_000_000_000 }, 10, modern)).to.equal(undefined);
    const call = {
      ...common,
      type: 'ContractCallTx',
      caller_id: ALICE,
      contract_id: BOB.replace('ak', 'ct'),
      abi_version: 3,
      amount: 0,
      gas: 1000,
      call_data: 'cb_Xfbg4g==',
      fee: 200_000_000_000_000,
    };
    expect(feeFault({ ...call, gas_price: 999_999 }, 10, modern)).to.equal('too_low_gas_price');
    expect(feeFault({ ...call, gas_price: 1_000_000 }, 10, modern)).to.equal('too_low_gas_price_for_miner');
    expect(feeFault({ ...call, gas_price: 1_000_000_000 }, 10, modern)).to.equal(undefined);
  });
});

describe('rewards', () => {
  const fee = 10_000_000_000_000_000_007n;

  it('are the coinbase, 40 % of the fees rounded down for the leader that opened a generation, and the rest for the one that closed it', () => {
    const made = ledger({ protocols: [{ version: 6, effective_at_height: 0 }], rewardDelay: 3 });
    made.goTo(2, MINER);
    made.apply({ ...spend, fee });
    made.goTo(3, POOL);
    const leader = (fee * 4n) / 10n;
    expect([made.balance(MINER), made.balance(POOL)]).to.deep.equal([0n, 0n]);
    made.goTo(4, MINER);
    expect(made.balance(MINER)).to.equal(coinbase(1));
    made.goTo(5, MINER);
    expect(made.balance(MINER)).to.equal(coinbase(1) + coinbase(2));
    made.goTo(6, MINER);
    expect(made.balance(MINER)).to.equal(coinbase(1) + coinbase(2) + leader);
    expect(made.balance(POOL)).to.equal(coinbase(3) + fee - leader);
  });

  it('give 109 thousandths to the protocol from Fortuna to Iris only', () => {
    const share = (version: number): bigint => {
      const made = ledger({
        protocols: [{ version, effective_at_height: 0 }],
        rewardDelay: 3,
        protocolBeneficiary: POOL,
      });
      made.goTo(8);
      return made.balance(POOL);
    };
    const issued = coinbase(1) + coinbase(2) + coinbase(3) + coinbase(4) + coinbase(5);
    expect([1, 2, 3, 4, 5, 6].map(share)).to.deep.equal([
      0n,
      0n,
      ...Array<bigint>(3).fill((issued * 109n) / 1000n),
      0n,
    ]);
  });

  it('keep the supply equal to the issued amount, wherever the coins are', () => {
    const made = ledger({ protocols: [{ version: 6, effective_at_height: 0 }], rewardDelay: 3 });
    let issued = coinbase(1);
    for (let height = 2; height < 12; height += 1) {
      made.goTo(height);
      issued += coinbase(height);
      const { nonce: _, ...unnumbered } = spend;
      made.apply({ ...unnumbered, fee });
      expect(supplyOf(made.state).total).to.equal(3n * START + issued);
    }
  });
});
