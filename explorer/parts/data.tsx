/** Shows decoded data of contracts in one line, similar to Sophia code. */
import { pageOf } from '../address.js';
import { writeExactly } from '../json.js';
import { Id } from './values.js';

interface Typed {
  type: string;
  value: unknown;
}

export interface DecodedCall {
  function: string;
  arguments: readonly unknown[];
}

export const Call = ({ of }: { of: DecodedCall }) => (
  <code class="data">
    <b>{of.function}</b>(<List of={of.arguments} />)
  </code>
);

/** The decoded result of a call. Compilers return it in two forms. */
export function Result({ of }: { of: Record<string, unknown> }) {
  return (
    <code class="data">
      <Data of={of['result'] ?? of['data'] ?? of} />
    </code>
  );
}

/** Why a call failed, if its result is a text. */
export function reasonIn(result: Record<string, unknown>): string | undefined {
  const data = result['result'] ?? result['data'] ?? result;
  return isTyped(data) && data.type === 'string' ? String(data.value) : undefined;
}

function Data({ of }: { of: unknown }) {
  if (!isTyped(of)) return <>{writeExactly(of)}</>;
  const { type, value } = of;
  if (type === 'string') return <>"{String(value)}"</>;
  if (type === 'unit') return <>()</>;
  if (type === 'map' && Array.isArray(value)) return <Pairs of={value as Pair[]} />;
  if (type === 'variant' && Array.isArray(value)) {
    const [constructor, ...members] = value as unknown[];
    // The constructor is a number: compiled contracts do not contain its name.
    return (
      <>
        variant {String(constructor)}
        {members.length > 0 && (
          <>
            (<List of={members} />)
          </>
        )}
      </>
    );
  }
  if (Array.isArray(value)) {
    const [open, close] = type === 'tuple' ? '()' : '[]';
    return (
      <>
        {open}
        <List of={value} />
        {close}
      </>
    );
  }
  if (typeof value === 'string') return pageOf(value) === undefined ? <>{value}</> : <Id id={value} short />;
  return <>{writeExactly(value)}</>;
}

const List = ({ of }: { of: readonly unknown[] }) => (
  <>
    {of.map((one, i) => (
      <>
        {i > 0 && ', '}
        <Data of={one} />
      </>
    ))}
  </>
);

interface Pair {
  key: unknown;
  val: unknown;
}

const Pairs = ({ of }: { of: readonly Pair[] }) => (
  <>
    {'{'}
    {of.map(({ key, val }, i) => (
      <>
        {i > 0 && ', '}[<Data of={key} />] = <Data of={val} />
      </>
    ))}
    {'}'}
  </>
);

const isTyped = (data: unknown): data is Typed => typeof data === 'object' && data !== null && 'type' in data;
