/** The transactions of an account by days, with whom and what for, as far as a transaction itself tells what it moves. */
import { Fragment } from 'preact';
import type { ComponentChildren } from 'preact';
import { textIn } from '../format.js';
import type { Integer } from '../json.js';
import { Num } from './amount.js';
import { Mark, RowBadge } from './marks.js';
import { BoneRows, Table } from './table.js';
import { Party } from './party.js';
import { partiesOf } from './transactions.js';
import type { Row } from './transactions.js';
import { Id } from './values.js';

type Tx = Record<string, unknown> & { type: string };

const COLUMNS = [
  { title: 'Time' },
  { title: 'Type' },
  { title: 'With whom, what for', fill: true },
  { title: 'Amount', number: true, isCoins: true },
  { title: 'Fee', number: true, isCoins: true },
  { title: 'Transaction' },
];

const iso = (time: Integer | undefined): string => (time === undefined ? '' : new Date(Number(time)).toISOString());

export function Statement({
  account,
  rows,
  empty,
}: {
  account: string;
  rows: readonly Row[];
  empty: ComponentChildren;
}) {
  if (rows.length === 0) return <>{empty}</>;
  const dayOf = (row: Row | undefined): string => iso(row?.time).slice(0, 10);
  return (
    <Table label="Transactions" columns={COLUMNS}>
      {rows.map((row, i) => (
        <Fragment key={row.hash}>
          {dayOf(row) !== dayOf(rows[i - 1]) && (
            <tr class="group">
              <td colSpan={COLUMNS.length}>
                <b>{dayOf(row)}</b>
              </td>
            </tr>
          )}
          <StatementRow account={account} row={row} />
        </Fragment>
      ))}
    </Table>
  );
}

export const StatementBones = () => <BoneRows columns={COLUMNS} />;

/** The oracle of an account has its key. */
const isSame = (account: string, id: string | undefined): boolean => id?.replace(/^ok_/, 'ak_') === account;

function StatementRow({ account, row }: { account: string; row: Row }) {
  const { hash, time, outcome = 'unknown' } = row;
  const tx = row.tx as Tx;
  const { from, to, amount } = partiesOf(tx);
  const isOut = isSame(account, from);
  const other = isOut ? to : from;
  const failed = outcome === 'revert' || outcome === 'error';
  return (
    <tr class={failed ? 'failed' : undefined}>
      <td class="quiet e">{iso(time).slice(11, 19)}</td>
      <td class="c">
        <Mark of={outcome} type={tx.type} opens={hash} />
      </td>
      <td class="a fill">
        <span class="what">
          <span class={`dir${isOut ? '' : ' in'}`}>{isOut ? 'out' : 'in'}</span>
          <span>
            {other !== undefined && <Party of={other} />} <Purpose of={tx} /> <RowBadge of={outcome} />
          </span>
        </span>
      </td>
      <td class="n b">
        {amount !== undefined && <Num aettos={isOut ? -BigInt(amount) : amount} signed={BigInt(amount) !== 0n} />}
      </td>
      <td class="n quiet">{isOut && tx['fee'] !== undefined && <Num aettos={-BigInt(tx['fee'] as Integer)} />}</td>
      <td class="quiet" data-opens>
        <Id id={hash} short />
      </td>
    </tr>
  );
}

/** The message of a payment, or the question to an oracle. */
function Purpose({ of }: { of: Tx }) {
  const { payload, query } = of;
  const text = typeof payload === 'string' ? textIn(payload) : typeof query === 'string' ? query : undefined;
  return text === undefined || text === '' ? null : <span class="quiet">“{text}”</span>;
}
