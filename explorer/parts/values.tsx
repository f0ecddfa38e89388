import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { pageOf } from '../address.js';
import { duration, inAe, integer, moment, textIn, words } from '../format.js';
import type { Integer } from '../json.js';

/** Time for which the copy button shows success, ms. */
const SHOWN_MS = 1_500;

export function Copy({ text, what }: { text: string; what: string }) {
  const [done, setDone] = useState(false);
  const copy = (): void => {
    void navigator.clipboard?.writeText(text).then(() => {
      setDone(true);
      setTimeout(() => setDone(false), SHOWN_MS);
    });
  };
  return (
    <button class="copy" aria-label={`Copy ${what}`} title={`Copy ${what}`} onClick={copy}>
      <svg
        width="13"
        height="13"
        viewBox="0 0 16 16"
        fill="none"
        stroke="currentColor"
        stroke-width="1.5"
        aria-hidden="true"
      >
        {done ? <path d="M2 9l4 4 8-10" /> : <path d="M5 5h9v9H5zM2 11V2h9" />}
      </svg>
    </button>
  );
}

/** An identifier with a link to its page. `short`: only its beginning and end. */
export function Id({ id, short = false }: { id: string; short?: boolean }) {
  const page = pageOf(id);
  const text = short && id.length > 20 ? `${id.slice(0, 10)}…${id.slice(-6)}` : id;
  return (
    <span class="id">
      {page === undefined ? (
        <code title={id}>{text}</code>
      ) : (
        <a href={page} title={id}>
          <code>{text}</code>
        </a>
      )}
      {!short && <Copy text={id} what="identifier" />}
    </span>
  );
}

export const NameLink = ({ name }: { name: string }) => <a href={`#/name/${encodeURIComponent(name)}`}>{name}</a>;

/** The heading of a page about one object. */
export const Title = ({ kind, id }: { kind: string; id: string }) => (
  <>
    <h1>{kind}</h1>
    <p class="wrap">
      <code>{id}</code> <Copy text={id} what="identifier" />
    </p>
  </>
);

export const Height = ({ height }: { height: Integer }) => <a href={`#/generation/${height}`}>{integer(height)}</a>;

export function Amount({ aettos, copy = false }: { aettos: Integer | string; copy?: boolean }) {
  return (
    <span class="amount" title={`${aettos} aettos`}>
      {inAe(aettos)} <small>AE</small>
      {copy && <Copy text={String(aettos)} what="amount in aettos" />}
    </span>
  );
}

/** The current time, ms. It changes each second. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

export function Age({ time }: { time: Integer }) {
  const now = useNow();
  const ms = Number(time);
  return (
    <time dateTime={new Date(ms).toISOString()} title={moment(ms)}>
      {duration(now - ms)} ago
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
    if (AMOUNTS.test(name)) return <Amount aettos={value} copy />;
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
  if (AMOUNTS.test(name) && /^\d+$/.test(text)) return <Amount aettos={text} copy />;
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
