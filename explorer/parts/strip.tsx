/** The open generation and those before it, newest on the left. Time runs the same way inside each of them. */
import { useEffect, useState } from 'preact/hooks';
import { orNothing, read, readNode } from '../api.js';
import { duration, integer, moment } from '../format.js';
import type { Integer } from '../json.js';
import { Amount } from './amount.js';
import { byKind } from './figures.js';
import { useHead } from './head.js';
import { KINDS, KIND_NAMES } from './marks.js';
import type { Kind } from './marks.js';
import { useRead } from './read.js';
import { useNow } from './now.js';

const SHOWN = 7;
/** A bar is what this time brought, ms. */
const BAR_MS = 5_000;
/** Pause between two looks at the transactions that wait, ms. */
const WAITING_MS = 5_000;

interface GenerationFigures {
  height: number;
  hash: string;
  time: number;
  transactions: number;
  fees: string;
  blocks: { hash: string; time: number; kinds: Record<Kind, number> }[];
}

/** The latest generations, read again when `version` changes. What was read last stays meanwhile. */
export function useGenerations(head: number | undefined, version: string): readonly GenerationFigures[] {
  const [shown, setShown] = useState<readonly GenerationFigures[]>([]);
  useEffect(() => {
    if (head === undefined) return;
    const end = new AbortController();
    load(head, end.signal).then(setShown, () => {
      // Home reports faults of the stream, and asks again.
    });
    return () => end.abort();
  }, [head, version]);
  return shown;
}

async function load(head: number, signal: AbortSignal): Promise<GenerationFigures[]> {
  const range = { from: Math.max(0, head - SHOWN + 1), to: head };
  const { body } = await read('/middleware/figures/generations/{from}/{to}', range, signal);
  return body.map(({ height, hash, time, transactions, fees, micro_blocks }) => ({
    ...{ height: Number(height), hash, time: Number(time), transactions: Number(transactions), fees },
    blocks: micro_blocks.map(({ hash: block, time: at, types }) => ({
      hash: block,
      time: Number(at),
      kinds: byKind(types),
    })),
  }));
}

export const StripHead = () => (
  <div class="bar">
    <h1>
      The chain now <span class="quiet">newest on the left; a bar is 5 s of micro blocks</span>
    </h1>
    <span class="legend right">
      {KINDS.map((kind) => (
        <span key={kind} class={`type ${kind}`}>
          {KIND_NAMES[kind]}
        </span>
      ))}
    </span>
  </div>
);

export function Strip({ generations }: { generations: readonly GenerationFigures[] }) {
  /** Time that a generation takes up at least, ms. */
  const least = useHead()?.interval ?? 0;
  const waiting = useRead((signal) => orNothing(readNode('/v2/status', signal)), [], { everyMs: WAITING_MS });
  const count = waiting.state === 'loaded' ? waiting.value?.['pending_transactions_count'] : undefined;
  const most = Math.max(1, ...generations.flatMap((one) => barsOf(one, least).map(({ size }) => size)));
  return (
    <section aria-label="The chain now">
      <StripHead />
      <div class={`chain${count === undefined ? ' nopool' : ''}`}>
        {count !== undefined && (
          <div class="gen pool">
            <div class="h">
              Waiting <span class="dot wait" />
            </div>
            <p>
              <b>{integer(count as Integer)}</b> {count === 1 ? 'transaction' : 'transactions'}
            </p>
          </div>
        )}
        {generations.map((one, i) => (
          <Card key={one.hash} of={one} isOpen={i === 0} least={least} most={most} />
        ))}
      </div>
    </section>
  );
}

function Card(props: { of: GenerationFigures; isOpen: boolean; least: number; most: number }) {
  const { of, isOpen, least, most } = props;
  const now = useNow();
  const { height, hash, time, transactions, fees } = of;
  return (
    <a class={`gen${isOpen ? ' head1' : ''}`} href={`#/generation/${height}`} title={`${hash}, ${moment(time)}`}>
      <span class="h">
        <span>{integer(height)}</span>
      </span>
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
        <rect class="f-line" y="99" width="100" height="1" />
        {barsOf(of, least).map(({ x, width, kinds }) => (
          <Column key={x} x={x} width={width} kinds={kinds} most={most} />
        ))}
      </svg>
      <span class="p">
        <b>{integer(transactions)}</b> {transactions === 1 ? 'transaction' : 'transactions'}
      </span>
      <span class="p">
        <Amount aettos={fees} />
      </span>
      <span class="p">
        {isOpen ? 'since ' : ''}
        {duration(now - time)}
        {isOpen ? '' : ' ago'}
      </span>
    </a>
  );
}

interface Column {
  x: number;
  width: number;
  size: number;
  kinds: Record<Kind, number>;
}

/** The micro blocks of a generation by time. Clocks of miners differ: a micro block may be older than its key block. */
function barsOf({ time, blocks }: GenerationFigures, least: number): Column[] {
  const bars = new Map<number, Record<Kind, number>>();
  for (const block of blocks) {
    const at = Math.floor(Math.max(0, block.time - time) / BAR_MS);
    const bar = bars.get(at) ?? byKind({});
    for (const kind of KINDS) bar[kind] += block.kinds[kind];
    bars.set(at, bar);
  }
  const count = Math.max(1, least / BAR_MS, ...[...bars.keys()].map((at) => at + 1));
  const width = 100 / count;
  return [...bars].map(([at, kinds]) => ({
    x: 100 - (at + 1) * width,
    width,
    size: KINDS.reduce((sum, kind) => sum + kinds[kind], 0),
    kinds,
  }));
}

function Column({ x, width, kinds, most }: Omit<Column, 'size'> & { most: number }) {
  let y = 100;
  return (
    <>
      {KINDS.map((kind) => {
        const height = (kinds[kind] / most) * 100;
        y -= height;
        return (
          height > 0 && (
            <rect
              key={kind}
              class={`f-${kind}`}
              x={(x + width * 0.15).toFixed(2)}
              y={y.toFixed(2)}
              width={(width * 0.7).toFixed(2)}
              height={height.toFixed(2)}
            />
          )
        );
      })}
    </>
  );
}
