/** The statement of an account: each change of its balance by days, with the balance after it. */
import { Fragment } from 'preact';
import { addressOf, pageOf } from '../address.js';
import type { Route } from '../address.js';
import { read, urlOf } from '../api.js';
import { integer, words } from '../format.js';
import type { Integer } from '../json.js';
import { Num } from './amount.js';
import { Card, Empty } from './card.js';
import { DAY_MS } from './figures.js';
import { Height } from './head.js';
import { mentionsAccount, ofTransaction, useLiveRead } from './live-read.js';
import { KIND_NAMES } from './marks.js';
import { CursorPages, PER_PAGE } from './pages.js';
import { Party } from './party.js';
import { Shown } from './read.js';
import { SaveCsv } from './save-csv.js';
import { BoneRows, Table } from './table.js';
import { Id } from './values.js';

const PATH = '/middleware/accounts/{account}/ledger';

/** Kinds of changes that are chosen together, by the word in the address. The first ones have the colours of transactions. */
const FAMILIES: Record<string, { title: string; kinds: string }> = {
  pay: { title: KIND_NAMES.pay, kinds: 'spend,payment' },
  call: { title: KIND_NAMES.call, kinds: 'call,deposit,gas' },
  name: { title: KIND_NAMES.name, kinds: 'name_fee,bid,bid_refund,lock' },
  oracle: { title: KIND_NAMES.oracle, kinds: 'oracle_fee,oracle_reward,oracle_refund' },
  channel: {
    title: KIND_NAMES.channel,
    kinds: 'channel_open,channel_deposit,channel_withdraw,channel_close,channel_settle',
  },
  fee: { title: 'Fees', kinds: 'fee' },
  reward: { title: 'Rewards', kinds: 'reward,treasury' },
};

const familyOf = (kind: string): string =>
  Object.keys(FAMILIES).find((word) => FAMILIES[word]!.kinds.split(',').includes(kind)) ?? '';

type Rows = Awaited<ReturnType<typeof page>>['rows'];

export interface Ledger {
  account: string;
  /** Newest first. */
  rows: Rows;
}

const page = async (values: Record<string, string | number>, signal?: AbortSignal) =>
  (await read(PATH, values, signal)).body;

/** Changes that the course of the balance shows. */
const NEWEST = 100;

export const newestChanges = async (account: string, signal: AbortSignal): Promise<Ledger> => ({
  account,
  rows: (await page({ account, limit: NEWEST }, signal)).rows,
});

/** What came in and went out in the last days. */
export async function changesSince(account: string, days: number, signal: AbortSignal) {
  const since = Date.now() - days * DAY_MS;
  const { body } = await read('/middleware/accounts/{account}/statement', { account, from_time: since }, signal);
  const sum = (amounts: readonly Integer[]): bigint => amounts.reduce<bigint>((all, one) => all + BigInt(one), 0n);
  return { received: sum(body.kinds.map((one) => one.in)), paid: sum(body.kinds.map((one) => one.out)) };
}

const COLUMNS = [
  { title: 'Time' },
  { title: 'Kind' },
  { title: 'With whom, what for', fill: true },
  { title: 'Change', number: true, isCoins: true },
  { title: 'Balance after', number: true, isCoins: true },
  { title: 'Transaction' },
];

export function LedgerStatement({ route }: { route: Route }) {
  const { subject: account, query } = route;
  const word = query.get('kind') ?? '';
  const cursor = query.get('cursor') ?? '';
  const family = FAMILIES[word];
  const filter: Record<string, string> = family === undefined ? {} : { kind: family.kinds };
  const touches = ofTransaction(mentionsAccount(account));
  const loaded = useLiveRead(
    (signal) => page({ account, limit: PER_PAGE, ...filter, ...(cursor !== '' && { cursor }) }, signal),
    [account, word, cursor],
    // What key blocks pay, and what was written only after the event of its transaction.
    (event) => cursor === '' && (event.kind === 'key_blocks' || touches(event)),
  );
  return (
    <>
      <div class="bar">
        <div class="chips" role="group" aria-label="Kinds of changes">
          <Chip route={route} at={word} word="" title="All" />
          {Object.entries(FAMILIES).map(([one, { title }]) => (
            <Chip key={one} route={route} at={word} word={one} title={title} />
          ))}
        </div>
      </div>
      <div class="bar">
        <span class="right">
          <SaveCsv
            name={`${account}_statement`}
            urlFor={({ from, to }) =>
              Promise.resolve(
                urlOf(PATH, {
                  ...{ account, order: 'asc', ...filter },
                  ...(from !== '' && { from_time: from }),
                  ...(to !== '' && { to_time: to }),
                }),
              )
            }
          />
        </span>
      </div>
      <Card title="Statement">
        <Shown of={loaded} bones={<BoneRows columns={COLUMNS} />}>
          {({ rows, next, complete, incomplete_since: since }) => (
            <>
              {!complete && (
                <p class="lacks">
                  Changes may be missing from generation {integer(since ?? 0)} on, such as payments inside contracts.
                  Then the balance differs from that of the node.
                </p>
              )}
              <Changes rows={rows} />
              {rows.length === 0 && next === null && <Nothing route={route} />}
              <CursorPages route={route} next={next} first="Newest" more="Older" />
            </>
          )}
        </Shown>
      </Card>
    </>
  );
}

function Chip({ route, at, word, title }: { route: Route; at: string; word: string; title: string }) {
  const query = { ...Object.fromEntries(route.query), kind: word, cursor: undefined };
  return (
    <a class="chip" href={addressOf(route, query)} aria-current={at === word ? 'true' : undefined}>
      {word === '' ? title : <span class={`type ${word}`}>{title}</span>}
    </a>
  );
}

const Nothing = ({ route }: { route: Route }) => (
  <Empty title="There are no such changes.">
    All of them were searched.{' '}
    <a class="go" href={addressOf(route, { ...Object.fromEntries(route.query), kind: undefined, cursor: undefined })}>
      Take the filter away
    </a>
  </Empty>
);

const iso = (time: Integer): string => new Date(Number(time)).toISOString();

function Changes({ rows }: { rows: Rows }) {
  if (rows.length === 0) return null;
  return (
    <Table label="Changes of the balance" columns={COLUMNS}>
      {rows.map((row, i) => (
        <Fragment key={i}>
          {iso(row.time).slice(0, 10) !== (i === 0 ? '' : iso(rows[i - 1]!.time).slice(0, 10)) && (
            <tr class="group">
              <td colSpan={COLUMNS.length}>
                <b>{iso(row.time).slice(0, 10)}</b>
              </td>
            </tr>
          )}
          <Change of={row} />
        </Fragment>
      ))}
    </Table>
  );
}

function Change({ of }: { of: Rows[number] }) {
  const { height, time, transaction_hash: hash, kind, amount, balance, counterparty } = of;
  const isIn = BigInt(amount) > 0n;
  const type = <span class={`type ${familyOf(kind)}`}>{words(kind)}</span>;
  const opens = hash === null ? `#/generation/${height}` : pageOf(hash);
  return (
    <tr>
      <td class="quiet e">{iso(time).slice(11, 19)}</td>
      <td class="c">
        <span class="notphone">{type}</span>
        <a class="onlyphone" href={opens}>
          {type}
        </a>
      </td>
      <td class="a fill">
        <span class="what">
          <span class={`dir${isIn ? ' in' : ''}`}>{isIn ? 'in' : 'out'}</span>
          <span>{counterparty !== null && <Party of={counterparty} />}</span>
        </span>
      </td>
      <td class="n b">
        <Num aettos={amount} signed />
      </td>
      <td class="n quiet">
        <Num aettos={balance} />
      </td>
      <td class="quiet" data-opens>
        {hash === null ? <Height height={height} /> : <Id id={hash} short />}
      </td>
    </tr>
  );
}
