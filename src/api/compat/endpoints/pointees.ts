/** Names by what their pointers point to. */
import { z } from 'zod';
import { isObject, parseExact } from '../../../chain/encoding/json.js';
import type { JsonObject } from '../../../chain/encoding/json.js';
import { ListKind } from '../../../chain/lists.js';
import type { Queryable } from '../../../store/connection/database.js';
import { compatUpdated } from '../../../store/queries/compat/names.js';
import { filteredTransactions } from '../../../store/queries/compat/transaction-lists.js';
import { effectOf } from '../effects.js';
import type { Effect } from '../effects.js';
import { compatible } from '../endpoint.js';
import { list, partOf, rangeOf } from '../page.js';
import type { ReadPart, Row } from '../page.js';
import { id } from '../parameters.js';
import { namedPointers, orUndefined, textOf } from '../render/values.js';
import * as s from '../schemas.js';
import { positionsOf } from '../scope.js';
import type { Range } from '../scope.js';

/** Rows of all updates that pointed a name to an id, one for each pointer. */
function readPointees(db: Queryable, pointed: string, range: Range): ReadPart {
  const of = { mentions: [{ lists: [{ kind: ListKind.pointed, id: pointed }] }], types: null, texts: [] };
  return async (part) => {
    // The first update may have more rows than those from which the part begins on.
    const asked = { ...part, inclusive: true, take: part.take + 1 };
    const { rows, head } = await filteredTransactions(db, { ...of, ...rangeOf(asked, range) }, asked);
    const effects = rows.flatMap((row) => effectOf(row, ['NameUpdateTx']) ?? []);
    const names = await compatUpdated(
      db,
      effects.map(({ tx }) => textOf(tx['name_id'])),
    );
    const byHash = new Map(names.rows.map((row) => [row.hash, row]));
    const found = effects.flatMap((effect) => pointeeRows(effect, pointed, byHash.get(textOf(effect.tx['name_id']))));
    return { rows: partOf(found, part), head };
  };
}

/** One row for each pointer of an update to the id. */
function pointeeRows(
  { position, tx, common }: Effect,
  pointed: string,
  now: Awaited<ReturnType<typeof compatUpdated>>['rows'][number] | undefined,
): Row[] {
  const { height, ...rest } = common;
  const pointers = namedPointers(tx['pointers']);
  const isLast = now?.active === true && now.update_position === String(position);
  const kept = isLast && now.pointers !== null ? namedPointers(orUndefined(() => parseExact(now.pointers!))) : [];
  return pointers.flatMap((pointer, i): Row[] => {
    if (!isObject(pointer) || pointer['id'] !== pointed) return [];
    const key = textOf(pointer['key']);
    const value = {
      name: now?.name ?? textOf(tx['name_id']),
      active: now?.active === true,
      key,
      // A contract may have changed the pointers, too.
      current: kept.some((one) => isObject(one) && one['id'] === pointed && one['key'] === key),
      block_height: height!,
      ...rest,
      tx: { ...tx, pointers },
    };
    return [{ key: [position, BigInt(i)], value }];
  });
}

const ID = id('What names point to.', 'ak', 'ct', 'ok', 'ch');

export const pointees = list({
  tag: 'Names',
  v3: { path: '/accounts/{id}/names/pointees', id: 'GetAccountPointees' },
  summary: 'Updates that pointed a name to an id, newest first',
  params: { id: ID },
  row: s.pointee,
  key: ['int', 'int'],
  scopes: ['gen', 'time', 'transaction'],
  async open({ params, scope }, { db }) {
    const { forward, ...range } = await positionsOf(db, scope);
    return { forward, read: readPointees(db, params.id, range) };
  },
});

/** Updates that the answer without pages has at most: the newest ones. */
const MAX_UPDATES = 1_000;

const byKey = z.record(z.string(), z.array(s.pointee));

export const pointeesOfV2 = compatible({
  tag: 'Names',
  v2: { path: '/names/{id}/pointees', id: 'get_name_pointees' },
  summary: 'Names that point to an id, and those that pointed to it before, by the keys of the pointers',
  params: { id: ID },
  answer: z.object({ active: byKey, inactive: byKey }),
  cost: 'heavy',
  async handle({ params }, { db }) {
    const range = await positionsOf(db, undefined);
    const { rows, head } = await readPointees(
      db,
      params.id,
      range,
    )({
      ascending: false,
      inclusive: true,
      take: MAX_UPDATES,
    });
    const found: Record<'active' | 'inactive', Record<string, JsonObject[]>> = { active: {}, inactive: {} };
    for (const row of rows) {
      const value = row.value as JsonObject;
      const group = found[value['current'] === true ? 'active' : 'inactive'];
      (group[textOf(value['key'])] ??= []).push(value);
    }
    return { value: found, head };
  },
});
