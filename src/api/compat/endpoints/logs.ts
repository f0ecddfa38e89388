/** Logs of contracts. An event that another contract emitted in a call is a row of both: of the called contract and of the one that emitted it. */
import { z } from 'zod';
import { eventHash } from '../../../chain/event-names.js';
import type { Queryable } from '../../../store/connection/database.js';
import {
  areLogsKnown,
  isKnownContract,
  logRows,
  logRowsOfTransaction,
  logTotal,
} from '../../../store/queries/contract-logs.js';
import type { LogRow, LogsOf, LogWithCreations } from '../../../store/queries/contract-logs.js';
import { COUNTED, counted } from '../../../store/queries/compat/totals.js';
import { invalid, notAvailable, notFound } from '../errors.js';
import { list, partOf } from '../page.js';
import type { Row } from '../page.js';
import { flag, hash, id, text } from '../parameters.js';
import type { Parameter, Values } from '../parameters.js';
import { logRow } from '../render/logs.js';
import * as s from '../schemas.js';
import { positionsOf } from '../scope.js';
import type { Scope } from '../scope.js';

const event: Parameter<bigint> = {
  schema: z.string().max(255).meta({ description: 'The name of an event.' }),
  read(name) {
    if (name === '' || name.length > 255) throw invalid('query', `event=${name}`);
    return eventHash(name);
  },
};

const data: Parameter<Buffer> = {
  schema: z.string().max(1000).meta({ description: 'What the data begins with.' }),
  read(value) {
    if (value.length > 1000) throw invalid('query', `data=${value}`);
    return Buffer.from(value);
  },
};

const TRANSACTION = hash('The transaction in which they were emitted.', 'th');

/** In version 2 `true` and `false` are flags of how rows are shown, which lists of logs ignore. */
const transactionOrFlag: Parameter<string | undefined> = {
  schema: TRANSACTION.schema,
  read: (value) => (value === 'true' || value === 'false' ? undefined : TRANSACTION.read(value)),
};

const FILTERS = {
  transaction_hash: TRANSACTION,
  tx_hash: transactionOrFlag,
  event,
  data,
  function: text('function', 'The name of the function that the transaction called.'),
  'aexn-args': flag('Arguments of known events as accounts, contracts and numbers, not as texts of digits.'),
  'custom-args': flag('Has no effect.'),
};

const CONTRACT = id('A contract.', 'ct');

type Asked = Partial<Values<typeof FILTERS>>;

const key = ['int', 'int', 'int'] as const;

/** Of one log: the row of the called contract, and that of the contract that emitted it. */
type Copy = 'of the called' | 'of the emitter';

/** Which rows of a log belong to a list. */
function copiesOf(log: LogRow, contract: string | undefined, hasEvent: boolean): Copy[] {
  if (contract !== undefined)
    return [contract === log.contract_id && log.called_id !== null ? 'of the emitter' : 'of the called'];
  return log.called_id !== null && hasEvent ? ['of the called', 'of the emitter'] : ['of the called'];
}

const rowsOf = (logs: readonly LogWithCreations[], contract: string | undefined, asked: Asked): Row[] =>
  logs.flatMap((log) =>
    copiesOf(log, contract, asked.event !== undefined).map((copy) => ({
      key: [BigInt(log.position), BigInt(log.log_index), copy === 'of the called' ? 0n : 1n],
      value: logRow(log, { ofEmitter: copy === 'of the emitter', typed: asked['aexn-args'] === true }),
    })),
  );

interface Opened {
  db: Queryable;
  contract: string | undefined;
  query: Asked;
  scope: Scope | undefined;
}

/** The transaction to which a request limits the list; `scope` is what else does. */
function transactionOf({ query, scope }: Pick<Opened, 'query' | 'scope'>): { hash?: string; scope: Scope | undefined } {
  const hash = query.transaction_hash ?? query.tx_hash;
  if (hash !== undefined) return { hash, scope };
  const [first, last] = scope?.by === 'transaction' ? scope.ends : [];
  return first !== undefined && first === last ? { hash: first, scope: undefined } : { scope };
}

type ReadLogs = (part: Parameters<typeof logRows>[2]) => ReturnType<typeof logRows>;

/** Reads logs of positions, or those of a transaction wherever it is at that moment. Throws where an empty list would say that it emitted none. */
function readerOf(db: Queryable, of: LogsOf, hash: string | undefined): ReadLogs {
  if (hash === undefined) return (part) => logRows(db, of, part);
  return async (part) => {
    const { logs, head } = await logRowsOfTransaction(db, hash, of, part);
    if (logs === null) throw notFound(hash);
    if (!logs.known) throw notAvailable();
    return { rows: logs.rows, head };
  };
}

/** Reads the number of rows; absent where each log would have to be looked at. */
function totalOf({ db, contract, query }: Opened, of: LogsOf, readOne: ReadLogs | undefined) {
  const hasEvent = query.event !== undefined;
  if (readOne !== undefined)
    return async () => {
      const { rows, head } = await readOne({ forward: true, after: null, take: COUNTED.take });
      return { row: counted(rows.flatMap((log) => copiesOf(log, contract, hasEvent)).length), head };
    };
  if (query.data !== undefined || query.function !== undefined) return undefined;
  return () => logTotal(db, of, contract === undefined && hasEvent);
}

async function openLogs(opened: Opened) {
  const { db, contract, query } = opened;
  const { hash, scope } = transactionOf(opened);
  const { low, high, forward } = await positionsOf(db, scope);
  if (low === high && (await areLogsKnown(db, low)).row?.known !== true) throw notAvailable();
  const of = {
    ...(contract !== undefined && { involved: contract }),
    ...(query.event !== undefined && { event: query.event }),
    ...(query.data !== undefined && { data: query.data }),
    ...(query.function !== undefined && { calledFunction: query.function }),
    low,
    high,
  };
  const readLogs = readerOf(db, of, hash);
  return {
    forward,
    total: totalOf(opened, of, hash === undefined ? undefined : readLogs),
    read: async (part: Parameters<typeof partOf>[1]) => {
      const { ascending, from, take } = part;
      const [position, index] = (from ?? []) as bigint[];
      // A log may have two rows, so that its second one may be the next.
      const after = from === undefined ? null : { position: position!, index: Number(index) + (ascending ? -1 : 1) };
      const { rows: logs, head } = await readLogs({ forward: ascending, after, take: take + 1 });
      if (logs.length === 0 && contract !== undefined && (await isKnownContract(db, contract)).row?.known !== true)
        throw invalid('id', contract);
      return { rows: partOf(rowsOf(logs, contract, query), part), head };
    },
  };
}

const isCostly = ({ query }: { query: Asked }): 'light' | 'heavy' =>
  query.data === undefined && query.function === undefined ? 'light' : 'heavy';

const SCOPES = ['gen', 'time', 'transaction', 'txi'] as const;

export const contractsLogs = list({
  v3: { path: '/contracts/logs', id: 'GetContractsLogs' },
  v2: { path: '/contracts/logs', id: 'get_contract_logs' },
  tag: 'Contracts',
  summary: 'Logs of contracts',
  query: { contract: CONTRACT, contract_id: CONTRACT, ...FILTERS },
  strict: true,
  row: s.contractLog,
  key,
  hasCount: true,
  scopes: SCOPES,
  cost: isCostly,
  open({ query, scope }, { db }) {
    return openLogs({ db, contract: query.contract ?? query.contract_id, query, scope });
  },
});

export const contractLogs = list({
  v3: { path: '/contracts/{id}/logs', id: 'GetContractLogs' },
  tag: 'Contracts',
  summary: 'Logs of a contract: those that it emitted, and those of its calls',
  params: { id: CONTRACT },
  query: FILTERS,
  strict: true,
  row: s.contractLog,
  key,
  hasCount: true,
  scopes: SCOPES,
  cost: isCostly,
  open({ params, query, scope }, { db }) {
    return openLogs({ db, contract: params.id, query, scope });
  },
});
