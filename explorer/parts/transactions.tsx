import { typeInWords } from '../format.js';
import type { Integer } from '../json.js';
import { Age, Amount, Height, Id } from './values.js';

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
const AMOUNTS = ['amount', 'name_fee', 'query_fee', 'initiator_amount'];

/** The members of `tx` that come first in `names`. */
const first = (tx: Tx, names: readonly string[], but?: unknown): unknown =>
  names.map((name) => tx[name]).find((value) => value !== undefined && value !== null && value !== but);

export function Transactions({ rows, empty }: { rows: readonly Row[]; empty: string }) {
  if (rows.length === 0) return <p class="note">{empty}</p>;
  const timed = rows.some(({ time }) => time !== undefined);
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Transactions">
      <table>
        <thead>
          <tr>
            <th scope="col">Transaction</th>
            <th scope="col">Type</th>
            <th scope="col">From</th>
            <th scope="col">To or about</th>
            <th scope="col" class="number">
              Amount
            </th>
            <th scope="col" class="number">
              Generation
            </th>
            {timed && <th scope="col">Age</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <TransactionRow key={row.hash} row={row} timed={timed} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function TransactionRow({ row, timed }: { row: Row; timed: boolean }) {
  const tx = row.tx as Tx;
  const sender = first(tx, SENDERS);
  const object = first(tx, OBJECTS, sender);
  const amount = first(tx, AMOUNTS);
  return (
    <tr>
      <td>
        <Id id={row.hash} short />
      </td>
      <td>{typeInWords(tx.type)}</td>
      <td>{typeof sender === 'string' && <Id id={sender} short />}</td>
      <td>{typeof object === 'string' && <Named text={object} />}</td>
      <td class="number">{amount !== undefined && <Amount aettos={amount as Integer} />}</td>
      <td class="number">
        <Height height={row.block_height} />
      </td>
      {timed && <td>{row.time !== undefined && <Age time={row.time} />}</td>}
    </tr>
  );
}

const Named = ({ text }: { text: string }) =>
  text.includes('.') ? <a href={`#/name/${encodeURIComponent(text)}`}>{text}</a> : <Id id={text} short />;
