/** The events of a contract: those that it emitted, and those of its calls. */
import { useRef } from 'preact/hooks';
import { Refusal, read, readNode } from '../api.js';
import type { Route } from '../address.js';
import { bytes, bytesIn, integer, textIn } from '../format.js';
import type { Integer } from '../json.js';
import { Card, Empty } from './card.js';
import { InGeneration } from './head.js';
import { mentions, ofTransaction, useLiveRead } from './live-read.js';
import { CursorPages, PER_PAGE } from './pages.js';
import { Party } from './party.js';
import { Shown } from './read.js';
import { BoneRows, Rows } from './table.js';
import { Foreign } from './token.js';
import { Age, Id } from './values.js';

/** A row of `/v3/contracts/{id}/logs`; no document of `/middleware` has it. */
interface Log {
  call_tx_hash: string;
  log_idx: Integer;
  height: Integer;
  block_time: Integer;
  event_name: string | null;
  args: readonly (string | Integer)[];
  topics: readonly string[];
  raw_data: string;
  /** Who emitted it in a call of this contract, and the contract that was called when this one emitted it. */
  ext_caller_contract_id: string | null;
  parent_contract_id: string | null;
}

interface LogPage {
  data: readonly Log[];
  next: string | null;
  prev: string | null;
}

const COLUMNS = [
  { title: 'Event', fill: true },
  { title: 'Emitted by' },
  { title: 'Age', number: true },
  { title: 'Generation', number: true },
  { title: 'Transaction' },
];

export function Events({ route }: { route: Route }) {
  const { subject: contract, query } = route;
  const [cursor, rev] = [query.get('cursor') ?? '', query.get('rev') ?? ''];
  const touches = ofTransaction(mentions(contract));
  /** While something is missing, nothing says when it is there, or that there is nothing. */
  const lacks = useRef(false);
  const loaded = useLiveRead(
    async (signal) => {
      const page = await newest(contract, { cursor, rev }, signal);
      lacks.current = !page.complete;
      return page;
    },
    [contract, cursor, rev],
    (event) =>
      cursor === '' &&
      (event.kind === 'contract_logs'
        ? event.payload.logs.some((log) => log.contract_id === contract || log.called_id === contract)
        : touches(event) || (lacks.current && (event.kind === 'key_blocks' || event.kind === 'micro_blocks'))),
  );
  return (
    <Card title="Events" more="newest first">
      <Shown of={loaded} bones={<BoneRows columns={COLUMNS} />}>
        {({ data, next, prev, complete }) => (
          <>
            {!complete && (
              <p class="lacks">
                Events may be missing: the call information of some transactions of these generations is not read yet,
                or no node has it.
              </p>
            )}
            <Rows
              label="Events"
              columns={COLUMNS}
              rows={data}
              empty={<Empty title="It has no events.">What it emits is shown here.</Empty>}
            >
              {(log) => <EventRow key={`${log.call_tx_hash} ${log.log_idx}`} of={log} contract={contract} />}
            </Rows>
            <CursorPages route={route} next={next} prev={prev} first="Newest" more="Older" less="Newer" />
          </>
        )}
      </Shown>
    </Card>
  );
}

async function newest(contract: string, place: { cursor: string; rev: string }, signal: AbortSignal) {
  const query = new URLSearchParams({ limit: String(PER_PAGE), 'aexn-args': 'true' });
  for (const [name, value] of Object.entries(place)) if (value !== '') query.set(name, value);
  const path = `/mdw/v3/contracts/${encodeURIComponent(contract)}/logs?${query.toString()}`;
  const page = (await readNode(path, signal).catch(none)) as unknown as LogPage;
  const { body } = await read('/middleware/contracts/logs', { contract, limit: 0, ...generationsOf(page) }, signal);
  return { ...page, complete: body.complete };
}

/** The first page has all generations from its last event on, and the last page those from the beginning. */
function generationsOf({ data, next, prev }: LogPage): { from?: number; to?: number } {
  const heights = data.map(({ height }) => Number(height));
  return {
    // On a hyperchain micro blocks say the height of the next generation.
    ...(next !== null && { from: Math.max(0, Math.min(...heights) - 1) }),
    ...(prev !== null && heights.length > 0 && { to: Math.max(...heights) }),
  };
}

/** A contract that no transaction created or called, and that emitted nothing, is refused. */
function none(error: unknown): Record<string, unknown> {
  if (error instanceof Refusal && error.status === 400) return { data: [], next: null, prev: null };
  throw error;
}

function EventRow({ of: log, contract }: { of: Log; contract: string }) {
  const { ext_caller_contract_id: other, parent_contract_id: called } = log;
  return (
    <tr>
      <td class="a fill">
        <Said of={log} />
        <details>
          <summary>
            raw <span class="skip">topics and data of event {String(log.log_idx)}</span>
          </summary>
          <Raw of={log} />
        </details>
      </td>
      <td class="c">
        {other === null ? <span class="quiet">this contract</span> : <Party of={other} />}
        {called !== null && called !== contract && (
          <span class="quiet">
            {' '}
            in a call of <Party of={called} />
          </span>
        )}
      </td>
      <td class="n quiet">
        <Age time={log.block_time} />
      </td>
      <td class="n e quiet">
        <InGeneration blockHeight={log.height} />
      </td>
      <td class="quiet" data-opens>
        <Id id={log.call_tx_hash} short />
      </td>
    </tr>
  );
}

/** An event in one line. The hash of a name that is not known says no name. */
const Said = ({ of: { event_name: name, args, topics, raw_data: data } }: { of: Log }) => (
  <code class="data">
    {name === null ? <span title={topics[0]}>event {cut(topics[0]!)}</span> : <b>{name}</b>}(
    {args.map((arg, i) => (
      <>
        {i > 0 && ', '}
        <Argument of={arg} />
      </>
    ))}
    ) <Data of={data} />
  </code>
);

const MOST_DIGITS = 24;

const cut = (digits: string): string =>
  digits.length > MOST_DIGITS ? `${digits.slice(0, 6)}…${digits.slice(-4)}` : digits;

function Argument({ of }: { of: string | Integer }) {
  const text = String(of);
  if (/^(ak|ct)_/.test(text)) return <Party of={text} />;
  return <span title={text}>{text.length > MOST_DIGITS ? cut(text) : integer(text)}</span>;
}

/** The argument that is not indexed: as text if it is one. */
function Data({ of }: { of: string }) {
  const raw = bytesIn(of);
  if (raw?.length === 0) return null;
  const text = textIn(of);
  if (text === undefined) return <span class="quiet">{raw === undefined ? of : `${bytes(raw.length)} of data`}</span>;
  return (
    <span>
      “<Foreign text={text} />”
    </span>
  );
}

/** What the node says of it. */
const Raw = ({ of: { topics, raw_data: data } }: { of: Log }) => (
  <dl class="facts told">
    {topics.map((topic, i) => (
      <div key={i}>
        <dt>{i === 0 ? 'Topic 0, the hash of the name' : `Topic ${i}`}</dt>
        <dd>
          <code class="wrap">{topic}</code>
        </dd>
      </div>
    ))}
    <div>
      <dt>Data</dt>
      <dd>
        <code class="wrap">{data}</code>
      </dd>
    </div>
  </dl>
);
