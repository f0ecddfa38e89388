import { expect } from 'chai';
import { decodeId, encodeId } from '../../src/chain/encoding/encoding.js';
import { parseExact, stringifyExact } from '../../src/chain/encoding/json.js';
import { elementTexts, memberText } from '../../src/chain/encoding/json-walk.js';
import type { JsonObject } from '../../src/chain/encoding/json.js';
import { MalformedError } from '../../src/chain/malformed.js';
import { parseSigned, parseTransaction } from '../../src/chain/serialize/parse.js';
import { transactionsRoot } from '../../src/chain/serialize/txs-root.js';
import { recordedMachine } from '../../devtools/devnode/ledger/machine.js';
import { createRules } from '../../devtools/devnode/ledger/rules.js';
import { isSigned } from '../../devtools/devnode/ledger/signatures.js';
import { supplyOf } from '../../devtools/devnode/ledger/supply.js';
import { createStates } from '../../devtools/devnode/live/states.js';
import type { States } from '../../devtools/devnode/live/states.js';
import { readReplay } from '../../devtools/devnode/replay.js';
import { createChainStore } from '../../devtools/devnode/store/chain-store.js';
import type { ChainStore } from '../../devtools/devnode/store/chain-store.js';
import { RECORDED_START, recordingFile } from '../support/realnode.js';
import { recordedGenerations, recordedInfo, recording } from '../support/recording.js';

const NETWORK = 'ae_mdwtest';
const CONTRACT_ORACLE_COINS = 100n;

describe('the recorded chain, executed by the state machine', () => {
  let store: ChainStore;
  let states: States;

  before(() => {
    store = createChainStore();
    const { protocols } = readReplay(recordingFile('chain'), store);
    states = createStates({
      store,
      rules: createRules({ protocols, ...RECORDED_START.rules }),
      machine: recordedMachine((transaction) => recordedInfo(transaction) ?? undefined),
      funds: () => RECORDED_START.funds!,
    });
    states.after(store.head());
  });
  after(() => store.close());

  it('returns the exact recorded supply at every recorded height, except for payments by contracts', () => {
    let compared = 0;
    for (const [request, { body, status }] of recording()) {
      const [, height] = /^GET \/v2\/debug\/token-supply\/height\/(\d+)$/.exec(request) ?? [];
      if (height === undefined || status !== 200) continue;
      const recorded = parseExact(body) as Record<string, number | bigint>;
      const { accounts, contracts, contract_oracles, ...rest } = supplyOf(states.after(store.keyAt(Number(height))));
      for (const [member, amount] of Object.entries(rest))
        expect(amount, `${member} at ${height}`).to.equal(BigInt(recorded[member]!));
      // From height 44 on a contract had paid 5000 aettos to an account; from 52 on another was an oracle.
      const paid = Number(height) >= 45 ? 5_000n : 0n;
      const inOracle = Number(height) >= 55 ? CONTRACT_ORACLE_COINS : 0n;
      expect(accounts + paid, `accounts at ${height}`).to.equal(BigInt(recorded['accounts']!));
      expect(contracts - paid - inOracle, `contracts at ${height}`).to.equal(BigInt(recorded['contracts']!));
      expect(contract_oracles + inOracle, `contract oracles at ${height}`).to.equal(
        BigInt(recorded['contract_oracles']!),
      );
      compared += 1;
    }
    expect(compared).to.equal(44);
  });

  it('accepts the signatures of every transaction, and refuses other signatures', () => {
    let checked = 0;
    for (let block = 0; block < store.blockCount(); block += 1) {
      if (store.isKey(block)) continue;
      const state = states.after(store.parent(block));
      for (const inclusion of store.inclusionsOf(block)) {
        const { encoded_tx } = parseExact(store.inclusionText(inclusion).toString()) as JsonObject;
        const signed = parseSigned(decodeId(encoded_tx as string));
        // A channel may have been used in the block in which it was opened.
        const after = states.after(block);
        expect(isSigned(signed, state, NETWORK) || isSigned(signed, after, NETWORK), encoded_tx as string).to.equal(
          true,
        );
        if (signed.signatures.length > 0) {
          expect(isSigned(signed, after, 'ae_other')).to.equal(false);
          expect(isSigned({ ...signed, signatures: signed.signatures.slice(1) }, after, NETWORK)).to.equal(false);
        }
        checked += 1;
      }
    }
    expect(checked).to.equal(444);
  });
});

describe('the binary form of the recorded transactions', () => {
  it('is parsed to the JSON that the node printed, and matches the root of every micro block', () => {
    const types = new Set<unknown>();
    for (const { microBlocks } of recordedGenerations()) {
      for (const { header, transactions } of microBlocks) {
        const texts = elementTexts(memberText(transactions, 'transactions')!);
        const signed = texts.map((text) => decodeId(JSON.parse(memberText(text, 'encoded_tx')!) as string));
        expect(encodeId('bx', transactionsRoot(signed))).to.equal(
          (JSON.parse(header) as { txs_hash: string }).txs_hash,
        );
        for (const [at, bytes] of signed.entries()) {
          const { tx } = parseSigned(bytes);
          types.add(tx['type']);
          expect(stringifyExact(tx)).to.equal(memberText(texts[at]!, 'tx'));
        }
      }
    }
    expect(types.size).to.equal(23);
  });

  it('is refused after any change', () => {
    const [{ encoded_tx }] = parseExact(
      `[${elementTexts(memberText(recordedGenerations().find(({ microBlocks }) => microBlocks.length > 0)!.microBlocks[0]!.transactions, 'transactions')!)[0]!}]`,
    ) as [{ encoded_tx: string }];
    const good = decodeId(encoded_tx);
    const { unsigned } = parseSigned(good);
    const bad = [
      good.subarray(0, -1),
      Buffer.concat([good, Uint8Array.of(0)]),
      unsigned,
      new Uint8Array(0),
      Uint8Array.of(0xc0),
      Uint8Array.of(0xf8, 0x01, 0x80),
    ];
    for (const bytes of bad)
      expect(() => parseSigned(bytes), Buffer.from(bytes).toString('hex')).to.throw(MalformedError);
    const otherTag = Buffer.from(unsigned);
    otherTag[otherTag.indexOf(12)] = 99;
    expect(() => parseTransaction(otherTag)).to.throw(MalformedError, 'no transaction of tag 99');
  });
});
