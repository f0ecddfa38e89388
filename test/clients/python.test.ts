/** A client that openapi-python-client generates. */
import { expect } from 'chai';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { served } from './served.js';
import type { Served } from './served.js';
import { pythonPackages, run } from './tools.js';

const PROGRAM = fileURLToPath(new URL('programs/read.py', import.meta.url));

describe('a client made by openapi-python-client', function () {
  this.timeout(600_000);
  let service: Served;
  let tools: string;
  before(async () => {
    tools = await pythonPackages('python', ['openapi-python-client==0.29.1', 'ruff==0.17.6']);
    service = await served();
  });
  after(() => service.close());

  it('reads the answers of every operation, transactions by their types', async () => {
    const env = { PATH: `${tools}/bin:${process.env.PATH}`, PYTHONDONTWRITEBYTECODE: '1' };
    const args = ['generate', '--path=openapi.json', '--output-path=client', '--meta=none', '--fail-on-warning'];
    await run(join(tools, 'bin', 'openapi-python-client'), args, service.folder, env);
    await run('mv', ['client', 'api_client'], service.folder);
    const read = await run(join(tools, 'bin', 'python'), [PROGRAM, service.url, 'calls.json'], service.folder, {
      ...env,
      PYTHONPATH: service.folder,
    });
    expect(read.trim()).to.match(new RegExp(`^${service.calls.length} operations, 2\\d types of transactions$`));
  });
});
