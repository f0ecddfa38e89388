/** The history of a name or a channel: a list of its transactions. */
import type { ComponentChildren } from 'preact';
import { typeInWords } from '../format.js';
import type { Integer } from '../json.js';
import { Height } from './head.js';
import { Party } from './party.js';
import { Age, Id } from './values.js';

export type Tx = Record<string, unknown> & { type: string };

/** The transaction and its inner transactions, the outermost first. */
export function layersOf(tx: Tx): Tx[] {
  const inner = (tx['tx'] as { tx?: Tx } | undefined)?.tx;
  return inner === undefined ? [tx] : [tx, ...layersOf(inner)];
}

/** The inner transaction that has the effect. */
export const innermost = (tx: Tx): Tx => layersOf(tx).at(-1)!;

/** One entry. Without `hash` it has no transaction: it is in the future. */
export function Step(props: {
  height: Integer;
  title: string;
  hash?: string;
  by?: unknown;
  time?: Integer | undefined;
  children?: ComponentChildren;
}) {
  const { height, title, hash, by, time, children } = props;
  return (
    <li class={hash === undefined ? 'todo' : undefined}>
      <span class="height">
        <Height height={height} />
      </span>
      <div>
        <strong>{title}</strong> {children}
        <p class="quiet line">
          {hash !== undefined && <Id id={hash} short />}
          {typeof by === 'string' && (
            <span>
              by <Party of={by} />
            </span>
          )}
          {time !== undefined && <Age time={time} />}
        </p>
      </div>
    </li>
  );
}

/** `NameUpdateTx` as `Update`, on a page that already shows which name. */
export const act = (tx: Tx): string => {
  const text = typeInWords(tx.type).replace(/^(Name|Channel) /, '');
  return text.charAt(0).toUpperCase() + text.slice(1);
};
