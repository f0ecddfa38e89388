import { expect } from 'chai';
import type { JsonObject } from '../../src/chain/encoding/json.js';
import { oracleId } from '../../src/chain/protocol/ids.js';
import { truncate } from '../../src/store/write/truncate.js';
import { recordingDatabase } from '../support/recording-database.js';
import { append, emptyDatabase, madeBlocks, madeHash } from '../support/seed.js';
import type { MadeGeneration, SeededDatabase } from '../support/seed.js';

const oracle = (name: string): string => oracleId(madeHash('ak', name));
const register = (name: string, nonce: number): JsonObject => ({
  ...{ abi_version: 0, account_id: madeHash('ak', name), fee: 1, nonce, query_fee: 1, query_format: 'q' },
  ...{ oracle_ttl: { type: 'delta', value: 100 }, response_format: 'r', type: 'OracleRegisterTx', version: 1 },
});
const extend = (name: string, nonce: number, value: number): JsonObject => ({
  ...{ fee: 1, nonce, oracle_id: oracle(name), oracle_ttl: { type: 'delta', value } },
  ...{ type: 'OracleExtendTx', version: 1 },
});
const generation = (...txs: JsonObject[]): MadeGeneration => ({ microBlocks: [txs.map((tx) => ({ tx }))] });

interface OracleRow {
  id: string;
  position: string;
  expires_at: string;
}

const FORK = 3;
const GENERATIONS = [
  generation(register('extended', 1), register('registered again', 1), extend('unknown', 1, 7)),
  generation(extend('extended', 2, 10), extend('registered again', 2, 10)),
  generation(...Array.from({ length: 50 }, (_, i) => extend('extended', 3 + i, 1))),
  // Removed.
  generation(extend('extended', 53, 1_000), extend('extended', 54, 2_000), extend('unknown', 2, 7)),
  generation(register('registered again', 3), extend('registered again', 4, 5_000), register('new', 1)),
  generation(extend('new', 2, 9_000)),
];

describe('oracles after the removal of the last generations', () => {
  const copies: SeededDatabase[] = [];
  const ran: { name: string; rows: number }[] = [];

  const copyOf = async (generations: readonly MadeGeneration[]): Promise<SeededDatabase> => {
    const copy = await emptyDatabase();
    copies.push(copy);
    await append(copy.database, null, madeBlocks(generations));
    return copy;
  };
  const oracles = async ({ database }: SeededDatabase): Promise<OracleRow[]> =>
    (
      await database.query<OracleRow>({
        name: 'test.oracles',
        text: 'SELECT id, position, expires_at FROM oracles ORDER BY id',
      })
    ).rows;

  let truncated: SeededDatabase;
  before(async () => {
    truncated = await copyOf(GENERATIONS);
    await recordingDatabase(truncated.database, ran).transaction((tx) => truncate(tx, BigInt(FORK) << 33n));
  });
  after(() => Promise.all(copies.map(({ drop }) => drop())));

  it('are those of a copy that never had these generations', async () => {
    const never = await oracles(await copyOf(GENERATIONS.slice(0, FORK)));
    expect(await oracles(truncated)).to.deep.equal(never);
    expect(never.find(({ id }) => id === oracle('extended'))?.expires_at).to.equal('160');
  });

  it('leave the lives of each that were there before', async () => {
    const lives = async ({ database }: SeededDatabase): Promise<OracleRow[]> =>
      (
        await database.query<OracleRow>({
          name: 'test.oracle-lives',
          text: 'SELECT id, position, expires_at FROM oracle_lives ORDER BY position',
        })
      ).rows;
    const whole = await lives(await copyOf(GENERATIONS));
    const again = whole.filter(({ id }) => id === oracle('registered again'));
    expect(again.map(({ expires_at: at }) => at)).to.deep.equal(['110', '5104']);
    const never = await lives(await copyOf(GENERATIONS.slice(0, FORK)));
    expect(await lives(truncated)).to.deep.equal(never);
    expect(never).to.have.length(2);
  });

  it('are computed without reading the older transactions of oracles that were only extended', () => {
    const read = ran.filter(({ name }) => name === 'transactions.at').reduce((sum, { rows }) => sum + rows, 0);
    // The seven that are removed, for oracles and for their lives, and the two that are left of the oracle of which a registration is removed.
    expect(read).to.equal(16);
  });
});
