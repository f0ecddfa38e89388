import { expect } from 'chai';
import type { Consensus } from '../../src/chain/protocol/generations.js';
import { testDatabase } from './postgres.js';
import type { TestDatabase } from './postgres.js';
import { liveThrough } from './histories.js';
import { GIVE_UP_MS } from './patience.js';

/** Number of seeds that run at the same time, so that their waits for database and node overlap. */
const PARALLEL = 2;

interface ForkLaw {
  from: number;
  count: number;
  consensus?: Consensus;
  /** Of chains with tokens. */
  hasTokens?: boolean;
}

/** After any history the database is the same as after a clean load of the final chain, and readers never saw an intermediate state. */
export function forkLaw({ from, count, consensus = 'pow', hasTokens = false }: ForkLaw): void {
  describe(`the fork law, over ${count} random histories (${consensus}${hasTokens ? ', with tokens' : ''})`, function () {
    this.timeout(GIVE_UP_MS + count * 60_000);
    let server: TestDatabase;
    before(async () => (server = await testDatabase()));
    after(() => server.drop());

    it('ends with the database of a clean load, and readers never saw two branches at once', async () => {
      let next = from;
      let looks = 0;
      let balances = 0;
      let allowances = 0;
      let forks = 0;
      let ended = 0;
      const work = async (): Promise<void> => {
        while (next < from + count) {
          const seed = next++;
          const result = await liveThrough(server.url, seed, { consensus, hasTokens }).catch((error: unknown) => {
            throw new Error(`seed ${seed}: ${String(error)}`, { cause: error });
          });
          const story = `seed ${seed}: ${result.steps.join(', ')}`;
          looks += result.looks;
          forks += result.steps.filter((step) => step.includes('fork')).length;
          expect(result.mixtures, story).to.deep.equal([]);
          expect(result.wrongEvents, story).to.deep.equal([]);
          expect(result.differences, story).to.deep.equal([]);
          balances += result.lived['token_balances']!.length;
          allowances += result.lived['token_allowances']!.length;
          ended += 1;
          // For bench/README.md.
          if (hasTokens && process.env['FIGURES'] === '1')
            process.stdout.write(`      ${ended} histories, ${forks} forks, ${balances} balances\n`);
          for (const [table, rows] of Object.entries(result.clean)) {
            expect(result.lived[table], `${table}, ${story}`).to.deep.equal(rows);
          }
        }
      };
      const workers = Array.from({ length: PARALLEL }, () => work().finally(() => (next = from + count)));
      // The database server may only be stopped when it is no longer used.
      await Promise.allSettled(workers);
      await Promise.all(workers);
      expect(looks).to.be.greaterThan(count);
      if (!hasTokens) return;
      expect(balances).to.be.greaterThan(count);
      expect(allowances).to.be.greaterThan(count);
    });
  });
}
