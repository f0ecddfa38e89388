import { expect } from 'chai';
import { plainLine } from '../../src/observe/plain-line.js';

describe('a plain log line', () => {
  const time = '2026-01-02T03:04:05.678Z';
  const clock = new Date(time).toTimeString().slice(0, 8);
  const line = (record: object, style = { colors: false, all: false }): string =>
    plainLine(JSON.stringify({ level: 30, time, ...record }), style);

  it('has time, message and fields', () => {
    expect(line({ msg: 'Caught up' })).to.equal(`${clock} Caught up\n`);
    expect(line({ msg: 'Reorg', height: 7, hash: 'kh_x' })).to.equal(`${clock} Reorg (height 7, hash kh_x)\n`);
    expect(line({ level: 40, msg: 'Waiting', reason: 'x'.repeat(200) })).to.equal(
      `${clock} WARN Waiting (reason ${'x'.repeat(200)})\n`,
    );
  });

  it('shows addresses and faults in a short form', () => {
    const http = { address: '::', family: 'IPv6', port: 8080 };
    expect(line({ http, metrics: { address: '127.0.0.1', port: 9090 }, msg: 'Listening' })).to.equal(
      `${clock} Listening (http [::]:8080, metrics 127.0.0.1:9090)\n`,
    );
    expect(line({ level: 50, err: { type: 'Error', message: 'broken' }, msg: 'Failed' })).to.equal(
      `${clock} ERROR Failed (broken)\n`,
    );
  });

  it('omits very long fields, unless all are wanted', () => {
    const settings = { a: 'x'.repeat(200) };
    expect(line({ settings, msg: 'Started' })).to.equal(`${clock} Started\n`);
    const all = line({ settings, err: { message: 'm', stack: 'at x' }, msg: 'S' }, { colors: false, all: true });
    expect(all).to.equal(`${clock} S (settings ${JSON.stringify(settings)}, m)\nat x\n`);
  });

  it('is colored by its level', () => {
    const colored = { colors: true, all: false };
    expect(line({ level: 50, msg: 'M' }, colored)).to.equal(`\x1b[90m${clock}\x1b[0m \x1b[31mERROR \x1b[0mM\n`);
    expect(line({ msg: 'M', height: 1 }, colored)).to.equal(`\x1b[90m${clock}\x1b[0m M\x1b[90m (height 1)\x1b[0m\n`);
  });
});
