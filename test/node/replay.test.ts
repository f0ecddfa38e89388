/** Replays by nodes: what is sent, and what each answer means. */
import { expect } from 'chai';
import { text } from 'node:stream/consumers';
import { parseExact } from '../../src/chain/encoding/json.js';
import type { Replay } from '../../src/chain/replays.js';
import { serviceAddress } from '../../src/node/address.js';
import { createNodeClient } from '../../src/node/client.js';
import { createNodePool } from '../../src/node/pool.js';
import { silent } from '../support/copy.js';
import { reply, startServer } from '../support/http-server.js';
import { recorded } from '../support/recording.js';

const EVENT = {
  kind: 'internal_call_tx',
  key: 'Chain.spend',
  type: 'contract_call_tx',
  tx_hash: 'th_other',
  info: { amount: '1', sender_id: 'ak_a' },
};
const CALL = { return_type: 'ok', return_value: 'cb_x', gas_used: 5, log: [] };
const ANSWER = {
  results: [
    { type: 'spend', result: 'ok' },
    { type: 'contract_call', result: 'ok', call_obj: CALL },
  ],
  tx_events: [EVENT],
};
const REPLAY: Replay = { transactions: ['tx_a', 'tx_b'], credit: undefined };
const reason = (of: string): string => JSON.stringify({ reason: of });

describe('replays by a node', () => {
  /** The answer of a node that answers so, and the body of the request. */
  async function asked(status: number, body: string, replay = REPLAY) {
    let sent = '';
    const server = await startServer(async (request, response) => {
      sent = await text(request);
      reply(response, status, body);
    });
    const node = createNodeClient({
      address: serviceAddress(server.url),
      api: 'v3',
      timeoutMs: 10_000,
      concurrency: 1,
    });
    try {
      return {
        answer: await node.replay('mh_x', replay).catch((error: Error) => error),
        sent,
        requests: server.requests,
      };
    } finally {
      node.close();
      await server.close();
    }
  }

  it('are one request with the transactions in their order, with coins only where another account pays', async () => {
    const amount = 123456789012345678901234n;
    const { answer, sent, requests } = await asked(200, JSON.stringify(ANSWER).replace('"1"', '12345678901234567890'));
    expect(answer).to.deep.equal({
      call: CALL,
      events: [{ function: 'Chain.spend', info: { ...EVENT.info, amount: 12345678901234567890n } }],
    });
    expect(requests).to.deep.equal(['POST /v3/dry-run']);
    const body = { top: 'mh_x', tx_events: true, txs: [{ tx: 'tx_a' }, { tx: 'tx_b' }] };
    expect(JSON.parse(sent)).to.deep.equal(body);
    const credited = await asked(200, JSON.stringify(ANSWER), { ...REPLAY, credit: { account: 'ak_a', amount } });
    expect(parseExact(credited.sent)).to.deep.equal({ ...body, accounts: [{ pub_key: 'ak_a', amount }] });
  });

  it('have no result where the node could not run the transaction', async () => {
    const failed = { ...ANSWER, results: [ANSWER.results[0], { type: 'contract_call', result: 'error', reason: 'x' }] };
    expect((await asked(200, JSON.stringify({ ...failed, tx_events: [] }))).answer).to.deep.equal({
      ...{ call: undefined, events: [] },
    });
  });

  it('are refused in a way that says whether to ask again', async () => {
    const cases: [number, string, unknown][] = [
      [400, reason('Bad request: Unsupported transaction type paying_for_tx'), 'refused'],
      [400, reason('Bad request: dry-run exceeded time limit'), 'refused'],
      [400, reason('Bad request: Block state of given hash was garbage collected'), 'no_state'],
      [400, reason('Bad request: Invalid hash provided'), null],
      [410, reason('gone'), 'no_state'],
      [403, reason('Over the gas limit'), 'too_much_gas'],
      [403, reason('Forbidden'), null],
      [404, reason('Block not found'), null],
      [500, reason('Internal server error'), 'refused'],
    ];
    for (const [status, body, answer] of cases) expect((await asked(status, body)).answer, body).to.equal(answer);
  });

  it('are a fault of a node that does none, and of a proxy', async () => {
    for (const [status, body] of [
      [403, ''],
      [404, 'no such path'],
      [405, ''],
      [400, '{}'],
      [500, '<html>'],
    ] as const)
      expect((await asked(status, body)).answer, body).to.include({ code: 'node_malformed' });
  });

  it('are a fault of the node where it is busy, or an answer does not fit', async () => {
    expect((await asked(503, reason('Temporary overload'))).answer).to.include({ code: 'node_busy' });
    expect((await asked(502, reason('x'))).answer).to.include({ code: 'node_error' });
    for (const body of [
      '{}',
      'x',
      JSON.stringify({ results: ANSWER.results }),
      JSON.stringify({ ...ANSWER, results: [] }),
      JSON.stringify({ ...ANSWER, tx_events: [{ key: 'Chain.spend' }] }),
    ])
      expect((await asked(200, body)).answer, body).to.include({ code: 'node_malformed' });
  });

  it('are those of another node where one refuses them', async () => {
    const status = recorded('/v2/status');
    const start = (answer: [number, string]) =>
      startServer((request, response) => {
        if (request.method === 'POST') reply(response, ...answer);
        else reply(response, 200, request.url === '/v3/status' ? status : recorded('/v2/key-blocks/current'));
      });
    const gone: [number, string] = [410, reason('gone')];
    for (const [second, expected] of [
      [[200, JSON.stringify(ANSWER)], CALL],
      [[404, reason('Block not found')], undefined],
      [[503, ''], undefined],
    ] as [[number, string], object | undefined][]) {
      const servers = [await start(gone), await start(second)];
      const pool = createNodePool({
        ...{ urls: servers.map(({ url }) => url), api: 'v3' as const, timeoutMs: 5_000, concurrency: 2 },
        ...{ proof: 'off' as const, logger: silent },
      });
      const answer = await pool.replay('mh_x', REPLAY);
      if (expected === undefined) expect(answer).to.equal('no_state');
      else expect(answer).to.deep.include({ call: expected });
      pool.close();
      for (const server of servers) await server.close();
    }
  });
});
