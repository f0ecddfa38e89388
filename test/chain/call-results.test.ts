import { expect } from 'chai';
import { callIn } from '../../src/chain/effective.js';
import type { Json } from '../../src/chain/encoding/json.js';
import type { Queryable } from '../../src/store/connection/database.js';
import type { Read } from '../../src/store/facts/read.js';
import { contracts } from '../../src/store/projections/contracts.js';

const wrapped = (inner: Json): Json => ({ ga_info: { return_type: 'ok', inner_object: inner } });
const call = { call_info: { return_type: 'ok', return_value: 'cb_value' } };

describe('the result of a call in the call information of a node', () => {
  it('is found in the results of authentications', () => {
    expect(callIn(call)).to.equal(call.call_info);
    expect(callIn(wrapped(wrapped(call)))).to.equal(call.call_info);
  });

  it('is found, however deeply a node nests it', () => {
    let info: Json = call;
    for (let i = 0; i < 100_000; i++) info = wrapped(info);
    expect(callIn(info)).to.equal(call.call_info);
  });

  const WITHOUT: Json[] = [{}, { ga_info: null }, wrapped(null), wrapped('text'), wrapped([]), { call_info: null }];
  for (const info of WITHOUT) {
    it(`is missing in ${JSON.stringify(info)}, also for the verification`, async () => {
      expect(callIn(info)).to.equal(undefined);
      const row = { position: '1', info: JSON.stringify(info) };
      const effect = { on: 'contract', does: 'call', id: 'ct_1', data: 'cb_data' };
      const stored = { position: '1', contract_id: 'ct_1', state: 'done', arguments: '{"function":"f"}', result: null };
      const called = { id: 'ct_1', body: null, known_code: 'cb_code' };
      const rows: Record<string, object[]> = { 'verify.calls': [stored], 'verify.called': [called] };
      const db = { query: ({ name }: { name: string }) => Promise.resolve({ rows: rows[name] ?? [] }) };
      const calls = { decodeCall: () => ({ function: 'f', arguments: [] }), decodeResult: () => ({ value: 1 }) };
      const transactions = [{ row, found: { effect } } as unknown as Read];
      const window = { from: 0n, to: 0n, keyBlocks: [], transactions, calls };
      const [difference, ...more] = await contracts.window!(db as unknown as Queryable, window);
      // The stored arguments differ from the decoded ones; the result, which is missing, does not.
      expect(more).to.deep.equal([]);
      expect(difference).to.deep.include({ column: 'arguments' });
    });
  }
});
