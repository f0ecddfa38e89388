import { keyPosition, microPosition } from '../../../chain/position.js';
import type { Queryable } from '../../../store/connection/database.js';
import * as queries from '../../../store/queries/compat/blocks.js';
import type { CompatMicroBlockRow } from '../../../store/queries/compat/blocks.js';
import { compatBodiesOf } from '../../../store/queries/compat/transactions.js';
import { compatible } from '../endpoint.js';
import { notFound } from '../errors.js';
import { inOrder, list, rangeOf } from '../page.js';
import { hash, keyBlockId } from '../parameters.js';
import { keyBlockRow, microBlockRow } from '../render/blocks.js';
import * as s from '../schemas.js';
import { heightsOf } from '../scope.js';

export const keyBlocks = list({
  v3: { path: '/key-blocks', id: 'GetKeyBlocks' },
  v2: { path: '/key-blocks', id: 'get_key_blocks' },
  tag: 'Blocks',
  summary: 'Key blocks',
  row: s.keyBlock,
  key: ['int'],
  hasCount: true,
  scopes: ['gen'],
  open({ scope }, { db }) {
    const { low, high, forward } = heightsOf(scope);
    return {
      forward,
      total: () => queries.compatKeyBlockTotal(db, { low, high }),
      async read(part) {
        const range = rangeOf(part, { low, high });
        const { rows, head } = await queries.compatKeyBlocks(db, { ...range, ...part });
        const found = rows.map((row) => ({ key: [BigInt(row.height)], value: keyBlockRow(row) }));
        return { rows: inOrder(found, part), head };
      },
    };
  },
});

export const keyBlock = compatible({
  v3: { path: '/key-blocks/{hash_or_kbi}', id: 'GetKeyBlock' },
  v2: { path: '/key-blocks/{hash_or_kbi}', id: 'get_key_block' },
  tag: 'Blocks',
  summary: 'A key block',
  params: { hash_or_kbi: keyBlockId },
  answer: s.keyBlock,
  async handle({ ctx, params: { hash_or_kbi: id } }, { db }) {
    const { row, head } = await queries.compatKeyBlock(db, id);
    if (row === null) throw notFound(ctx.params!['hash_or_kbi']!);
    return { value: keyBlockRow(row), head };
  },
});

export const microBlocksOfGeneration = list({
  v3: { path: '/key-blocks/{hash_or_kbi}/micro-blocks', id: 'GetKeyBlockMicroBlocks' },
  v2: { path: '/key-blocks/{hash_or_kbi}/micro-blocks', id: 'get_key_block_micro_blocks' },
  tag: 'Blocks',
  summary: 'Micro blocks of the generation that a key block opens',
  params: { hash_or_kbi: keyBlockId },
  row: s.microBlock,
  key: ['int'],
  hasCount: true,
  cost: () => 'heavy',
  async open({ ctx, params: { hash_or_kbi: id } }, { db }) {
    const { row: block } = await queries.compatKeyBlock(db, id);
    if (block === null) throw notFound(ctx.params!['hash_or_kbi']!);
    const height = Number(block.height);
    const low = microPosition(height, 1);
    const high = keyPosition(height + 1) - 1n;
    return {
      total: () => queries.compatMicroBlockTotal(db, { low, high }),
      async read(part) {
        const range = rangeOf(part, { low, high });
        const { rows, head } = await queries.compatMicroBlocks(db, { ...range, ...part });
        return { rows: inOrder(await microBlockRows(db, rows), part), head };
      },
    };
  },
});

export const microBlock = compatible({
  v3: { path: '/micro-blocks/{hash}', id: 'GetMicroBlock' },
  v2: { path: '/micro-blocks/{hash}', id: 'get_micro_block' },
  tag: 'Blocks',
  summary: 'A micro block',
  params: { hash: hash('The hash of a micro block.', 'mh') },
  answer: s.microBlock,
  async handle({ params: { hash: id } }, { db }) {
    const { row, head } = await queries.compatMicroBlock(db, id);
    if (row === null) throw notFound(id);
    const [rendered] = await microBlockRows(db, [row]);
    return { value: rendered!.value, head };
  },
});

async function microBlockRows(db: Queryable, rows: readonly CompatMicroBlockRow[]) {
  const mined = await compatBodiesOf(
    db,
    rows.map(({ position }) => BigInt(position)),
  );
  return rows.map((row) => ({
    key: [BigInt(row.position)],
    value: microBlockRow(
      row,
      mined.rows.filter(({ micro_block: block }) => block === row.position),
    ),
  }));
}
