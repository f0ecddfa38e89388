import { expect } from 'chai';
import { BytecodeContractCallEncoder, ContractByteArrayEncoder } from '@aeternity/aepp-calldata';
import { readMicroBlock } from '../../src/chain/facts.js';
import type { JsonObject } from '../../src/chain/encoding/json.js';
import { parseExact, stringifyExact } from '../../src/chain/encoding/json.js';
import { offlineContract } from '../../src/compiler/offline.js';
import type { TypedValue } from '../../src/chain/fate/values.js';
import { recordedGenerations, recordedInfo } from '../support/recording.js';

type Encoded = `cb_${string}`;

interface Call {
  hash: string;
  code: Encoded;
  data: Encoded;
  /** Execution result; undefined if the call is inside another transaction. */
  info: JsonObject | undefined;
}

describe('decoding the contract calls of a recorded chain', () => {
  let calls: Call[];
  before(() => {
    calls = recordedCalls();
  });

  it('names the functions and arguments as the reference decoder does', () => {
    expect(calls.length).to.be.greaterThan(15);
    for (const { hash, code, data } of calls) {
      const reference = new BytecodeContractCallEncoder(code).decodeCall(data) as {
        functionName: string;
        args: unknown[];
      };

      const decoded = offlineContract(code)?.decodeCall(data);

      expect(decoded?.function, hash).to.equal(reference.functionName);
      expect(decoded!.arguments.map(canonical), hash).to.deep.equal(reference.args.map(plain));
    }
  });

  it('decodes the return values of the successful calls', () => {
    const ended = calls.filter(({ info }) => info?.['return_type'] === 'ok');
    expect(ended.length).to.be.greaterThan(8);
    for (const { hash, code, data, info } of ended) {
      const { functionName } = new BytecodeContractCallEncoder(code).decodeCall(data) as { functionName: string };
      const value = info!['return_value'] as Encoded;
      const reference: unknown = new ContractByteArrayEncoder().decode(value);

      const decoded = offlineContract(code)?.decodeResult(functionName, value);

      expect(decoded?.function, hash).to.equal(functionName);
      expect(canonical(decoded!.result), hash).to.deep.equal(plain(reference));
    }
  });

  it('returns the same structure as the compiler service', () => {
    const find = (name: string) =>
      calls.map(({ code, data }) => offlineContract(code)!.decodeCall(data)!).find((call) => call.function === name);

    expect(JSON.parse(stringifyExact(find('put_key')))).to.deep.equal({
      function: 'put_key',
      arguments: [
        { type: 'string', value: 'k1' },
        { type: 'int', value: 11 },
      ],
    });
    expect(find('tup')?.arguments.map(({ type }) => type)).to.deep.equal(['tuple', 'variant', 'map']);
    expect(find('bytes_')?.arguments.map(({ type }) => type)).to.deep.equal(['bytes', 'bytes', 'bytes']);
    expect(find('pay_out')?.arguments[0]).to.have.property('type', 'address');
  });
});

/** Calls of recorded contracts, also those inside other transactions. A creation counts as a call of `init`. */
function recordedCalls(): Call[] {
  const codes = new Map<string, Encoded>();
  const calls: Call[] = [];
  for (const { microBlocks } of recordedGenerations()) {
    for (const { header, transactions } of microBlocks) {
      for (const { hash, tx } of readMicroBlock(header, transactions).transactions) {
        const info = executionResult(hash);
        const inner = innermost(tx);
        if (inner['type'] === 'ContractCreateTx') codes.set(info?.['contract_id'] as string, inner['code'] as Encoded);
        const code = inner['type'] === 'ContractCreateTx' ? inner['code'] : codes.get(inner['contract_id'] as string);
        if (code === undefined || inner['call_data'] === undefined) continue;
        const outcome = inner === tx && inner['type'] === 'ContractCallTx' ? info : undefined;
        calls.push({ hash, code: code as Encoded, data: inner['call_data'] as Encoded, info: outcome });
      }
    }
  }
  return calls;
}

function executionResult(hash: string): JsonObject | undefined {
  const text = recordedInfo(hash);
  return text === null ? undefined : ((parseExact(text) as JsonObject)['call_info'] as JsonObject | undefined);
}

function innermost(tx: JsonObject): JsonObject {
  const signed = tx['tx'] as JsonObject | undefined;
  return signed === undefined ? tx : innermost(signed['tx'] as JsonObject);
}

/** A typed value in the form of the reference decoder, which has no names of constructors. */
function canonical({ type, value }: TypedValue): unknown {
  const values = () => (value as TypedValue[]).map(canonical);
  switch (type) {
    case 'int':
      return (value as number | bigint).toString();
    case 'unit':
      return [];
    case 'list':
    case 'tuple':
      return values();
    case 'map':
      return (value as { key: TypedValue; val: TypedValue }[]).map(({ key, val }) => [canonical(key), canonical(val)]);
    case 'variant': {
      const [constructor, ...rest] = value as [number, ...TypedValue[]];
      return { [constructor]: rest.map(canonical) };
    }
    case 'bytes':
      return bytesOf(value as string);
    default:
      return value;
  }
}

const bytesOf = (id: string): string => Buffer.from(id.slice(3), 'base64').subarray(0, -4).toString('hex');

/** Result of the reference decoder, in comparable form. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  if (value instanceof Map) return [...value].map(([key, val]) => [plain(key), plain(val)]);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, val]) => [key, plain(val)]));
  }
  return value;
}
