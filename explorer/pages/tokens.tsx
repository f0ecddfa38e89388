/** The list of tokens, or of collections. */
import { read, urlOf } from '../api.js';
import { addressOf } from '../address.js';
import type { Route } from '../address.js';
import { integer } from '../format.js';
import { Empty, Head } from '../parts/card.js';
import { Height } from '../parts/head.js';
import { CursorPages, PER_PAGE } from '../parts/pages.js';
import { Shown, useRead } from '../parts/read.js';
import { SaveCsv } from '../parts/save-csv.js';
import { BoneRows, Rows } from '../parts/table.js';
import { Symbol, TokenLink, TokenNum } from '../parts/token.js';
import { Id } from '../parts/values.js';

const COLUMNS = [
  { title: 'Name', fill: true },
  { title: 'Symbol' },
  { title: 'Supply', number: true },
  { title: 'Holders', number: true },
  { title: 'Made in', number: true },
  { title: 'Contract' },
];

const ORDERS = { name: 'By name', symbol: 'By symbol', creation: 'Newest' } as const;
const KINDS = { aex9: 'Tokens', aex141: 'Collections' } as const;

const wordOf = <Word extends string>(words: Record<Word, string>, word: string | null, usual: Word): Word =>
  word !== null && Object.hasOwn(words, word) ? (word as Word) : usual;

export function TokensPage({ route }: { route: Route }) {
  const { query } = route;
  const kind = wordOf<keyof typeof KINDS>(KINDS, query.get('kind'), 'aex9');
  const by = wordOf<keyof typeof ORDERS>(ORDERS, query.get('by'), 'name');
  const prefix = by === 'creation' ? '' : (query.get('prefix') ?? '');
  const cursor = query.get('cursor') ?? '';
  const filter = { by, ...(prefix !== '' && { prefix }) };
  const loaded = useRead(
    (signal) => page(kind, { ...filter, limit: PER_PAGE, ...(cursor !== '' && { cursor }) }, signal),
    [kind, by, prefix, cursor],
  );
  const at: At = (change) => addressOf(route, { ...Object.fromEntries(query), cursor: undefined, ...change });
  return (
    <>
      <Head title={KINDS[kind]} />
      <Chips kind={kind} by={by} at={at} />
      <div class="bar">
        {by !== 'creation' && <Filter label={by === 'name' ? 'Name' : 'Symbol'} prefix={prefix} at={at} />}
        <span class="right">
          <SaveCsv
            name={kind}
            byDays={false}
            urlFor={() => Promise.resolve(urlOf(`/middleware/tokens/${kind}`, filter))}
          />
        </span>
      </div>
      <Shown of={loaded} bones={<div class="card">{<BoneRows columns={COLUMNS} />}</div>}>
        {({ rows, next }) => (
          <div class="card">
            <List title={KINDS[kind]} rows={rows} prefix={prefix} at={at} />
            <CursorPages route={route} next={next} />
          </div>
        )}
      </Shown>
    </>
  );
}

function Filter({ label, prefix, at }: { label: string; prefix: string; at: At }) {
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const text = new FormData(event.currentTarget as HTMLFormElement).get('prefix');
    location.hash = at({ prefix: typeof text === 'string' ? text : '' });
  };
  return (
    <form onSubmit={submit}>
      <label>
        {label} begins with <input key={prefix} class="btn" type="search" name="prefix" defaultValue={prefix} />
      </label>
    </form>
  );
}

type At = (change: Record<string, string | undefined>) => string;

const Chips = ({ kind, by, at }: { kind: string; by: string; at: At }) => (
  <div class="bar">
    <div class="chips" role="group" aria-label="Which, and in which order">
      {Object.entries(KINDS).map(([word, title]) => (
        <a key={word} class="chip" href={at({ kind: word })} aria-current={word === kind ? 'true' : undefined}>
          {title}
        </a>
      ))}
      {Object.entries(ORDERS).map(([word, title]) => (
        <a
          key={word}
          class="chip"
          href={at({ by: word, prefix: undefined })}
          aria-current={word === by ? 'true' : undefined}
        >
          {title}
        </a>
      ))}
    </div>
  </div>
);

type Token = Awaited<ReturnType<typeof page>>['rows'][number];

const List = ({ title, rows, prefix, at }: { title: string; rows: readonly Token[]; prefix: string; at: At }) => (
  <Rows
    label={title}
    columns={COLUMNS}
    rows={rows}
    empty={
      prefix === '' ? (
        <Empty title="There are none yet." />
      ) : (
        <Empty title="None of them begins so.">
          <a class="go" href={at({ prefix: undefined })}>
            Take the filter away
          </a>
        </Empty>
      )
    }
  >
    {(token) => (
      <tr key={token.contract_id}>
        <td class="a fill">
          <TokenLink contract={token.contract_id} of={token} />
        </td>
        <td class="c">
          <Symbol of={token} />
        </td>
        <td class="n b">
          <TokenNum amount={token.supply} of={token} />
        </td>
        <td class="n">{integer(token.holders)}</td>
        <td class="n e">
          <Height height={token.height} />
        </td>
        <td class="quiet" data-opens>
          <Id id={token.contract_id} short />
        </td>
      </tr>
    )}
  </Rows>
);

type Values = Record<string, string | number>;

const page = async (kind: keyof typeof KINDS, values: Values, signal: AbortSignal) =>
  (
    await (kind === 'aex9'
      ? read('/middleware/tokens/aex9', values, signal)
      : read('/middleware/tokens/aex141', values, signal))
  ).body;
