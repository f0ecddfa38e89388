/** What the populator derives from a transaction and what `-v` computes from it agree, for every type of the catalogue. */
import { expect } from 'chai';
import fc from 'fast-check';
import { derive } from '../../src/chain/derive.js';
import type { NameUse } from '../../src/chain/derive.js';
import { effectiveOf } from '../../src/chain/effective.js';
import { encodeId } from '../../src/chain/encoding/encoding.js';
import type { Json, JsonObject } from '../../src/chain/encoding/json.js';
import type { Transaction } from '../../src/chain/facts.js';
import type { Operation } from '../../src/chain/operations.js';
import { recompute } from '../../src/chain/recompute/transaction.js';
import type { Effect, Recomputed } from '../../src/chain/recompute/transaction.js';
import { TRANSACTION_TYPES } from '../../src/chain/transactions/catalogue.js';
import type { Field } from '../../src/chain/transactions/fields.js';
import type { TransactionType } from '../../src/chain/transactions/type.js';
import {
  alice,
  bob,
  channel,
  contract,
  info,
  key,
  meta,
  name,
  oracle,
  paid,
  payer,
  transaction,
} from '../support/transactions.js';

const IDS = [alice, bob, payer, contract, oracle, channel, name, encodeId('oq', key(7)), encodeId('ok', key(1))];
/** What no node prints, as members of any form. */
const WRONG: fc.Arbitrary<Json> = fc.constantFrom<Json[]>(null, '', 'ak_', 'ak_0', -1, 7, 1.5, [], {}, 'text', '-1');

const integers = fc.oneof(
  fc.constantFrom<Json[]>(0, 1, 7, '0', '19', 2n ** 53n, 2n ** 255n, 2n ** 256n),
  fc.bigInt(0n, 2n ** 70n),
);
const names = fc.oneof(
  fc.constantFrom(
    'a.chain',
    'Alice-and-Bob.chain',
    'größer.chain',
    'GRÖSSER.chain',
    'a.b.chain',
    'old.test',
    'a b.chain',
  ),
  fc.string({ maxLength: 12 }).map((text) => `${text}.chain`),
);

const pointers = fc.array(
  fc.record({ key: fc.string({ maxLength: 5 }), id: fc.oneof(fc.constantFrom<Json[]>(...IDS), WRONG) }),
  { maxLength: 4 },
) as fc.Arbitrary<Json>;

/** Values of a member, as nodes print them. */
const usual = ({ member, form }: Field): fc.Arbitrary<Json> => {
  switch (form) {
    case 'int':
    case 'ttl':
    case 'abi':
    case 'vmAndAbi':
      return integers;
    case 'id':
    case 'bytes':
      return fc.constantFrom(...IDS);
    case 'ids':
    case 'delegates':
      return fc.array(fc.constantFrom(...IDS), { maxLength: 2 });
    case 'text':
      return member === 'name' ? names : fc.string({ maxLength: 9 });
    case 'relative':
      return fc.record({ type: fc.constantFrom('delta', 'block', 'other'), value: integers });
    case 'pointers':
      return pointers;
    case 'payload':
    case 'functionHash':
    case 'update':
      return fc.constantFrom<Json[]>('ba_Xfbg4g==', '0x00', {});
    case 'nested':
      return fc.constant(null);
  }
};

/** A transaction of the type; now and then a member is missing or wrong. */
const ofType = ({ name: type, formerly, fields }: TransactionType): fc.Arbitrary<JsonObject> =>
  fc
    .tuple(
      fc.constantFrom(type, formerly ?? type),
      ...fields
        .filter(({ form }) => form !== 'nested')
        .map((field) =>
          fc.option(fc.oneof({ weight: 40, arbitrary: usual(field) }, { weight: 1, arbitrary: WRONG }), {
            freq: 60,
            nil: undefined,
          }),
        ),
    )
    .map(([text, ...values]) => {
      const members = fields.filter(({ form }) => form !== 'nested').map(({ member }, i) => [member, values[i]]);
      return { type: text, ...Object.fromEntries(members.filter(([, value]) => value !== undefined)) } as JsonObject;
    });

/** The transaction alone, or in transactions that wrap it; with call information. */
const WRAPPED: ((tx: JsonObject) => Transaction)[] = [
  (tx) => transaction(tx),
  (tx) => transaction(paid(tx)),
  (tx) => transaction(meta(tx)),
  (tx) => transaction(meta(tx), info('ok')),
  (tx) => transaction(meta(tx), info('revert')),
  (tx) => transaction(meta(paid(tx)), info('ok')),
  (tx) => transaction(paid(meta(tx)), info('error')),
  (tx) => transaction(meta(meta(tx)), info('ok', { ga_info: { return_type: 'revert' } })),
];

/** The operation of the populator, as `-v` states it. */
function effectOf(operation: Operation | undefined, tx: JsonObject): Effect | undefined {
  if (operation === undefined) return undefined;
  switch (operation.on) {
    case 'name': {
      const { name_hash: hash } = operation;
      if (operation.op === 'revoke') return { on: 'name', hash, does: 'revoke' };
      if (operation.op === 'transfer') return { on: 'name', hash, does: 'transfer', recipient: operation.recipient };
      if (operation.op === 'claim') {
        const { name: text, owner, salt, fee } = operation;
        return { on: 'name', hash, does: 'claim', name: text, owner, salted: salt !== 0n, fee };
      }
      const { ttl, pointers: text, pointerIds } = operation;
      return { on: 'name', hash, does: 'update', ttl, pointers: text, pointerIds };
    }
    case 'oracle':
      return operation.op === 'extend'
        ? { on: 'oracle', id: operation.id, does: 'extend', value: operation.by }
        : {
            on: 'oracle',
            id: operation.id,
            does: 'register',
            relative: operation.ttl.type === 'delta',
            value: operation.ttl.value,
          };
    case 'query':
      return { on: 'query', id: operation.id, does: operation.op === 'ask' ? 'begin' : 'end' };
    case 'channel':
      return { on: 'channel', id: operation.id, does: operation.op === 'create' ? 'begin' : 'end' };
    case 'contract': {
      if (operation.op === 'create') return { on: 'contract', id: operation.id, does: 'create' };
      const data = tx['call_data'];
      const { id, caller } = operation;
      return { on: 'contract', id, does: 'call', caller, data: typeof data === 'string' ? data : undefined };
    }
  }
}

const byNameOf = (use: NameUse | undefined): Recomputed['byName'] =>
  use === undefined || use.role === 'contract'
    ? undefined
    : { name: use.name, to: use.role === 'oracle' ? 'oracle' : 'account' };

/** What the populator derives, in the form of `-v`. */
function derived(stored: Transaction): Partial<Recomputed> {
  const { valid, lists, operations, nameUses } = derive(stored);
  return {
    type: stored.type,
    size: stored.size,
    fee: stored.fee,
    valid,
    lists: new Set(lists.map(({ kind, id }) => `${kind} ${id}`)),
    effect: valid ? effectOf(operations[0], effectiveOf(stored).tx) : undefined,
    byName: byNameOf(nameUses[0]),
  };
}

describe('the second computation of what follows from a transaction', () => {
  for (const type of TRANSACTION_TYPES) {
    it(`agrees with the first one about any ${type.name}, alone and wrapped`, () => {
      let effects = 0;
      fc.assert(
        fc.property(ofType(type), fc.constantFrom(...WRAPPED), (tx, wrap) => {
          const stored = wrap(tx);
          const wanted = derived(stored);
          const found = recompute(stored)!;
          expect(found).to.deep.include(wanted);
          if (wanted.effect !== undefined) effects += 1;
        }),
        { numRuns: 200, seed: 37 },
      );
      // A case that is missing in both would agree, too.
      if (type.operation !== undefined) expect(effects).to.be.greaterThan(10);
      else expect(effects).to.equal(0);
    });
  }
});
