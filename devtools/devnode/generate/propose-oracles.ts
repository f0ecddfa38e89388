import { withPrefix } from '../../../src/chain/encoding/encoding.js';
import type { Maker, Propose } from './maker.js';
import { accountOfId, fee, nextNonce, randomAccount, ttl } from './maker.js';
import { IRIS } from '../../../src/chain/protocol/versions.js';
import { accountOf } from '../origin.js';
import { pointerIn } from '../ledger/execution.js';
import { find } from './world.js';

/** Texts that often break software: zero characters, lone surrogates, quotes, control characters, other scripts. */
const TEXTS = [
  'What is the weather in Zürich?',
  '{"json": true, "quote": "\\""}',
  'nul \u0000 inside',
  'half \ud83d of a pair, and the other \udca9 half',
  '',
  'line\nbreak\ttab\u0001\u007f \\ / \u2028',
  '日本語 ☃ 😀 עברית',
  "'; DROP TABLE names; --",
  '<script>alert("ae")</script>',
  '%s %d ${x} {{y}}',
];

export const registerOracle: Propose = (maker) => {
  const { random, world } = maker;
  const account = randomAccount(maker);
  if (find(world.oracles, withPrefix('ok', account.id)) !== undefined) return undefined;
  const absolute = random.chance(0.2);
  const lifetime = random.chance(0.3) ? random.int(20, 60) : random.int(200, 5000);
  return {
    tx: {
      abi_version: 0,
      account_id: account.id,
      fee: fee(random),
      nonce: nextNonce(maker, account),
      oracle_ttl: { type: absolute ? 'block' : 'delta', value: absolute ? world.height + lifetime : lifetime },
      query_fee: random.int(0, 30_000),
      query_format: random.chance(0.8) ? 'string' : random.pick(TEXTS),
      response_format: 'string',
      ...ttl(maker),
      type: 'OracleRegisterTx',
      version: 1,
    },
    signers: [account],
  };
};

export const extendOracle: Propose = (maker) => {
  const { random, world } = maker;
  if (world.oracles.length === 0) return undefined;
  const account = accountOfId(maker, accountOf(random.pick(world.oracles).id));
  return {
    tx: {
      fee: fee(random),
      nonce: nextNonce(maker, account),
      oracle_id: withPrefix('ok', account.id),
      oracle_ttl: { type: 'delta', value: random.int(1, 500) },
      ...ttl(maker),
      type: 'OracleExtendTx',
      version: 1,
    },
    signers: [account],
  };
};

/** `oracle_id` of a query: the oracle or, from Iris on, sometimes a name that points to it. */
function oracleOrName({ world, random }: Maker, id: string): string {
  if (world.version < IRIS || !random.chance(0.15)) return id;
  return world.names.find(({ record }) => pointerIn(record.name, 'oracle_pubkey') === id)?.id ?? id;
}

export const askOracle: Propose = (maker) => {
  const { random, world } = maker;
  const [queryTtl, responseTtl] = [random.int(1, 12), random.int(1, 12)];
  const oracles = world.oracles.filter(({ record }) => record.expires >= world.height + queryTtl + responseTtl);
  if (oracles.length === 0) return undefined;
  const { record: oracle } = random.pickEarly(oracles);
  const sender = randomAccount(maker);
  return {
    tx: {
      fee: fee(random),
      nonce: nextNonce(maker, sender),
      oracle_id: oracleOrName(maker, oracle.id),
      query: random.chance(0.5) ? `question ${random.word()}` : random.pick(TEXTS),
      query_fee: Number(oracle.queryFee) + random.int(0, 1),
      query_ttl: { type: 'delta', value: queryTtl },
      response_ttl: { type: 'delta', value: responseTtl },
      sender_id: sender.id,
      ...ttl(maker),
      type: 'OracleQueryTx',
      version: 1,
    },
    signers: [sender],
  };
};

export const answerQuery: Propose = (maker) => {
  const { random, world } = maker;
  const queries = world.queries.filter(({ record }) => find(world.oracles, record.oracle) !== undefined);
  if (queries.length === 0) return undefined;
  const { record: query } = random.pick(queries);
  const account = accountOfId(maker, accountOf(query.oracle));
  return {
    tx: {
      fee: fee(random),
      nonce: nextNonce(maker, account),
      oracle_id: query.oracle,
      query_id: query.id,
      response: random.chance(0.5) ? `answer ${random.word()}` : random.pick(TEXTS),
      response_ttl: { type: 'delta', value: query.responseTtl },
      ...ttl(maker),
      type: 'OracleRespondTx',
      version: 1,
    },
    signers: [account],
  };
};
