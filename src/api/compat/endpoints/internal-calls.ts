/** What contracts did inside calls: payments, names and oracles that no transaction names. */
import { z } from 'zod';
import { INTERNAL_FUNCTIONS } from '../../../chain/internal-calls.js';
import type { Queryable } from '../../../store/connection/database.js';
import { internalCalls } from '../../../store/queries/compat/internal-calls.js';
import type { InternalCallsOf } from '../../../store/queries/compat/internal-calls.js';
import { isKnownContract } from '../../../store/queries/contract-logs.js';
import type { Version } from '../endpoint.js';
import { invalid, notAvailable } from '../errors.js';
import { inOrder, list } from '../page.js';
import type { ReadPart } from '../page.js';
import { id, text } from '../parameters.js';
import { internalCallRow } from '../render/internal-calls.js';
import * as s from '../schemas.js';
import { positionsOf } from '../scope.js';
import type { Scope } from '../scope.js';
import { MEMBER_PARAMETERS, membersIn } from '../transaction-filter.js';

const FUNCTION = { function: text('function', 'What the name of the function begins with: `Chain.spend`, `AENS`.') };
const CONTRACT = id('The contract that the transaction called or created.', 'ct');

const { contract_id: _, ...MEMBERS } = MEMBER_PARAMETERS;

/** Here `contract_id` is another word for `contract`: no row has such a member. */
const membersOf = ({ contract_id: _, ...query }: Readonly<Record<string, unknown>>) => membersIn(query);

interface Asked {
  query: { function?: string } & Record<string, unknown>;
  scope: Scope | undefined;
  contract: string | undefined;
  version: Version;
}

/** Which calls a request asks for. Of function and members it may have one. */
function filterOf({ query, contract }: Asked): Omit<InternalCallsOf, 'low' | 'high'> {
  const members = membersOf(query);
  const { function: prefix } = query;
  if (members.length > 1 || (members.length > 0 && prefix !== undefined))
    throw invalid('query', 'of a function and ids of members there can be one, and a contract');
  const [member] = members;
  if (member !== undefined) return { contract, member: { ...member, id: member.id.slice(3) } };
  if (prefix === undefined) return contract === undefined ? {} : { contract, functions: INTERNAL_FUNCTIONS };
  return { contract, functions: INTERNAL_FUNCTIONS.filter((name) => name.startsWith(prefix)) };
}

async function openCalls(db: Queryable, asked: Asked) {
  const filter = filterOf(asked);
  const { low, high, forward } = await positionsOf(db, asked.scope);
  const { contract, version } = asked;
  const read: ReadPart = async (part) => {
    const { ascending, from, inclusive, take } = part;
    const [position, index] = (from ?? []) as bigint[];
    const next = inclusive ? 0n : ascending ? 1n : -1n;
    const start = from === undefined ? null : { position: position!, index: index! + next };
    const of = { ...filter, low, high };
    const page = await internalCalls(db, of, { forward: ascending, from: start, take }, version === 'v2');
    if (page.head !== null && !page.begun) throw notAvailable();
    if (page.rows.length === 0 && contract !== undefined && (await isKnownContract(db, contract)).row?.known !== true)
      throw invalid('id', contract);
    const rows = page.rows.map((row) => ({
      key: [BigInt(row.position), BigInt(row.index)],
      value: internalCallRow(row, version),
    }));
    return { rows: inOrder(rows, part), head: page.head, beside: { complete: page.complete } };
  };
  return { forward, read };
}

const LIST = {
  tag: 'Contracts',
  strict: true,
  row: { v2: s.internalCallOfV2, v3: s.internalCall },
  beside: {
    complete: z
      .boolean()
      .meta({ description: 'Whether all calls of the scope were replayed; otherwise rows are missing.' }),
  },
  key: ['int', 'int'] as const,
  scopes: ['gen', 'time', 'transaction', 'txi'] as const,
  cost: ({ query }: { query: Readonly<Record<string, unknown>> }) =>
    membersOf(query).length > 0 ? ('heavy' as const) : ('light' as const),
};

export const contractsCalls = list({
  ...LIST,
  v3: { path: '/contracts/calls', id: 'GetContractCalls' },
  v2: { path: '/contracts/calls', id: 'get_contract_calls' },
  summary: 'What contracts did inside calls',
  query: { contract: CONTRACT, contract_id: CONTRACT, ...FUNCTION, ...MEMBERS },
  open: ({ query, scope, version }, { db }) =>
    openCalls(db, { query, scope, version, contract: query.contract ?? query.contract_id }),
});

export const contractCalls = list({
  ...LIST,
  v3: { path: '/contracts/{id}/calls', id: 'GetCallsOfContract' },
  summary: 'What was done inside calls of a contract',
  params: { id: CONTRACT },
  query: { ...FUNCTION, ...MEMBERS },
  open: ({ params, query, scope, version }, { db }) => openCalls(db, { query, scope, version, contract: params.id }),
});
