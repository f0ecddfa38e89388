/** Payloads of events of the compatible API: what the endpoints answer about the same block or transaction. */
import { parseExact, stringifyExact } from '../../chain/encoding/json.js';
import type { JsonObject } from '../../chain/encoding/json.js';
import type { Queryable } from '../../store/connection/database.js';
import { compatKeyBlock, compatMicroBlock } from '../../store/queries/compat/blocks.js';
import { compatBodiesOf, compatTransaction } from '../../store/queries/compat/transactions.js';
import { keyBlockRow, microBlockRow } from './render/blocks.js';
import { transactionRow } from './render/transactions.js';
import { textOf } from './render/values.js';

type Channel = 'KeyBlocks' | 'MicroBlocks' | 'Transactions';
type Form = 'node' | 'v1' | 'v2' | 'v3';

/** Makes the function that renders payloads. A block or transaction that a reorg removed meanwhile, or that cannot be read, is sent as the node printed it. */
export const createPayloads =
  (db: Queryable) =>
  async (channel: Channel, text: string, form: Form): Promise<string> => {
    const printed = parseExact(text) as JsonObject;
    // Only events of the service's own protocol have it.
    delete printed['key_block_id'];
    const rendered = await RENDER[channel](db, printed, form).catch(() => undefined);
    return stringifyExact(rendered ?? printed);
  };

type Render = (db: Queryable, printed: JsonObject, form: Form) => Promise<JsonObject | undefined>;

const keyBlock: Render = async (db, printed, form) => {
  if (form === 'node') return { ...printed, micro_blocks_count: null, transactions_count: null };
  const { row } = await compatKeyBlock(db, { hash: textOf(printed['hash']) });
  return row === null ? undefined : keyBlockRow(row);
};

const microBlock: Render = async (db, printed, form) => {
  const { row } = await compatMicroBlock(db, textOf(printed['hash']));
  if (row === null) return undefined;
  if (form === 'node' || form === 'v1') return { ...printed, transactions_count: row.transactions };
  const { rows } = await compatBodiesOf(db, [BigInt(row.position)]);
  return microBlockRow(row, rows);
};

const transaction: Render = async (db, printed, form) => {
  if (form === 'node' || form === 'v1') return printed;
  const { row } = await compatTransaction(db, textOf(printed['hash']), form === 'v2');
  return row === null ? undefined : transactionRow(row, { version: form, recipient: form === 'v3' });
};

const RENDER: Record<Channel, Render> = { KeyBlocks: keyBlock, MicroBlocks: microBlock, Transactions: transaction };
