import { expect } from 'chai';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formOf, isNormal } from '../../src/api/middleware/request-target.js';
import { createLogger } from '../../src/observe/logger.js';
import { plainLine } from '../../src/observe/plain-line.js';
import { printable } from '../../src/observe/printable.js';

/** Characters that clear the screen (in two forms), begin a line, reverse the text, or end a string; and half a surrogate pair. */
const HARM = '\u001b[2J\u009b2J\r\n{"level":30}\u202e\u0000\u007f\ud800';
const HARMFUL = /[\p{Cc}\p{Cs}\u2028-\u202e]/u;

describe('untrusted text', () => {
  it('is one line in a log of JSON lines, without control characters for terminals', () => {
    const dir = mkdtempSync(join(tmpdir(), 'mdw-log-'));
    try {
      const logger = createLogger({ level: 'debug', dir });
      logger.warn({ path: HARM, err: new Error(HARM), [HARM]: 1 }, HARM);
      const text = readFileSync(join(dir, 'mdw.log'), 'utf8');
      expect(text.slice(0, -1)).not.to.match(HARMFUL);
      expect(JSON.parse(text)).to.deep.include({ path: HARM, msg: HARM });
    } finally {
      rmSync(dir, { recursive: true });
    }
  });

  it('has no URL that could not be read in a log, because there may be a password in it', () => {
    const dir = mkdtempSync(join(tmpdir(), 'mdw-log-'));
    try {
      for (const level of ['info', 'debug']) {
        try {
          new URL('postgres://me:hush-hush');
        } catch (error) {
          createLogger({ level, dir }).error({ err: new AggregateError([error], 'x', { cause: error }) });
          createLogger({ level, dir }).error({ err: error });
        }
      }
      expect(readFileSync(join(dir, 'mdw.log'), 'utf8'))
        .to.contain('ERR_INVALID_URL')
        .and.not.contain('hush');
    } finally {
      rmSync(dir, { recursive: true });
    }
  });

  it('is one line on a terminal, without its own colours', () => {
    const record = { level: 30, time: '2026-01-02T03:04:05.678Z', msg: HARM, path: HARM, reason: HARM, [HARM]: HARM };
    const line = plainLine(JSON.stringify(record), { colors: false, all: true });
    expect(line.slice(0, -1)).not.to.match(HARMFUL);
    expect(line).to.include('\\u001b[2J\\u009b2J\\u000d\\u000a');
  });

  it('of all languages is not changed', () => {
    const text = 'имя 名前 اسم 🎉 é "quoted" \\n';
    expect(printable(text)).to.equal(text);
  });

  it('in the target of a request is escaped before other code reads it', () => {
    for (const byte of ['\u009b', '\u007f', '\u0085', 'é']) {
      const escaped = `%${byte.charCodeAt(0).toString(16).toUpperCase()}`;
      expect(isNormal(`/v3/x?a=${byte}`)).to.equal(false);
      const form = `/v3/${escaped}?a=${escaped}`;
      expect(formOf(`/v3/${byte}?a=${byte}`)).to.deep.equal({ routed: form, forwarded: form });
    }
    expect(isNormal('/v3/x?a="%00')).to.equal(true);
  });
});
