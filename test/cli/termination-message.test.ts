import { expect } from 'chai';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeTerminationMessage } from '../../src/cli/termination-message.js';

describe('the termination message', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mdw-termination-'));
  after(() => rmSync(folder, { recursive: true }));

  function written(message: Parameters<typeof writeTerminationMessage>[1]): unknown {
    const file = join(folder, 'log');
    writeTerminationMessage({ TERMINATION_LOG: file }, message);
    return JSON.parse(readFileSync(file, 'utf8'));
  }

  const fault = { ok: false, code: 'database_missing', message: 'm'.repeat(2000) };

  it('contains all details if they fit', () => {
    expect(written({ ...fault, database: 'id' })).to.deep.equal({ ...fault, database: 'id' });
  });

  it('drops the details before it cuts the message', () => {
    expect(written({ ...fault, faults: 'f'.repeat(3000) })).to.deep.equal(fault);
  });

  it('cuts a message that is too long for the kubelet', () => {
    expect(written({ ...fault, message: 'm'.repeat(5000) })).to.deep.equal({ ...fault, message: 'm'.repeat(1000) });
  });
});
