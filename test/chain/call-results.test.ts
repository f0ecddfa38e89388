import { expect } from 'chai';
import { callIn } from '../../src/chain/effective.js';
import type { Json } from '../../src/chain/encoding/json.js';
import { contractCalls } from '../../src/store/verify/calls.js';
import type { Read } from '../../src/store/facts/read.js';
import type { WindowRows } from '../../src/store/facts/window.js';

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
    it(`is missing in ${JSON.stringify(info)}, also for the verification`, () => {
      expect(callIn(info)).to.equal(undefined);
      const row = { position: '1', info: JSON.stringify(info) };
      const effect = { on: 'contract', does: 'call', id: 'ct_1', data: 'cb_data' };
      const stored = { position: '1', contract_id: 'ct_1', state: 'done', arguments: '{"function":"f"}', result: null };
      const called = { id: 'ct_1', body: null, known_code: 'cb_code' };
      const rows = { calls: [stored], called: [called] } as unknown as WindowRows;
      const decoder = { decodeCall: () => ({ function: 'f', arguments: [] }), decodeResult: () => ({ value: 1 }) };
      const [difference, ...more] = contractCalls(rows, [{ row, found: { effect } } as unknown as Read], decoder);
      // The stored arguments differ from the decoded ones; the result, which is missing, does not.
      expect(more).to.deep.equal([]);
      expect(difference).to.deep.include({ column: 'arguments' });
    });
  }
});
