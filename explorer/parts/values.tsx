import type { ComponentChildren } from 'preact';
import { pageOf, pageOfName } from '../address.js';
import { integer, moment, shortly, textIn, words } from '../format.js';
import type { Integer } from '../json.js';
import { Amount } from './amount.js';
import { Copy } from './copy.js';
import { Height } from './head.js';
import { useNow } from './now.js';

/** An identifier with a link to its page. `short`: only its beginning and end, fewer characters on a phone. */
export function Id({ id, short = false }: { id: string; short?: boolean }) {
  const page = pageOf(id);
  const isCut = short && id.length > 20;
  const text = isCut ? <Shortened id={id} /> : id;
  const form = isCut ? 'id' : 'id wrap';
  return (
    <>
      {page === undefined ? (
        <code class={form} title={id}>
          {text}
        </code>
      ) : (
        <a class={form} title={id} href={page}>
          {text}
        </a>
      )}
      {!short && <Copy text={id} what="identifier" />}
    </>
  );
}

export const Shortened = ({ id }: { id: string }) => (
  <>
    {id.slice(0, 7)}
    <span class="x">{id.slice(7, 10)}</span>…<span class="x">{id.slice(-6, -4)}</span>
    {id.slice(-4)}
  </>
);

export const NameLink = ({ name }: { name: string }) => (
  <a class="nm" href={pageOfName(name)}>
    {name}
  </a>
);

export function Age({ time }: { time: Integer }) {
  const now = useNow();
  const ms = Number(time);
  return (
    <time dateTime={new Date(ms).toISOString()} title={moment(ms)}>
      {shortly(now - ms)} ago
    </time>
  );
}

export const Time = ({ time }: { time: Integer }) => (
  <time dateTime={new Date(Number(time)).toISOString()}>{moment(Number(time))}</time>
);

/** A list of names and values. */
export function Facts({ children }: { children: ComponentChildren }) {
  return <dl class="facts">{children}</dl>;
}

export function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Members whose values are aettos. */
const AMOUNTS = /^(amount|fee|name_fee|query_fee|deposit|gas_price|balance|.*_amount|coinbase|fees|total|winning_bid)$/;
const HEIGHTS = /^(height|block_height|created_at_height|auction_end_height|expires_at|expiration)$/;

/** Shows a member of an answer, by its name and the type of its value. */
export function Value({ name, value }: { name: string; value: unknown }) {
  if (value === null || value === undefined) return <span class="quiet">none</span>;
  if (typeof value === 'boolean') return <>{value ? 'yes' : 'no'}</>;
  if (typeof value === 'number' || typeof value === 'bigint') {
    if (AMOUNTS.test(name)) return <Amount aettos={value} exact copy />;
    return HEIGHTS.test(name) ? <Height height={value} /> : <>{integer(value)}</>;
  }
  if (typeof value === 'string') return <Text name={name} text={value} />;
  if (Array.isArray(value)) {
    if (value.length === 0) return <span class="quiet">none</span>;
    return (
      <ul class="values">
        {(value as unknown[]).map((one, i) => (
          <li key={i}>
            <Value name={name} value={one} />
          </li>
        ))}
      </ul>
    );
  }
  return <Members of={value as Record<string, unknown>} />;
}

function Text({ name, text }: { name: string; text: string }) {
  if (AMOUNTS.test(name) && /^\d+$/.test(text)) return <Amount aettos={text} exact copy />;
  if (pageOf(text) !== undefined) return <Id id={text} />;
  if (/\.(chain|test)$/i.test(text) && /name/.test(name)) return <NameLink name={text} />;
  const plain = /^(ba|ov|or)_/.test(text) ? textIn(text) : undefined;
  if (plain !== undefined)
    return (
      <span>
        “{plain}” <span class="quiet wrap">{text}</span>
      </span>
    );
  if (text.length > 200)
    return (
      <details>
        <summary>
          {text.slice(0, 40)}… ({integer(text.length)} characters)
        </summary>
        <code class="wrap">{text}</code>
      </details>
    );
  return <span class="wrap">{text === '' ? '“”' : text}</span>;
}

/** Order of members: first identifiers and names, then amounts, then the rest. */
const rank = (member: string): number => (/_id$|^name$|^function$/.test(member) ? 0 : AMOUNTS.test(member) ? 1 : 2);

/** Shows all members of an object, except those in `leave`. */
export function Members({ of, leave = [] }: { of: Record<string, unknown>; leave?: readonly string[] }) {
  return (
    <Facts>
      {Object.entries(of)
        .filter(([name]) => !leave.includes(name))
        .sort(([a], [b]) => rank(a) - rank(b))
        .map(([name, value]) => (
          <Fact key={name} name={words(name)}>
            <Value name={name} value={value} />
          </Fact>
        ))}
    </Facts>
  );
}
