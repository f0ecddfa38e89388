import { expect } from 'chai';
import { Linter } from 'eslint';
import { join } from 'node:path';
import tseslint from 'typescript-eslint';
import { ARROWS } from '../../lint/arrows.js';
import { importArrows } from '../../lint/import-arrows.js';
import { restrictedCode } from '../../lint/restricted-code.js';
import { whenClosedOnly } from '../../lint/when-closed.js';

const ROOT = join(import.meta.dirname, '../..');

/** Messages of the rules of this repository about a source text, as if it were in that file. */
function faults(file: string, text: string): string[] {
  const messages = new Linter({ cwd: ROOT }).verify(
    text,
    {
      files: ['**/*.ts'],
      languageOptions: { parser: tseslint.parser },
      plugins: {
        mdw: {
          rules: { 'import-arrows': importArrows, 'restricted-code': restrictedCode, 'when-closed': whenClosedOnly },
        },
      },
      rules: { 'mdw/import-arrows': ['error', ARROWS], 'mdw/restricted-code': 'error', 'mdw/when-closed': 'error' },
    },
    { filename: join(ROOT, file) },
  );
  return messages.map(({ message }) => message);
}

describe('the direction of imports', () => {
  it('is checked between the folders of src, for every form of import', () => {
    for (const text of [
      "import { a } from '../populate/run.js';",
      "import type { a } from '../populate/run.js';",
      "export { a } from '../populate/run.js';",
      "export * from '../populate/run.js';",
      "void import('../populate/run.js');",
    ]) {
      expect(faults('src/api/app.ts', text), text).to.have.length(1);
    }
    expect(faults('src/api/app.ts', "import { a } from '../store/calls.js';")).to.deep.equal([]);
  });

  it('is checked within the operator and the API', () => {
    const forbidden = [
      ['src/operator/decide/decide.ts', '../kube/client.js'],
      ['src/operator/decide/decide.ts', '../loop/queue.js'],
      ['src/operator/decide/decide.ts', '../observe/watch.js'],
      ['src/operator/plugin/view.ts', '../loop/operator.js'],
      ['src/api/endpoints/names.ts', '../middleware/admission.js'],
      ['src/api/endpoints/names.ts', '../upstream/forward.js'],
      ['src/store/queries/names.ts', '../write/facts.js'],
    ];
    for (const [file, target] of forbidden) {
      expect(faults(file!, `import { a } from '${target}';`), `${file} → ${target}`).to.have.length(1);
    }
    expect(faults('src/operator/decide/decide.ts', "import { a } from '../world/world.js';")).to.deep.equal([]);
    expect(faults('src/store/lease.ts', "import { a } from './connection/database.js';")).to.deep.equal([]);
  });

  it('allows the package for development to import src, and src not to import it', () => {
    expect(faults('devtools/demo/demo.ts', "import { a } from '../../src/cli/roles.js';")).to.deep.equal([]);
    expect(faults('devtools/demo/demo.ts', "import { a } from '../../src/populate/run.js';")).to.have.length(1);
    for (const file of ['src/main.ts', 'src/commands/run.ts', 'src/chain/facts.ts', 'src/cli/roles.ts']) {
      const up = '../'.repeat(file.split('/').length - 1);
      const [fault, ...others] = faults(file, `void import('${up}devtools/devnode/start.js');`);
      expect(fault, file).to.contain('may not import devtools/devnode/start');
      expect(others).to.deep.equal([]);
    }
  });

  it('refuses a folder that is not in the table', () => {
    expect(faults('src/explorer/page.ts', '')).to.deep.equal([
      'explorer/page is not in the table of arrows: add it to lint/arrows.ts.',
    ]);
    expect(faults('src/extra.ts', '')).to.have.length(1);
    expect(faults('test/extra.ts', '')).to.deep.equal([]);
  });
});

describe('restricted code', () => {
  it('is output that is not made printable', () => {
    for (const text of ["process.stdout.write('x');", "process.stderr.write('x');"]) {
      expect(faults('src/commands/doctor.ts', text), text).to.have.length(1);
      expect(faults('src/observe/print.ts', text), text).to.deep.equal([]);
    }
  });

  it('is PostgreSQL outside of the store', () => {
    for (const text of [
      "import { Pool } from 'pg';",
      "import { from } from 'pg-copy-streams';",
      "void import('pg');",
    ]) {
      expect(faults('src/events/feed.ts', text), text).to.deep.equal(['Only src/store may use PostgreSQL.']);
      expect(faults('src/store/connection/database.ts', text), text).to.deep.equal([]);
    }
  });

  it('is SQL outside of the store', () => {
    for (const text of [
      "'SELECT 1'",
      '`SELECT a FROM b WHERE c = ${d}`',
      '`\n    WITH a AS (SELECT 1) SELECT * FROM a`',
      "'INSERT INTO a VALUES ($1)'",
      "'UPDATE a SET b = $1'",
      "'UPDATE a AS x SET b = $1'",
      "'DELETE FROM a'",
      "'DROP SCHEMA a'",
      "'LISTEN a'",
      "'SET LOCAL statement_timeout = 0'",
      "'BEGIN'",
    ]) {
      expect(faults('src/populate/run.ts', `void ${text};`), text).to.deep.equal(['Only src/store may contain SQL.']);
      expect(faults('src/store/verify.ts', `void ${text};`), text).to.deep.equal([]);
    }
    for (const text of ["'DELETE'", "'Select a height'", "'UPDATE of settings'", "'COPY'"]) {
      expect(faults('src/populate/run.ts', `void ${text};`), text).to.deep.equal([]);
    }
  });

  it('is the environment outside of the code that reads settings', () => {
    const text = 'export const level = process.env.LOG_LEVEL;';
    for (const file of ['src/observe/logger.ts', 'src/operator/kube/connect.ts', 'src/store/lease.ts']) {
      expect(faults(file, text), file).to.have.length(1);
    }
    for (const file of ['src/config/checks.ts', 'src/config.ts', 'src/cli/daemon.ts', 'src/commands/run.ts']) {
      expect(faults(file, text), file).to.deep.equal([]);
    }
  });

  it('is impure code in chain', () => {
    for (const text of [
      "import { readFileSync } from 'node:fs';",
      "import { request } from 'undici';",
      'export const now = Date.now();',
      'export const any = Math.random();',
      "console.log('a');",
      "export const answer = fetch('http://a');",
      'setTimeout(() => undefined, 1);',
      'process.exit();',
    ]) {
      expect(faults('src/chain/derive.ts', text), text).to.have.length(1);
      expect(faults('src/node/client.ts', text), text).to.deep.equal([]);
    }
    expect(faults('src/chain/derive.ts', 'export const at = (process: number) => process;')).to.deep.equal([]);
  });
});

describe('waiting for close', () => {
  const file = 'src/api/answer.ts';

  it('is left to whenClosed for a response, which may be closed already', () => {
    for (const text of [
      "res.once('close', release);",
      "response.on('close', release);",
      "const layer = async () => { await work(); ctx.res.once('close', release); };",
      "await once(ctx.res, 'close');",
    ]) {
      expect(faults(file, text), text).to.deep.equal([
        'The response may be closed already: use whenClosed of src/runtime.',
      ]);
      expect(faults('src/runtime/when-closed.ts', text), text).to.deep.equal([]);
      expect(faults('test/api/a.test.ts', text), text).to.deep.equal([]);
    }
  });

  it('is refused after an await of the same function', () => {
    for (const text of [
      "async function a() { await work(); socket.once('close', release); }",
      "async function a() { await work(); await once(socket, 'close'); }",
      "const a = async () => { for await (const one of all) work(one); socket.on('close', release); };",
      "const a = async () => { if (await work()) await new Promise((resolve) => socket.once('close', resolve)); };",
    ]) {
      expect(faults(file, text), text).to.deep.equal([
        'After an await it may be closed already: listen before it, or use whenClosed of src/runtime.',
      ]);
    }
    for (const text of [
      "async function a() { socket.once('close', release); await work(); }",
      "async function a() { server.close(); await once(server, 'close'); }",
      "async function a() { await work(); return () => once(server, 'close'); }",
      "async function a() { await work(); socket.once('open', release); }",
    ]) {
      expect(faults(file, text), text).to.deep.equal([]);
    }
  });
});
