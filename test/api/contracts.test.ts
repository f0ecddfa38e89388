import { expect } from 'chai';
import { parseExact } from '../../src/chain/encoding/json.js';
import { memberText } from '../../src/chain/encoding/json-walk.js';
import type { Json, JsonObject } from '../../src/chain/encoding/json.js';
import { createCallDecoder } from '../../src/compiler/decoder.js';
import { offlineContract } from '../../src/compiler/offline.js';
import { contractCodes, dueInfos, saveDecoded } from '../../src/store/calls.js';
import { saveInfos } from '../../src/store/due-infos.js';
import { stringifyExact } from '../../src/chain/encoding/json.js';
import { generatedModel, recordedModel } from '../support/modelled.js';
import type { Modelled } from '../support/modelled.js';
import { expectPages, expectRefused, malformed } from '../support/paging.js';
import { recorded, recordedInfo } from '../support/recording.js';
import { madeHash } from '../support/seed.js';
import { plainTransactions, rawRecord, textOf } from '../support/slow-model.js';
import { plainCalls, plainContracts } from '../support/slow-objects.js';
import { transactionsIn } from '../support/outcome.js';

/** Decodes all waiting calls, as the populator does in the background. */
async function decodeAll({ database }: Modelled, infoOf: (hash: string) => string | null): Promise<void> {
  const decoder = createCallDecoder();
  for (;;) {
    const due = await dueInfos(database, 'others', 100);
    if (due.length === 0) return;
    const calls = due.filter(({ contractId }) => contractId !== null);
    const contracts = calls.map(({ contractId }) => contractId!);
    const codes = await contractCodes(database, contracts);
    const decoded = await Promise.all(
      calls.map(async ({ position, hash, body, codeId }) => {
        const code = textOf(
          (parseExact(memberText(codes.find((one) => one.codeId === codeId)!.creation!, 'tx')!) as JsonObject)['code'],
        );
        let tx = parseExact(memberText(body, 'tx')!) as JsonObject;
        while (tx['tx'] !== undefined) tx = (tx['tx'] as JsonObject)['tx'] as JsonObject;
        const data = textOf(tx['call_data']);
        const call = await decoder(code).decodeCall(data);
        return {
          position,
          hash,
          codeId,
          arguments: call && stringifyExact(call),
          result: call && '{"data":{"type":"int","value":123456789012345678901234567890}}',
        };
      }),
    );
    await saveDecoded(database, decoded);
    await saveInfos(
      database,
      due.map(({ position, hash }) => ({ position, hash, info: infoOf(hash), logs: [], outcome: null })),
    );
  }
}

for (const [what, build] of Object.entries({
  'the recorded chain': () => recordedModel(),
  'a generated chain': () => generatedModel('contracts'),
})) {
  describe(`contracts of ${what}`, () => {
    let model: Modelled;
    before(async () => (model = await build()));
    after(() => model.close());

    it('are listed, newest first', async () => {
      const expected = [...plainContracts(model.chain)]
        .map(
          ([
            contract_id,
            {
              creation: { hash, height },
            },
          ]) => ({
            contract_id,
            transaction_hash: hash,
            block_height: height,
          }),
        )
        .reverse();
      expect(expected).to.have.length.above(2);
      await expectPages(model, '/middleware/contracts/all', expected);
    });

    it('list their transactions: the creation, then the calls', async () => {
      const contracts = plainContracts(model.chain);
      expect([...contracts.values()].some(({ calls }) => calls.length > 3)).to.equal(true);
      for (const [id, { creation, calls }] of contracts) {
        const whole = [creation, ...calls].map((transaction) => transaction.whole);
        await expectPages(model, `/middleware/contracts/transactions/address/${id}`, whole, transactionsIn);
      }
      const unknown = `/middleware/contracts/transactions/address/${madeHash('ak', 'nobody')}`;
      expect(await model.exact(unknown)).to.deep.equal({ transactions: [] });
    });

    it('return the transaction that created them as a record', async () => {
      for (const [id, { creation }] of plainContracts(model.chain)) {
        const path = `/middleware/contracts/transactions/creation/address/${id}`;
        expect(await model.exact(path)).to.deep.equal(rawRecord(creation));
      }
      const path = `/middleware/contracts/transactions/creation/address/${madeHash('ak', 'nobody')}`;
      expect((await model.api.get(path)).status).to.equal(404);
    });

    it('refuse malformed identifiers', () =>
      expectRefused(model, {
        ...malformed('/middleware/contracts/transactions/address/', 'address'),
        ...malformed('/middleware/contracts/transactions/creation/address/', 'address'),
        ...malformed('/middleware/contracts/calls/address/', 'address'),
        ...malformed('/middleware/contracts/calls/transaction/', 'hash'),
      }));
  });
}

describe('calls of the recorded contracts', () => {
  let model: Modelled;
  let unexplained: string;
  before(async () => {
    model = await recordedModel();
    const called = plainTransactions(model.chain).filter(({ type }) => type === 'ContractCallTx');
    unexplained = called[0]!.hash;
  });
  after(() => model.close());

  it('are not listed before they are decoded', async () => {
    for (const id of plainContracts(model.chain).keys()) {
      expect(await model.exact(`/middleware/contracts/calls/address/${id}`)).to.deep.equal([]);
    }
  });

  it('are listed oldest first, with the info of the node and all digits', async () => {
    await decodeAll(model, (hash) => (hash === unexplained ? null : recordedInfo(hash)));
    let listed = 0;
    const wrappers = new Set<string>();
    for (const [id, { creation }] of plainContracts(model.chain)) {
      const calls = plainCalls(model.chain, id);
      const expected = calls.flatMap(({ hash, type, effective: tx }) => {
        const decoded =
          offlineContract(textOf(creation.effective['code']))?.decodeCall(textOf(tx['call_data'])) ?? null;
        if (decoded === null) return [];
        wrappers.add(type);
        const info = parseExact(recorded(`/v2/transactions/${hash}/info`)) as { call_info: Json };
        return [
          {
            transaction_id: hash,
            contract_id: id,
            caller_id: tx['caller_id']!,
            arguments: parseExact(stringifyExact(decoded)),
            callinfo: hash === unexplained ? null : info.call_info,
            result: { data: { type: 'int', value: 123456789012345678901234567890n } },
          },
        ];
      });
      listed += expected.length;
      await expectPages(model, `/middleware/contracts/calls/address/${id}`, expected);
      for (const call of expected) {
        const path = `/middleware/contracts/calls/transaction/${call.transaction_id}`;
        expect(await model.exact(path)).to.deep.equal(call);
      }
      // The creation, and calls that cannot be decoded.
      for (const { hash } of [creation, ...calls]) {
        if (expected.some(({ transaction_id }) => transaction_id === hash)) continue;
        const { status } = await model.api.get(`/middleware/contracts/calls/transaction/${hash}`);
        expect(status, hash).to.equal(404);
      }
    }
    expect(listed).to.be.above(8);
    expect([...wrappers]).to.have.members(['ContractCallTx', 'PayingForTx']);
    expect(await model.exact(`/middleware/contracts/calls/address/${madeHash('ak', 'nobody')}`)).to.deep.equal([]);
  });

  it('have the code that the node has', async () => {
    for (const [id] of plainContracts(model.chain)) {
      const answer = (await model.exact(`/middleware/contracts/transactions/creation/address/${id}`)) as {
        tx: { code: string };
      };
      const path = `/v2/contracts/${id}/code`;
      let node: string;
      try {
        node = recorded(path);
      } catch {
        continue;
      }
      expect(answer.tx.code).to.equal((JSON.parse(node) as { bytecode: string }).bytecode);
    }
  });
});
