/** The ledger of an account in a spreadsheet program, Gnumeric, as docs/statement.md says it. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { recordedService } from '../support/compat.js';
import type { RecordedService } from '../support/compat.js';
import { writeMovements } from '../support/ledger-rows.js';

/** It has the most movements of the recording. */
const ACCOUNT = 'ak_2a1j2Mk9YSmC1gioUq4PWRm3bsv887MbuRVwyv4KaUGoR1eiKi';
const COLUMNS = { time: 0, amountAe: 7 };
const DAY_MS = 86_400_000;
/** Spreadsheet programs count days from 1899-12-30. */
const FIRST_DAY = Date.UTC(1899, 11, 30);

const hasGnumeric = spawnSync('ssconvert', ['--version']).status === 0;

describe(`the ledger of an account in Gnumeric${hasGnumeric ? '' : ' (skipped: it is not installed)'}`, () => {
  if (!hasGnumeric) return void it.skip('has its times and sums');
  let service: RecordedService;
  const folder = mkdtempSync(join(tmpdir(), 'ledger-'));

  before(async () => {
    service = await recordedService('realnode-tokens');
    await writeMovements(service.database, 'ae_dev', { delay: 10, treasury: null });
  });
  after(async () => {
    rmSync(folder, { recursive: true });
    await service.close();
  });

  it('has its times as dates, to the millisecond, and sums with 15 digits', async () => {
    const path = `/middleware/accounts/${ACCOUNT}/ledger?order=asc`;
    const answer = await fetch(`http://127.0.0.1:${service.api.port}${path}`, { headers: { accept: 'text/csv' } });
    const csv = await answer.text();
    const rows = csv
      .trim()
      .split(/\r?\n/)
      .slice(1)
      .map((line) => line.split(','));
    expect(rows).to.have.lengthOf.above(500);
    const [from, to] = [join(folder, 'ledger.csv'), join(folder, 'ledger.txt')];
    writeFileSync(from, csv);
    // The sum is in a cell behind the header.
    execFileSync(
      'ssconvert',
      [
        ...['--set', `M1==SUM(H2:H${rows.length + 1})`, '--recalc'],
        ...['-I', 'Gnumeric_stf:stf_csvtab', '-T', 'Gnumeric_stf:stf_assistant', '-O', 'format=raw', from, to],
      ],
      { env: { ...process.env, LC_ALL: 'C.UTF-8' }, stdio: 'ignore' },
    );
    const [head, ...shown] = readFileSync(to, 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split(','));
    const times = shown.map((row) => Math.round(Number(row[COLUMNS.time]) * DAY_MS) + FIRST_DAY);
    expect(times).to.deep.equal(rows.map((row) => Date.parse(row[COLUMNS.time]!)));
    const aettos = rows.reduce((sum, row) => sum + inAettos(row[COLUMNS.amountAe]!), 0n);
    expect(Number(head![12]).toPrecision(15)).to.equal((Number(aettos) / 1e18).toPrecision(15));
  });
});

/** An amount in coins with at most 18 digits after the point. */
function inAettos(amount: string): bigint {
  const [whole = '', fraction = ''] = amount.split('.');
  return BigInt(whole + fraction.padEnd(18, '0'));
}
