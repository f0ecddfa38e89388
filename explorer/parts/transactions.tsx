import { Fragment } from 'preact';
import type { ComponentChildren } from 'preact';
import type { Integer } from '../json.js';
import { Num } from './amount.js';
import { Mark, RowBadge } from './marks.js';
import type { Outcome } from './marks.js';
import { Party } from './party.js';
import { BoneRows, Table } from './table.js';
import type { Column } from './table.js';
import { InGeneration } from './head.js';
import { Age, Id } from './values.js';

export interface Row {
  hash: string;
  block_height: Integer;
  block_hash?: string;
  time?: Integer;
  tx: unknown;
  /** How it ended; only rows of lists of the middleware have it. */
  outcome?: Outcome;
}

type Tx = Record<string, unknown> & { type: string };

const SENDERS = [
  'sender_id',
  'caller_id',
  'account_id',
  'owner_id',
  'from_id',
  'initiator_id',
  'oracle_id',
  'ga_id',
  'payer_id',
];
const OBJECTS = [
  'recipient_id',
  'contract_id',
  'to_id',
  'responder_id',
  'name',
  'name_id',
  'oracle_id',
  'channel_id',
  'commitment_id',
];
/** Columns that not every list has. */
type Has = Record<'generation' | 'age', boolean>;

const COLUMNS: readonly (Column & { of?: keyof Has })[] = [
  { title: 'Type' },
  { title: 'From → to', fill: true },
  { title: 'Amount', number: true, isCoins: true },
  { title: 'Fee', number: true, isCoins: true },
  { title: 'Generation', number: true, of: 'generation' },
  { title: 'Age', number: true, of: 'age' },
  { title: 'Transaction' },
];
const AMOUNTS = ['amount', 'name_fee', 'query_fee', 'initiator_amount'];

/** The value of the first of these members that `tx` has, except the value `but`. */
const first = (tx: Tx, names: readonly string[], but?: unknown): unknown =>
  names.map((name) => tx[name]).find((value) => value !== undefined && value !== null && value !== but);

/** Who sent the transaction, to whom or about what, and how much. */
export function partiesOf(tx: Tx): { from: string | undefined; to: string | undefined; amount: Integer | undefined } {
  const from = first(tx, SENDERS);
  const to = first(tx, OBJECTS, from);
  return {
    from: typeof from === 'string' ? from : undefined,
    to: typeof to === 'string' ? to : undefined,
    amount: first(tx, AMOUNTS) as Integer | undefined,
  };
}

/** `headOf`: what stands above the rows of each micro block. */
export function Transactions(props: {
  rows: readonly Row[];
  /** In place of rows. */
  empty: ComponentChildren;
  headOf?: (blockHash: string) => ComponentChildren;
}) {
  const { rows, empty, headOf } = props;
  if (rows.length === 0) return <>{empty}</>;
  const has: Has = { age: rows.some(({ time }) => time !== undefined), generation: headOf === undefined };
  const columns = COLUMNS.filter(({ of }) => of === undefined || has[of]);
  return (
    <Table label="Transactions" columns={columns}>
      {rows.map((row, i) => (
        <Fragment key={row.hash}>
          {headOf !== undefined && row.block_hash !== undefined && row.block_hash !== rows[i - 1]?.block_hash && (
            <tr class="group">
              <td colSpan={columns.length}>{headOf(row.block_hash)}</td>
            </tr>
          )}
          <TransactionRow row={row} has={has} />
        </Fragment>
      ))}
    </Table>
  );
}

export const TransactionBones = () => <BoneRows columns={COLUMNS} />;

function TransactionRow({ row, has }: { row: Row; has: Has }) {
  const { hash, block_height, time, tx: content, outcome = 'unknown' } = row;
  const tx = content as Tx;
  const { from, to, amount } = partiesOf(tx);
  return (
    <tr>
      <td class="c">
        <Mark of={outcome} type={tx.type} opens={hash} />{' '}
        <span class="onlyphone">
          <RowBadge of={outcome} />
        </span>
      </td>
      <td class="a fill">
        <FromTo from={from} to={to}>
          <span class="notphone">
            <RowBadge of={outcome} />
          </span>
        </FromTo>
      </td>
      <td class="n b">{amount !== undefined && <Num aettos={amount} />}</td>
      <td class="n quiet">{tx['fee'] !== undefined && <Num aettos={tx['fee'] as Integer} />}</td>
      {has.generation && (
        <td class={has.age ? 'n quiet' : 'n e quiet'}>
          {outcome === 'pending' ? '—' : <InGeneration blockHeight={block_height} />}
        </td>
      )}
      {has.age && <td class="n e quiet">{time !== undefined && <Age time={time} />}</td>}
      <td class="quiet" data-opens>
        <Id id={hash} short />
      </td>
    </tr>
  );
}

/** From, arrow, to, at one place in the whole list. `children` stand after `to`. */
export function FromTo(props: {
  from: string | undefined;
  to: string | undefined;
  children?: preact.ComponentChildren;
}) {
  const { from, to, children } = props;
  return (
    <span class="ft">
      <span>{from !== undefined && <Party of={from} />}</span>
      <span class="arrow">{to !== undefined && '→'}</span>
      <span>
        {to !== undefined && <Party of={to} />}
        {children}
      </span>
    </span>
  );
}
