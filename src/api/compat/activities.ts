/** What happened to an account or another object, from several sources that are merged by the order of the chain. */
import { wordOf } from '../../chain/encoding/words.js';
import { accountOf } from '../../chain/money/movement.js';
import { isObject } from '../../chain/encoding/json.js';
import type { JsonObject } from '../../chain/encoding/json.js';
import type { Queryable } from '../../store/connection/database.js';
import { headAnswer } from '../../store/queries/answer.js';
import type { Answer } from '../../store/queries/answer.js';
import { compatMoveTotal, compatMoves } from '../../store/queries/compat/token-transfers.js';
import { counted, sumOf } from '../../store/queries/compat/totals.js';
import type { Total } from '../../store/queries/compat/totals.js';
import { compatTransferTotal, compatTransfers } from '../../store/queries/compat/transfers.js';
import { filteredTransactions } from '../../store/queries/compat/transaction-lists.js';
import { transactionTotal } from '../../store/queries/compat/transaction-totals.js';
import { effectList } from './effects.js';
import type { Effect } from './effects.js';
import { anyMention, idsOf, memberIs, mentionAs } from './mentions.js';
import { partOf, rangeOf } from './page.js';
import type { ReadPart, Row } from './page.js';
import { moveActivity } from './render/tokens.js';
import { transactionRow } from './render/transactions.js';
import { transferActivity } from './render/transfers.js';
import { textOf } from './render/values.js';
import type { Range } from './scope.js';

/** Whose activities, and which. */
interface ActivitiesOf {
  id: string;
  /** Only what the account itself began. */
  ownedOnly: boolean;
  /** Only calls of this contract, its creation, and what moved its tokens. */
  contract: string | undefined;
  range: Range;
}

/**
 * Rows of one kind. The key of a row is its position, then its rank among the rows of one transaction, then a number that tells rows of the
 * same rank apart.
 */
interface ActivitySource {
  /** Values of the parameter `type` that ask for it. */
  types: readonly string[];
  /** Undefined if the object cannot have such rows. */
  open(db: Queryable, of: ActivitiesOf): OpenSource | undefined;
}

interface OpenSource {
  read: ReadPart;
  /** Reads the number of rows. */
  total: () => Promise<Answer<Total>>;
}

/** Order of the rows of one transaction. */
const RANKS = { claim: 0n, internalCall: 1n, swap: 2n, transaction: 3n, transfer: 4n, token: 5n };

/** The members of a transaction that name who began it. */
const ORIGINS = 'sender_id|account_id|owner_id|caller_id|payer_id|ga_id|initiator_id|from_id';

/** Regular expression for transactions that one of the ids began. Only an oracle itself extends it and responds. */
const begunBy = (ids: readonly string[]): string =>
  `${memberIs(ORIGINS, ids)}|${memberIs('type', ['OracleExtendTx', 'OracleRespondTx', 'OracleResponseTx'])}`;

const transactions: ActivitySource = {
  types: ['transactions'],
  open: (db, { id, ownedOnly, contract, range }) => {
    const texts = ownedOnly ? [begunBy(idsOf(id))] : [];
    const mentions = [anyMention(id), ...(contract === undefined ? [] : [mentionAs(contract, 'ct')])];
    const of = { mentions, types: null, texts, ...range };
    return {
      total: () => transactionTotal(db, of),
      async read(part) {
        const { rows, head } = await filteredTransactions(db, { ...of, ...rangeOf(part, range) }, part);
        return { rows: rows.map((row) => activity(transactionRow(row, SHOWN), BigInt(row.position))), head };
      },
    };
  },
};

const SHOWN = { version: 'v3' as const, recipient: false };

function activity(payload: JsonObject, position: bigint): Row {
  const { tx, block_height: height, block_hash: block, micro_time: time } = payload;
  const type = `${isObject(tx) ? textOf(tx['type']) : ''}Event`;
  return {
    key: [position, RANKS.transaction, 0n],
    value: { height, block_hash: block, block_time: time, type, payload },
  };
}

const claims: ActivitySource = {
  types: ['claims'],
  open: (db, { id, ownedOnly, contract, range }) => {
    if (!id.startsWith('nm_') || ownedOnly || contract !== undefined) return undefined;
    const of = { mentions: [mentionAs(id, 'nm')], types: null, texts: [], ...range };
    const render = (effects: readonly Effect[]) => Promise.resolve(effects.map(claimActivity));
    const { read, total } = effectList(db, of, ['NameClaimTx'], render);
    return {
      total,
      async read(part) {
        const { rows, head } = await read(part);
        return { rows: rows.map(({ key, value }) => ({ key: [key[0]!, RANKS.claim, 0n], value })), head };
      },
    };
  },
};

function claimActivity({ tx, common }: Effect): JsonObject {
  const { height, block_hash: block, block_time: time, source_tx_hash: source } = common;
  return {
    height: height!,
    block_hash: block!,
    block_time: time!,
    type: 'NameClaimEvent',
    payload: {
      micro_time: time!,
      source_tx_hash: source!,
      // Also of a claim that another transaction wraps: clients compare this word.
      source_tx_type: 'NameClaimTx',
      tx,
    },
  };
}

const transfers: ActivitySource = {
  types: ['transfers'],
  open(db, { id, ownedOnly, contract, range }) {
    if (ownedOnly || contract !== undefined || !/^(ak|ct|ok)_/.test(id)) return undefined;
    const of = { account: accountOf(id), kind: '' };
    return {
      total: () => compatTransferTotal(db, { ...of, ...range }),
      async read(part) {
        const [position, rank, index] = (part.from ?? []) as readonly bigint[];
        const from = position === undefined ? undefined : { position, index: firstIndex(rank!, index!) };
        const within = rangeOf(part, range);
        const { rows, head } = await compatTransfers(db, { ...of, ...within }, { ...part, from });
        const keyed = rows.map((row) => ({
          key: [BigInt(row.position), RANKS.transfer, BigInt(row.index)],
          value: transferActivity(row),
        }));
        return { rows: keyed, head };
      },
    };
  },
};

/** More rows than a transaction or a key block has. */
const ABOVE_ALL = 2n ** 31n;

/** The index from which transfers of a position follow a row of a rank; -1 or `ABOVE_ALL` if all or none of them do. */
function firstIndex(rank: bigint, index: bigint): bigint {
  if (rank === RANKS.transfer) return index;
  return rank < RANKS.transfer ? -1n : ABOVE_ALL;
}

/** Moves of tokens of some standards. Only those that an account sent or burnt are its own. */
const moves = (type: string, kinds: readonly (9 | 141)[]): ActivitySource => ({
  types: [type],
  open(db, { id, ownedOnly, contract, range }) {
    if (!/^(ak|ct)_/.test(id)) return undefined;
    const of = { account: wordOf(id), kinds, contract, sent: ownedOnly };
    return {
      total: () => compatMoveTotal(db, { ...of, ...range }),
      async read(part) {
        const [position, rank, index] = (part.from ?? []) as readonly bigint[];
        const from = position === undefined ? undefined : { position, index: rank === RANKS.token ? index! : -1n };
        const { rows, head } = await compatMoves(db, { ...of, ...rangeOf(part, range) }, { ...part, from });
        const keyed = rows.map((row) => ({
          key: [BigInt(row.position), RANKS.token, BigInt(row.log_index)],
          value: moveActivity(row),
        }));
        return { rows: keyed, head };
      },
    };
  },
});

/** All sources. Rows of payments within calls and of exchanges are not there yet. */
const SOURCES: readonly ActivitySource[] = [
  transactions,
  claims,
  transfers,
  moves('aexn', [9, 141]),
  moves('aex9', [9]),
  moves('aex141', [141]),
];

/** What is listed where no type is asked for. */
const ALL = ['transactions', 'claims', 'transfers', 'aexn'];

/** Values of `type` that are known. */
export const ACTIVITY_TYPES = [
  'transactions',
  'contract',
  'aexn',
  'aex9',
  'aex141',
  'transfers',
  'claims',
  'swaps',
] as const;

/** The list of activities; `types` are values of the parameter, null for all. */
export function openActivities(db: Queryable, of: ActivitiesOf, types: readonly string[] | null): OpenSource {
  const wanted = types ?? ALL;
  const sources = SOURCES.filter((source) => source.types.some((type) => wanted.includes(type))).flatMap(
    (source) => source.open(db, of) ?? [],
  );
  return {
    total: async () =>
      sources.length === 0
        ? { row: counted(0), head: (await headAnswer(db)).head }
        : sumOf(await Promise.all(sources.map(({ total }) => total()))),
    async read(part) {
      // Each source reads from the position on, and those of its rows that are before the part are left out below.
      const asked = { ...part, inclusive: true, take: part.take + 1 };
      const found = await Promise.all(sources.map(({ read }) => read(asked)));
      const rows = partOf(
        found.flatMap((one) => one.rows),
        part,
      );
      return { rows, head: found.length === 0 ? (await headAnswer(db)).head : found[0]!.head };
    },
  };
}
