import { expect } from 'chai';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { MiddlewareError } from '../../src/observe/errors.js';
import type { ErrorCode } from '../../src/observe/errors.js';
import { describeFault } from '../../src/observe/exit.js';

describe('the exit status', () => {
  const cases: [ErrorCode, number][] = [
    ['usage', 2],
    ['invalid_config', 78],
    ['database_refused', 78],
    ['missing_right', 78],
    ['schema_newer', 78],
    ['node_wrong_network', 78],
    ['node_unreachable', 75],
    ['database_unreachable', 75],
    ['internal', 1],
    ['already_running', 1],
  ];
  for (const [code, status] of cases) {
    it(`is ${status} for ${code}`, () => {
      expect(describeFault(new MiddlewareError(code, 'said so'))).to.deep.equal({ status, message: 'said so' });
    });
  }

  it('is 75 for an address in use, and the message names it', async () => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const { port } = holder.address() as AddressInfo;
    const other = createServer().listen(port, '127.0.0.1');
    const [error] = (await once(other, 'error')) as [Error];
    holder.close();

    const { status, message } = describeFault(error);

    expect(status).to.equal(75);
    expect(message).to.contain(`127.0.0.1:${port}`);
  });

  it('is 1 for anything else, and the message is one line', () => {
    expect(describeFault(new Error('odd\n\nadvice'))).to.deep.equal({ status: 1, message: 'odd' });
    expect(describeFault('text')).to.deep.equal({ status: 1, message: 'text' });
  });
});
