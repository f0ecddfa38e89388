import { expect } from 'chai';
import { parseExact } from '../../src/chain/encoding/json.js';
import type { Json } from '../../src/chain/encoding/json.js';
import { generatedModel, recordedModel } from '../support/modelled.js';
import type { Modelled } from '../support/modelled.js';
import { expectPages, expectRefused, malformed } from '../support/paging.js';
import { recording } from '../support/recording.js';
import { madeHash } from '../support/seed.js';
import { textOf } from '../support/slow-model.js';
import { plainOracles, plainQuestions } from '../support/slow-objects.js';

for (const [what, build] of Object.entries({
  'the recorded chain': () => recordedModel(),
  'the recorded chain up to height 20': () => recordedModel(20),
  'a generated chain': () => generatedModel('oracles'),
})) {
  describe(`oracles of ${what}`, () => {
    let model: Modelled;
    before(async () => (model = await build()));
    after(() => model.close());

    it('are listed while they are active, latest registrations first', async () => {
      const oracles = plainOracles(model.chain);
      expect(oracles).to.have.length.above(1);
      await expectPages(model, '/middleware/oracles/list', oracles);
      expect(await model.exact('/middleware/oracles/all')).to.deep.equal(oracles);
    });

    it('list their queries, newest first, with their responses or null', async () => {
      const questions = plainQuestions(model.chain);
      const all = [...questions.values()].flat();
      expect(all.some(({ response }) => response === null)).to.equal(true);
      expect(all.some(({ response }) => response !== null)).to.equal(true);
      for (const [oracle, expected] of questions) {
        await expectPages(model, `/middleware/oracles/${oracle}`, expected);
        expect(await model.exact(`/middleware/oracles/ak_${oracle.slice(3)}`)).to.deep.equal([]);
      }
      expect(await model.exact(`/middleware/oracles/${madeHash('ok', 'nobody')}`)).to.deep.equal([]);
    });

    it('refuse malformed identifiers', () => expectRefused(model, malformed('/middleware/oracles/', 'oracle')));
  });
}

describe('oracles of the recorded chain', () => {
  let model: Modelled;
  before(async () => (model = await recordedModel()));
  after(() => model.close());

  it('equal the state of the node at the head', async () => {
    const listed = (await model.exact('/middleware/oracles/list')) as {
      oracle_id: string;
      expires_at: number;
      tx: Record<string, Json>;
    }[];
    // An oracle that a contract registered has no transaction.
    const told = [...recording()]
      .filter(([key, { status }]) => /^GET \/v2\/oracles\/ok_\w+$/.test(key) && status === 200)
      .map(([, { body }]) => parseExact(body) as Record<string, Json>)
      .filter(({ abi_version }) => abi_version === 0);
    expect(listed.map(({ oracle_id }) => oracle_id)).to.have.members(told.map(({ id }) => id));
    for (const { id, ttl, ...terms } of told) {
      const { expires_at, tx } = listed.find(({ oracle_id }) => oracle_id === id)!;
      expect(expires_at).to.equal(ttl);
      expect(tx).to.include(terms);
    }
  });

  it('list the queries and responses that the node has', async () => {
    let compared = 0;
    for (const [key, { body }] of recording()) {
      const oracle = /^GET \/v2\/oracles\/(ok_\w+)\/queries$/.exec(key)?.[1];
      if (oracle === undefined) continue;
      const questions = (await model.exact(`/middleware/oracles/${oracle}`)) as {
        query_id: string;
        request: Record<string, Json>;
        response: Record<string, Json> | null;
      }[];
      for (const node of (parseExact(body) as { oracle_queries: Record<string, Json>[] }).oracle_queries) {
        const { request, response } = questions.find(({ query_id }) => query_id === node['id'])!;
        const plain = (text: Json): string => Buffer.from(textOf(text).slice(3), 'base64').subarray(0, -4).toString();
        expect(request['query']).to.equal(plain(node['query']!));
        expect(request['query_fee']).to.equal(node['fee']);
        expect(request['sender_id']).to.equal(node['sender_id']);
        expect(response?.['response'] ?? '').to.equal(plain(node['response']!));
        compared += 1;
      }
    }
    expect(compared).to.be.above(4);
  });
});
