import { expect } from 'chai';
import { isExpansion, migrationNames, migrationText } from '../../src/store/schema/migrations.js';

/** The last migration whose name does not say whether older programs can still work. */
const LAST_UNNAMED = '0017_removed_transactions';

/** Changes that remove something which older programs need, or reject rows that they write. */
const BREAKING: [RegExp, string][] = [
  [/\b(DROP|TRUNCATE|RENAME|DELETE)\b/i, 'removes something'],
  [/\bALTER COLUMN\b/i, 'changes a column'],
  [/\bADD (CONSTRAINT|CHECK|UNIQUE|FOREIGN|PRIMARY)\b|\bCREATE UNIQUE INDEX\b/i, 'refuses rows that were right'],
  [/\bADD COLUMN [^,;]*\bNOT NULL\b(?![^,;]*\bDEFAULT\b)/i, 'asks for a column that nobody writes'],
  [/\bmigrations\b/, 'touches the record of the migrations'],
];

/** Why a migration does not match its name; empty if it does. */
function faultsOf(name: string, up: string): string[] {
  const [, kind] = /^\d{4}_(expand|contract)_[a-z0-9_]+$/.exec(name) ?? [];
  if (kind === undefined) return ['is named neither NNNN_expand_what nor NNNN_contract_what'];
  const faults = up.startsWith(`-- ${kind}: `) ? [] : [`does not begin with "-- ${kind}: "`];
  if (kind === 'contract') return faults;
  // What functions and triggers do later, the migration does not do.
  const code = up
    .replace(/--.*$/gm, '')
    .replace(/\$\$.*?\$\$/gs, '')
    .replace(/\bAFTER DELETE ON\b/g, 'AFTER ON');
  const named = (form: RegExp): string[] => [...code.matchAll(form)].map(([, table = '']) => table.toLowerCase());
  const made = named(/CREATE(?: UNLOGGED)? TABLE (\w+)/gi);
  const locked = named(/(?:ALTER TABLE|CREATE INDEX[^;]*? ON|CREATE TRIGGER[^;]*? ON) (\w+)/gi);
  // A program that reads two tables while a migration locks them in the other order causes a deadlock.
  if (new Set(locked.filter((table) => !made.includes(table))).size > 1) faults.push('locks more than one table');
  return [...faults, ...BREAKING.flatMap(([form, why]) => (form.test(code) ? [why] : []))];
}

describe('migrations', () => {
  it('have names that say whether older programs can still work, and expansions only add', async () => {
    const names = (await migrationNames()).filter((name) => name > LAST_UNNAMED);
    const faults = await Promise.all(
      names.map(async (name) => faultsOf(name, await migrationText(name, 'up')).map((fault) => `${name} ${fault}`)),
    );
    expect(faults.flat()).to.deep.equal([]);
  });

  for (const [what, name, up, fault] of [
    ['adds', '0900_expand_a', '-- expand: DROP nothing\nALTER TABLE a ADD COLUMN b int NOT NULL DEFAULT 0;', undefined],
    ['has no kind', '0900_a', '-- expand: a', 'is named neither'],
    ['has another kind in its text', '0900_expand_a', '-- contract: a', 'does not begin'],
    ['drops', '0900_expand_a', '-- expand: a\nDROP TABLE a;', 'removes something'],
    ['renames', '0900_expand_a', '-- expand: a\nALTER TABLE a RENAME COLUMN b TO c;', 'removes something'],
    ['changes a type', '0900_expand_a', '-- expand: a\nALTER TABLE a ALTER COLUMN b TYPE int;', 'changes a column'],
    [
      'demands',
      '0900_expand_a',
      '-- expand: a\nALTER TABLE a ADD COLUMN b int NOT NULL, ADD COLUMN c int DEFAULT 1;',
      'nobody writes',
    ],
    ['forbids', '0900_expand_a', '-- expand: a\nCREATE UNIQUE INDEX b ON a (c);', 'refuses rows'],
    [
      'locks two tables',
      '0900_expand_a',
      '-- expand: a\nALTER TABLE a ADD COLUMN b int;\nCREATE INDEX c ON d (e);',
      'more than one',
    ],
    [
      'fills a new one',
      '0900_expand_a',
      '-- expand: a\nCREATE TABLE a (b int);\nCREATE INDEX c ON a (b);\nALTER TABLE d ADD COLUMN e int;',
      undefined,
    ],
    ['contracts', '0900_contract_a', '-- contract: a\nDROP TABLE a;', undefined],
  ] as const) {
    it(`${fault === undefined ? 'passes' : 'reports'} a migration that ${what}`, () => {
      expect(faultsOf(name, up).join()).to.contain(fault ?? '');
      expect(faultsOf(name, up)).to.have.lengthOf(fault === undefined ? 0 : 1);
    });
  }

  it('are expansions for an older program only if their name says so', () => {
    expect(['0900_expand_a', '0900_contract_a', '0900_a', 'expand', '9999_expanded'].map(isExpansion)).to.deep.equal([
      true,
      ...[false, false, false, false],
    ]);
  });
});
