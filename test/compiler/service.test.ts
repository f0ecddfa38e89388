import { expect } from 'chai';
import { createCallDecoder } from '../../src/compiler/decoder.js';
import { createCompilerService } from '../../src/compiler/service.js';
import type { CompilerService } from '../../src/compiler/service.js';
import { bodyOf, rejection, reply, startServer } from '../support/http-server.js';
import type { Answerer, TestServer } from '../support/http-server.js';

describe('the compiler service', () => {
  const servers: TestServer[] = [];
  const services: CompilerService[] = [];
  afterEach(async () => {
    services.splice(0).forEach((service) => service.close());
    await Promise.all(servers.splice(0).map((server) => server.close()));
  });

  async function start(answer: Answerer): Promise<string> {
    const server = await startServer(answer);
    servers.push(server);
    return server.url;
  }

  function use(...urls: string[]): CompilerService {
    const service = createCompilerService({ urls, timeoutMs: 1_000 });
    services.push(service);
    return service;
  }

  it('lists the versions of a proxy, and caches them for a while', async () => {
    const service = use(
      await start((_, response) => reply(response, 200, '{"Compilers":[{"version":"4.0.0"},{"version":"8.0.0"}]}')),
    );

    expect(await service.versions()).to.deep.equal(['4.0.0', '8.0.0']);
    expect(await service.versions()).to.deep.equal(['4.0.0', '8.0.0']);

    expect(servers[0]!.requests).to.deep.equal(['GET /']);
  });

  it('lists the one version of a plain service', async () => {
    const url = await start(({ url: path }, response) =>
      path === '/version' ? reply(response, 200, '{"version":"4.1.0"}') : reply(response, 404, ''),
    );

    expect(await use(`${url}/`).versions()).to.deep.equal(['4.1.0']);
  });

  it('throws when the service answers something else than versions', async () => {
    expect(await rejection(use(await start((_, response) => reply(response, 500, ''))).versions())).to.include({
      code: 'compiler_error',
      fault: 'unavailable',
    });
    expect(await rejection(use(await start((_, response) => reply(response, 200, '<html>'))).versions())).to.include({
      code: 'compiler_error',
    });
  });

  it('decodes calls and results with all digits', async () => {
    const bodies: unknown[] = [];
    const service = use(
      await start(async (request, response) => {
        bodies.push(JSON.parse(await bodyOf(request)));
        if (request.url === '/decode-calldata/bytecode')
          return reply(response, 200, '{"function":"f","arguments":[{"type":"word","value":12345678901234567890123}]}');
        return reply(response, 200, '{"data":{"type":"word","value":42}}');
      }),
    );

    expect(await service.decodeCall('cb_code', 'cb_call', 'aevm')).to.deep.equal({
      function: 'f',
      arguments: [{ type: 'word', value: 12345678901234567890123n }],
    });
    expect(await service.decodeResult('cb_code', 'f', 'cb_value', 'aevm')).to.deep.equal({
      data: { type: 'word', value: 42 },
    });
    expect(bodies).to.deep.equal([
      { calldata: 'cb_call', bytecode: 'cb_code', backend: 'aevm' },
      { function: 'f', bytecode: 'cb_code', 'call-result': 'ok', 'call-value': 'cb_value', backend: 'aevm' },
    ]);
  });

  it('does not ask the next service after a refusal', async () => {
    const service = use(await start((_, response) => reply(response, 400, '[{"message":"no"}]')));

    expect(await service.decodeCall('cb_code', 'cb_call', 'fate')).to.equal(null);
    expect(await service.compile('contract', '4.0.0')).to.equal(null);
  });

  it('compiles with the given version', async () => {
    let version: unknown;
    const service = use(
      await start((request, response) => {
        version = request.headers['sophia-compiler-version'];
        reply(response, 200, '{"bytecode":"cb_abc"}');
      }),
    );

    expect(await service.compile('contract C = ...', '4.3.0')).to.equal('cb_abc');
    expect(version).to.equal('4.3.0');
  });

  it('asks the next service when one hangs or fails', async () => {
    const hanging = await start(() => undefined);
    const failing = await start((_, response) => reply(response, 502, ''));
    const good = await start((_, response) => reply(response, 200, '{"function":"f","arguments":[]}'));

    expect(await use(hanging, failing, good).decodeCall('cb_code', 'cb_call', 'fate')).to.have.property(
      'function',
      'f',
    );
    expect(await rejection(use(hanging).decodeCall('cb_code', 'cb_call', 'fate'))).to.include({
      code: 'compiler_timeout',
    });
  });

  it('is asked only for calls that cannot be decoded from the bytecode alone', async () => {
    const service = use(await start((_, response) => reply(response, 200, '{"function":"aevm_call","arguments":[]}')));

    expect(await createCallDecoder(service)('cb_Xfbg4g==').decodeCall('cb_Xfbg4g==')).to.deep.equal({
      function: 'aevm_call',
      arguments: [],
    });
    expect(await createCallDecoder()('cb_Xfbg4g==').decodeCall('cb_Xfbg4g==')).to.equal(null);
  });
});
