/** The catalogue of transaction types. Lists, operations, amounts and the binary form of transactions are derived from it. */
import { CHANNELS } from './channels.js';
import { CONTRACTS } from './contracts.js';
import { NAMES } from './names.js';
import { ORACLES } from './oracles.js';
import { SPEND } from './spend.js';
import type { TransactionType } from './type.js';
import { WRAPPING } from './wrapping.js';

/** In the order of the tables in the documents. */
export const TRANSACTION_TYPES: readonly TransactionType[] = [
  ...SPEND,
  ...ORACLES,
  ...NAMES,
  ...CONTRACTS,
  ...WRAPPING,
  ...CHANNELS,
];

const BY_NAME: ReadonlyMap<string, TransactionType> = new Map(
  TRANSACTION_TYPES.flatMap((type) => [
    [type.name, type],
    ...(type.formerly === undefined ? [] : [[type.formerly, type] as const]),
  ]),
);
const BY_TAG: ReadonlyMap<number, TransactionType> = new Map(TRANSACTION_TYPES.map((type) => [type.tag, type]));

/** The type with this name, or with this name in older releases; undefined if it is not known. */
export const transactionType = (name: string): TransactionType | undefined => BY_NAME.get(name);

/** The type with this tag in the binary form; undefined if it is not known. */
export const taggedType = (tag: number): TransactionType | undefined => BY_TAG.get(tag);
