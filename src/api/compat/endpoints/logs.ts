/** Logs of contracts. An event that another contract emitted in a call is a row of both: of the called contract and of the one that emitted it. */
import { z } from 'zod';
import { eventHash } from '../../../chain/event-names.js';
import type { Queryable } from '../../../store/connection/database.js';
import { areLogsKnown, creationsOf, isKnownContract, logRows } from '../../../store/queries/contract-logs.js';
import type { LogRow, LogsOf } from '../../../store/queries/contract-logs.js';
import { invalid, notAvailable } from '../errors.js';
import { list, partOf } from '../page.js';
import type { Row } from '../page.js';
import { flag, hash, id, text } from '../parameters.js';
import type { Parameter, Values } from '../parameters.js';
import { logRow } from '../render/logs.js';
import * as s from '../schemas.js';
import { positionsOf, transactionPosition } from '../scope.js';
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

async function rowsOf(
  db: Queryable,
  logs: readonly LogRow[],
  contract: string | undefined,
  asked: Asked,
): Promise<Row[]> {
  const involved = [
    ...new Set(
      logs.flatMap(({ contract_id: emitter, called_id: called }) => (called === null ? [emitter] : [emitter, called])),
    ),
  ];
  const creations = new Map((await creationsOf(db, involved)).rows.map((row) => [row.id, row.hash]));
  return logs.flatMap((log) =>
    copiesOf(log, contract, asked.event !== undefined).map((copy) => ({
      key: [BigInt(log.position), BigInt(log.log_index), copy === 'of the called' ? 0n : 1n],
      value: logRow(log, { ofEmitter: copy === 'of the emitter', creations, typed: asked['aexn-args'] === true }),
    })),
  );
}

interface Opened {
  db: Queryable;
  contract: string | undefined;
  query: Asked;
  scope: Scope | undefined;
}

/** Positions of the scope; of these only that of the transaction, if one is asked for. */
async function placesOf({ db, query, scope }: Opened): ReturnType<typeof positionsOf> {
  const range = await positionsOf(db, scope);
  const transaction = query.transaction_hash ?? query.tx_hash;
  if (transaction === undefined) return range;
  const position = await transactionPosition(db, transaction);
  const { low, high } = range;
  return { ...range, low: position > low ? position : low, high: position < high ? position : high };
}

async function openLogs(opened: Opened) {
  const { db, contract, query } = opened;
  const { low, high, forward } = await placesOf(opened);
  // An empty list would say that the transaction emitted none.
  if (low === high && (await areLogsKnown(db, low)).row?.known !== true) throw notAvailable();
  if (contract !== undefined && (await isKnownContract(db, contract)).row?.known !== true)
    throw invalid('id', contract);
  const of: LogsOf = {
    ...(contract !== undefined && { involved: contract }),
    ...(query.event !== undefined && { event: query.event }),
    ...(query.data !== undefined && { data: query.data }),
    ...(query.function !== undefined && { calledFunction: query.function }),
    low,
    high,
  };
  return {
    forward,
    read: async (part: Parameters<typeof partOf>[1]) => {
      const { ascending, from, take } = part;
      const [position, index] = (from ?? []) as bigint[];
      // A log may have two rows, so that its second one may be the next.
      const after = from === undefined ? null : { position: position!, index: Number(index) + (ascending ? -1 : 1) };
      const { rows: logs, head } = await logRows(db, of, { forward: ascending, after, take: take + 1 });
      return { rows: partOf(await rowsOf(db, logs, contract, query), part), head };
    },
  };
}

const SCOPES = ['gen', 'time', 'transaction', 'txi'] as const;

const isCostly = ({ query }: { query: Asked }): 'light' | 'heavy' =>
  query.data === undefined && query.function === undefined ? 'light' : 'heavy';

export const contractsLogs = list({
  v3: { path: '/contracts/logs', id: 'GetContractsLogs' },
  v2: { path: '/contracts/logs', id: 'get_contract_logs' },
  tag: 'Contracts',
  summary: 'Logs of contracts',
  query: { contract: CONTRACT, contract_id: CONTRACT, ...FILTERS },
  strict: true,
  row: s.contractLog,
  key,
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
  scopes: SCOPES,
  cost: isCostly,
  open({ params, query, scope }, { db }) {
    return openLogs({ db, contract: params.id, query, scope });
  },
});
