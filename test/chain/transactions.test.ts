import { expect } from 'chai';
import { encodeId } from '../../src/chain/encoding/encoding.js';
import type { Json, JsonObject } from '../../src/chain/encoding/json.js';
import { parseTransaction } from '../../src/chain/serialize/parse.js';
import { serializeTransaction } from '../../src/chain/serialize/transactions.js';
import { TRANSACTION_TYPES, taggedType, transactionType } from '../../src/chain/transactions/catalogue.js';
import type { Field } from '../../src/chain/transactions/fields.js';
import type { TransactionType } from '../../src/chain/transactions/type.js';

const BYTES = Uint8Array.from({ length: 32 }, (_, i) => i);
const ACCOUNT = encodeId('ak', BYTES);
const CALL = encodeId('cb', BYTES);
const SPEND: JsonObject = {
  amount: 1,
  fee: 2,
  nonce: 3,
  payload: encodeId('ba', BYTES),
  recipient_id: ACCOUNT,
  sender_id: ACCOUNT,
  type: 'SpendTx',
  version: 1,
};

/** The members of a field, with values as a node prints them. */
function example({ member, form, prefix }: Field, version: number): JsonObject {
  const value = (): Json => {
    switch (form) {
      case 'int':
      case 'abi':
        return 2n ** 70n;
      case 'ttl':
        return 7;
      case 'id':
        return ACCOUNT;
      case 'ids':
        return [ACCOUNT];
      case 'bytes':
        return encodeId(prefix!, BYTES);
      case 'payload':
        return encodeId('ba', BYTES);
      case 'text':
        return 'größer';
      case 'relative':
        return { type: 'block', value: 9 };
      case 'vmAndAbi':
        return 7;
      case 'functionHash':
        return `0x${Buffer.from(BYTES).toString('hex')}`;
      case 'pointers':
        return [
          { encoded_key: encodeId('ba', Buffer.from('key')), id: ACCOUNT, key: 'key' },
          ...(version === 1
            ? []
            : [{ encoded_key: encodeId('ba', BYTES), id: encodeId('ba', BYTES), key: text(BYTES) }]),
        ];
      case 'delegates':
        return version === 1 ? [ACCOUNT] : { initiator: [ACCOUNT], responder: [] };
      case 'update':
        return {
          abi_version: 3,
          amount: 1,
          call_data: CALL,
          call_stack: [1, 2],
          caller_id: ACCOUNT,
          contract_id: encodeId('ct', BYTES),
          gas: 4,
          gas_price: 5,
          op: 'OffChainCallContract',
        };
      case 'nested':
        return { signatures: [encodeId('sg', Buffer.concat([BYTES, BYTES]))], tx: SPEND };
    }
  };
  return { [member]: value(), ...(form === 'vmAndAbi' ? { abi_version: 3 } : {}) };
}

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

const members = ({ fields }: TransactionType): string[] => fields.map(({ member }) => member);

describe('the catalogue of transaction types', () => {
  it('has each name and each tag once', () => {
    for (const type of TRANSACTION_TYPES) {
      expect(transactionType(type.name)).to.equal(type);
      expect(taggedType(type.tag)).to.equal(type);
    }
    expect(transactionType('OracleResponseTx')).to.equal(transactionType('OracleRespondTx'));
    expect(transactionType('constructor')).to.equal(undefined);
  });

  for (const type of TRANSACTION_TYPES) {
    it(`uses only members of ${type.name} for its lists and its value flow`, () => {
      const { listed, resolves, valueFlow } = type;
      const named = [
        ...(listed === undefined ? [] : [listed.member]),
        ...(resolves === undefined ? [] : [resolves.member]),
        ...(valueFlow?.roles ?? []).flatMap(({ account, amounts, other }) => [
          account,
          ...amounts,
          ...(other === null ? [] : [other]),
        ]),
      ];
      expect(members(type)).to.include.members(named);
    });

    for (const version of type.versions) {
      it(`reads version ${version} of ${type.name} as it was written`, () => {
        const fields = type.fields.filter(({ onlyIn }) => onlyIn === undefined || onlyIn === version);
        const tx: JsonObject = Object.assign({}, ...fields.map((field) => example(field, version)), {
          type: type.name,
          version: type.version?.printed ?? version,
        }) as JsonObject;

        expect(parseTransaction(serializeTransaction(tx))).to.deep.equal(tx);
      });
    }
  }
});
