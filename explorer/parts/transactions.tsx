import { typeInWords } from '../format.js';
import type { Integer } from '../json.js';
import { Table } from './table.js';
import { Age, Amount, Height, Id, NameLink } from './values.js';

export interface Row {
  hash: string;
  block_height: Integer;
  time?: Integer;
  tx: unknown;
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
const COLUMNS = [
  { title: 'Transaction' },
  { title: 'Type' },
  { title: 'From' },
  { title: 'To or about' },
  { title: 'Amount', number: true },
  { title: 'Generation', number: true },
];
const AMOUNTS = ['amount', 'name_fee', 'query_fee', 'initiator_amount'];

/** The value of the first of these members that `tx` has, except the value `but`. */
const first = (tx: Tx, names: readonly string[], but?: unknown): unknown =>
  names.map((name) => tx[name]).find((value) => value !== undefined && value !== null && value !== but);

export function Transactions({ rows, empty }: { rows: readonly Row[]; empty: string }) {
  if (rows.length === 0) return <p class="note">{empty}</p>;
  const timed = rows.some(({ time }) => time !== undefined);
  return (
    <Table label="Transactions" columns={timed ? [...COLUMNS, { title: 'Age' }] : COLUMNS}>
      {rows.map((row) => (
        <TransactionRow key={row.hash} row={row} timed={timed} />
      ))}
    </Table>
  );
}

function TransactionRow({ row, timed }: { row: Row; timed: boolean }) {
  const tx = row.tx as Tx;
  const sender = first(tx, SENDERS);
  const object = first(tx, OBJECTS, sender);
  const amount = first(tx, AMOUNTS);
  return (
    <tr>
      <td data-title="Transaction">
        <Id id={row.hash} short />
      </td>
      <td data-title="Type">{typeInWords(tx.type)}</td>
      <td data-title="From">{typeof sender === 'string' && <Id id={sender} short />}</td>
      <td data-title="To or about">{typeof object === 'string' && <Named text={object} />}</td>
      <td class="number" data-title="Amount">
        {amount !== undefined && <Amount aettos={amount as Integer} />}
      </td>
      <td class="number" data-title="Generation">
        <Height height={row.block_height} />
      </td>
      {timed && <td data-title="Age">{row.time !== undefined && <Age time={row.time} />}</td>}
    </tr>
  );
}

const Named = ({ text }: { text: string }) => (text.includes('.') ? <NameLink name={text} /> : <Id id={text} short />);
