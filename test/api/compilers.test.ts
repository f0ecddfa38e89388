import { expect } from 'chai';
import { request } from 'node:http';
import type { Reply } from '../support/api.js';
import { bodyOf, reply, startServer } from '../support/http-server.js';
import type { Answerer, TestServer } from '../support/http-server.js';
import { recordedModel } from '../support/modelled.js';
import type { Modelled } from '../support/modelled.js';
import { textOf } from '../support/slow-model.js';
import { plainContracts } from '../support/slow-objects.js';

const VERIFY = '/middleware/contracts/verify';

/** A compiler service with these versions. Its bytecode is derived from the source alone. */
function compiler(versions: readonly string[], bytecode: string): Answerer {
  return async (request, response) => {
    if (request.url === '/compile') {
      if (!versions.includes(String(request.headers['sophia-compiler-version']))) return reply(response, 500, '');
      const { code } = JSON.parse(await bodyOf(request)) as { code: string };
      if (code === 'rubbish') return reply(response, 400, '[{"message":"parse error"}]');
      return reply(response, 200, JSON.stringify({ bytecode: code === 'good' ? bytecode : 'cb_Xfbg4g==' }));
    }
    const [only] = versions;
    if (request.url === '/version' && versions.length === 1) return reply(response, 200, `{"version":"${only}"}`);
    if (request.url !== '/' || versions.length === 1) return reply(response, 404, '');
    reply(response, 200, JSON.stringify({ Compilers: versions.map((version) => ({ version })) }));
  };
}

describe('the compilers', () => {
  let plain: Modelled;
  let contract: string;
  let services: TestServer[];
  let model: Modelled;
  before(async () => {
    plain = await recordedModel(60);
    const [[id, { creation }] = expect.fail('no contract')] = [...plainContracts(plain.chain)];
    contract = id;
    const code = textOf(creation.tx['code']);
    services = [
      await startServer(compiler(['6.1.0', '7.0.0'], code)),
      await startServer((_request, response) => reply(response, 500, '')),
      await startServer(compiler(['8.0.0'], code)),
    ];
    model = await recordedModel(60, { compilerUrls: services.map(({ url }) => url) });
  });
  after(async () => {
    await plain.close();
    await model.close();
    await Promise.all(services.map((service) => service.close()));
  });

  const post = (
    body: unknown,
    { to = model, type = 'application/json' }: { to?: Modelled; type?: string } = {},
  ): Promise<Reply> =>
    to.api.get(VERIFY, {
      method: 'POST',
      headers: { 'content-type': type },
      body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
    });
  const verdict = async (changes: Record<string, unknown>, to = model): Promise<unknown> => {
    const { status, body } = await post(
      { contract_id: contract, source: 'good', compiler: '8.0.0', ...changes },
      { to },
    );
    expect(status).to.equal(200);
    return JSON.parse(body);
  };

  it('are the versions of all services that answer', async () => {
    expect(await model.exact('/middleware/compilers')).to.deep.equal({ compilers: ['6.1.0', '7.0.0', '8.0.0'] });
  });

  it('verify a contract with the service that has the version', async () => {
    for (const version of ['6.1.0', '7.0.0', '8.0.0']) {
      expect(await verdict({ compiler: version })).to.deep.equal({ verified: true });
    }
    expect(await verdict({ source: 'other' })).to.deep.equal({ verified: false });
    expect(await verdict({ source: 'rubbish' })).to.deep.equal({ error: 'unable to compile the contract' });
  });

  it('report what is missing, the compiler before the contract', async () => {
    const working = await recordedModel(60, { compilerUrls: [services[0]!.url] });
    const wrong = [
      await verdict({ compiler: '0.0.1', contract_id: 'ct_x' }, working),
      await verdict({ compiler: '7.0.0', contract_id: 'ct_x' }, working),
      await verdict({ compiler: '7.0.0', contract_id: '\0' }, working),
      await verdict({ compiler: '7.0.0', contract_id: `ok_${contract.slice(3)}` }, working),
      await verdict({ compiler: '7.0.0', contract_id: 'ct_x', source: 'rubbish' }, working),
    ];
    await working.close();

    expect(wrong[0]).to.deep.equal({ error: 'invalid compiler version' });
    for (const answer of wrong.slice(1)) expect(answer).to.deep.equal({ error: 'contract not found' });
    // The service that does not answer may have the version.
    expect(await verdict({ compiler: '0.0.1' })).to.deep.equal({ error: 'no compiler available' });
  });

  it('are not available without a service', async () => {
    const none = { error: 'no compiler available' };
    expect(await plain.exact('/middleware/compilers')).to.deep.equal(none);
    expect(await verdict({}, plain)).to.deep.equal(none);
    const broken = await recordedModel(60, { compilerUrls: [services[1]!.url, 'http://127.0.0.1:1'] });
    const answers = [await broken.exact('/middleware/compilers'), await verdict({}, broken)];
    await broken.close();
    expect(answers).to.deep.equal([none, none]);
  });

  it('refuse malformed requests to verify', async () => {
    const good = { contract_id: contract, source: 'good', compiler: '8.0.0' };
    for (const [status, body, type] of [
      [400, '', undefined],
      [400, '{', undefined],
      [400, Buffer.from([0x22, 0xff, 0x22]), undefined],
      [400, [good], undefined],
      [400, 'null', undefined],
      [422, { ...good, source: undefined }, undefined],
      [422, { ...good, compiler: 8 }, undefined],
      [422, { ...good, contract_id: null }, undefined],
      [415, good, 'text/plain'],
      [415, good, 'application/x-www-form-urlencoded'],
      [413, { ...good, source: 'x'.repeat(1024 * 1024) }, undefined],
    ] as const) {
      const answer = await post(body, type === undefined ? {} : { type });
      expect(answer.status, `${status} ${JSON.stringify(body).slice(0, 60)}`).to.equal(status);
      expect(answer.headers['content-type']).to.equal('application/json');
      expect(JSON.parse(answer.body)).to.have.all.keys('reason');
    }
    const get = await model.api.get(VERIFY);
    expect([get.status, get.headers.allow]).to.deep.equal([405, 'OPTIONS, POST']);
    const utf8 = await post(good, { type: 'application/json; charset=utf-8' });
    expect(JSON.parse(utf8.body)).to.deep.equal({ verified: true });
  });

  it('refuse a body without content-length that becomes too large', async () => {
    const chunk = Buffer.alloc(64 * 1024, 32);
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const sent = request(
        {
          port: model.api.port,
          host: '127.0.0.1',
          path: VERIFY,
          method: 'POST',
          headers: { 'content-type': 'application/json' },
        },
        (answer) => {
          answer.resume();
          resolve(answer.statusCode);
          sent.destroy();
        },
      );
      sent.on('error', (error) => (sent.destroyed ? undefined : reject(error)));
      for (let i = 0; i < 20; i += 1) sent.write(chunk);
    });
    expect(status).to.equal(413);
  });
});
