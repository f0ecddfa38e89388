import { expect } from 'chai';
import { text } from 'node:stream/consumers';
import { serviceAddress } from '../../src/node/address.js';
import { createNodeClient } from '../../src/node/client.js';
import { reply, startServer } from '../support/http-server.js';

/** What a node answered to two calls, of which it could not make the second one. */
const ANSWER = {
  results: [
    {
      type: 'contract_call',
      result: 'ok',
      call_obj: { return_type: 'ok', return_value: 'cb_b4oBuK0l0HqIixJlQ88WNQ==' },
    },
    { type: 'contract_call', result: 'error', reason: 'Internal error:\n  account_not_found\n' },
  ],
};
const CALLS = [
  { contract: 'ct_a', callData: 'cb_KxEUN7Q4P9vW3tI=', gas: 200_000 },
  { contract: 'ct_b', callData: 'cb_KxEUN7Q4P9vW3tI=', gas: 100 },
];

describe('dry runs of a node', () => {
  /** The answer of a node that answers so, and the body of the request. */
  async function asked(status: number, body: string) {
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
        answer: await node.dryRun('mh_x', CALLS).catch((error: Error) => error),
        sent,
        requests: server.requests,
      };
    } finally {
      node.close();
      await server.close();
    }
  }

  it('are one request for several calls, by an account that is given coins', async () => {
    const { answer, sent, requests } = await asked(200, JSON.stringify(ANSWER));
    expect(answer).to.deep.equal([
      { type: 'ok', value: 'cb_b4oBuK0l0HqIixJlQ88WNQ==' },
      { type: 'error', value: '' },
    ]);
    expect(requests).to.deep.equal(['POST /v3/dry-run']);
    const { top, accounts, txs } = JSON.parse(sent) as {
      top: string;
      accounts: { pub_key: string; amount: number }[];
      txs: { call_req: Record<string, unknown> }[];
    };
    expect(top).to.equal('mh_x');
    expect(txs.map(({ call_req: call }) => [call['contract'], call['calldata'], call['gas']])).to.deep.equal(
      CALLS.map(({ contract, callData, gas }) => [contract, callData, gas]),
    );
    expect(txs.every(({ call_req: call }) => call['caller'] === accounts[0]!.pub_key)).to.equal(true);
  });

  it('are not answered by nodes that do none, or that have no state of the block any more', async () => {
    for (const status of [403, 404, 410]) expect((await asked(status, '{"reason":"x"}')).answer).to.equal(null);
  });

  it('are a fault of the node where an answer does not fit', async () => {
    for (const body of ['{}', '{"results":[]}', '{"results":[{"result":"ok","call_obj":{}},{"result":"ok"}]}', 'x'])
      expect((await asked(200, body)).answer, body).to.include({ code: 'node_malformed' });
    expect((await asked(500, '{"reason":"Internal server error"}')).answer).to.include({ code: 'node_error' });
  });
});
