/** What happened to an account or another object, from several sources that are merged by the order of the chain. */
import { wordOf } from '../../chain/encoding/words.js';
import { INTERNAL_FUNCTIONS } from '../../chain/internal-calls.js';
import { accountOf } from '../../chain/money/movement.js';
import { isObject } from '../../chain/encoding/json.js';
import type { JsonObject } from '../../chain/encoding/json.js';
import type { Queryable } from '../../store/connection/database.js';
import { headAnswer } from '../../store/queries/answer.js';
import type { Answer } from '../../store/queries/answer.js';
import { internalCallRows, internalCallTotal } from '../../store/queries/compat/internal-calls.js';
import type { InternalCallRow } from '../../store/queries/compat/internal-calls.js';
import { compatMoveTotal, compatMoves } from '../../store/queries/compat/token-transfers.js';
import { MAX_COUNTED, counted, sumOf } from '../../store/queries/compat/totals.js';
import type { Total } from '../../store/queries/compat/totals.js';
import { compatTransferTotal, compatTransfers } from '../../store/queries/compat/transfers.js';
import { filteredTransactions } from '../../store/queries/compat/transaction-lists.js';
import { compatTransactionsAt } from '../../store/queries/compat/transactions.js';
import { transactionTotal } from '../../store/queries/compat/transaction-totals.js';
import type { Key } from './cursor.js';
import { effectList } from './effects.js';
import type { Effect } from './effects.js';
import { anyMention, idsOf, memberIs, mentionAs } from './mentions.js';
import { partOf, rangeOf } from './page.js';
import type { ReadPart, Row } from './page.js';
import { swapRow } from './render/dex.js';
import { internalCallRow } from './render/internal-calls.js';
import { moveActivity } from './render/tokens.js';
import { transactionRow } from './render/transactions.js';
import { transferActivity } from './render/transfers.js';
import { textOf } from './render/values.js';
import type { Range } from './scope.js';
import { sidesOf, swapListOfAccount } from './swaps.js';
import type { Swap } from './swaps.js';

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
        const from = placeAfter(RANKS.transfer, part.from);
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

/** More rows than a transaction or a key block has. It and the next number are integers of the database. */
const ABOVE_ALL = 2n ** 31n - 2n;

/** The place from which rows of an own rank follow a row; with -1 or `ABOVE_ALL` all or none of those at its position do. */
function placeAfter(own: bigint, from: Key | undefined): { position: bigint; index: bigint } | undefined {
  const [position, rank, index] = (from ?? []) as readonly bigint[];
  if (position === undefined) return undefined;
  if (rank === own) return { position, index: index! };
  return { position, index: rank! < own ? -1n : ABOVE_ALL };
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
        const from = placeAfter(RANKS.token, part.from);
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

/** What contracts did inside calls, where the object takes part, or where the contract was called. */
const internal: ActivitySource = {
  types: ['contract'],
  open(db, { id, ownedOnly, contract, range }) {
    const isContract = id.startsWith('ct_');
    if (ownedOnly && (!isContract || (contract !== undefined && contract !== id))) return undefined;
    const of = {
      ...range,
      ...(ownedOnly
        ? { contract: id, functions: INTERNAL_FUNCTIONS }
        : contract !== undefined
          ? { contract, member: { id: id.slice(3), text: '', types: null } }
          : { involved: { id: id.slice(3), contract: isContract ? id : null } }),
    };
    return {
      total: () => internalCallTotal(db, of),
      async read({ ascending, from, take }) {
        const start = placeAfter(RANKS.internalCall, from) ?? null;
        const { rows, head } = await internalCallRows(db, of, { forward: ascending, from: start, take });
        const keyed = rows.map((row) => ({
          key: [BigInt(row.position), RANKS.internalCall, BigInt(row.index)],
          value: internalCallActivity(row),
        }));
        return { rows: keyed, head };
      },
    };
  },
};

const internalCallActivity = (row: InternalCallRow): JsonObject => ({
  height: Number(row.height),
  block_hash: row.block_hash,
  block_time: Number(row.time),
  type: 'InternalContractCallEvent',
  payload: internalCallRow(row, 'v3'),
});

/** Swaps that an account made. */
const swaps: ActivitySource = {
  types: ['swaps'],
  open(db, { id, contract, range }) {
    if (!/^(ak|ct)_/.test(id)) return undefined;
    const { read } = swapListOfAccount(db, id, range, ({ contract_id: pair, called_id: called }) =>
      contract === undefined ? true : contract === pair || contract === called,
    );
    return {
      async total() {
        const { rows, head } = await read({
          ascending: true,
          from: undefined,
          inclusive: false,
          take: MAX_COUNTED + 1,
        });
        return { row: counted(rows.length), head };
      },
      async read({ ascending, from, inclusive, take }) {
        const start = placeAfter(RANKS.swap, from);
        const begin = start && [start.position, start.index];
        const { rows, head } = await read({ ascending, from: begin, inclusive, take });
        return { rows: await swapActivities(db, rows), head };
      },
    };
  },
};

/** Rows of swaps with their transactions; those whose transaction is gone are left out. */
async function swapActivities(db: Queryable, rows: readonly Swap[]): Promise<Row[]> {
  if (rows.length === 0) return [];
  const { rows: found } = await compatTransactionsAt(
    db,
    rows.map(({ position }) => BigInt(position)),
  );
  const byPosition = new Map(found.map((row) => [row.position, transactionRow(row, SHOWN)]));
  return rows.flatMap((swap): Row[] => {
    const tx = byPosition.get(swap.position);
    if (tx === undefined) return [];
    const { to } = sidesOf(swap);
    const payload = { ...swapRow(swap), tx, token_name: to.name, amount: to.amount };
    const { block_height: height, block_hash: block, micro_time: time } = tx;
    return [
      {
        key: [BigInt(swap.position), RANKS.swap, BigInt(swap.log_index)],
        value: { height, block_hash: block, block_time: time, type: 'DexSwapEvent', payload },
      },
    ];
  });
}

/** All sources. */
const SOURCES: readonly ActivitySource[] = [
  transactions,
  claims,
  internal,
  swaps,
  transfers,
  moves('aexn', [9, 141]),
  moves('aex9', [9]),
  moves('aex141', [141]),
];

/** What is listed where no type is asked for. */
const ALL = ['transactions', 'claims', 'contract', 'swaps', 'transfers', 'aexn'];

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
