/** Bars over time, the axis from zero. The numbers that are drawn may be rounded; the texts beside them are exact. */
import { useRef, useState } from 'preact/hooks';
import { integer } from '../format.js';
import type { Kind } from './marks.js';

export interface Bar {
  /** ISO date, or date and hour. */
  label: string;
  /** The same in short, below the axis. */
  tick: string;
  /** From the bottom. */
  parts: readonly { kind: Kind; size: number }[];
  /** What the tip says. */
  lines: readonly (readonly [name: string, text: string])[];
  /** The step is not over yet. */
  isOpen: boolean;
}

/** Max lines of the grid, the one at zero left out. */
const LINES = 4;
/** Max labels below the axis; every other one on a phone. */
const LABELS = 5;

/** Distance of the lines: 1, 2 or 5 times a power of ten, so that at most LINES of them cover `max`. */
export function stepOf(max: number): number {
  if (max <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(max / LINES));
  return power * ([1, 2, 5, 10].find((factor) => factor * power * LINES >= max) ?? 10);
}

const heightOf = ({ parts }: Bar): number => parts.reduce((sum, { size }) => sum + size, 0);

/** `unit` completes the numbers of the axis. */
export function Bars(props: { label: string; bars: readonly Bar[]; unit?: string; tall?: boolean }) {
  const { label, bars, unit = '', tall = false } = props;
  const [at, setAt] = useState<number>();
  const figure = useRef<HTMLElement>(null);
  const step = stepOf(Math.max(...bars.map(heightOf)));
  const lines = Math.max(1, Math.ceil(Math.max(...bars.map(heightOf)) / step));
  const top = step * lines;
  const width = 100 / bars.length;
  const show = (index: number): void => setAt(Math.max(0, Math.min(bars.length - 1, index)));
  const onKeyDown = (event: KeyboardEvent): void => {
    const moves: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, Home: -bars.length, End: bars.length };
    const move = moves[event.key];
    if (event.key === 'Escape') setAt(undefined);
    if (move === undefined) return;
    event.preventDefault();
    show(at === undefined ? bars.length - 1 : at + move);
  };
  const labels = Math.min(LABELS, bars.length);
  const labelled = Array.from({ length: labels }, (_, i) =>
    labels === 1 ? 0 : Math.round((i * (bars.length - 1)) / (labels - 1)),
  );
  return (
    <figure
      ref={figure}
      class="chart tipped"
      tabIndex={0}
      role="group"
      aria-label={`${label}. Arrow keys go from bar to bar.`}
      onKeyDown={onKeyDown}
      onBlur={() => setAt(undefined)}
    >
      <div class="y" aria-hidden="true">
        {Array.from({ length: lines + 1 }, (_, i) => (
          <span key={i}>
            {axisNumber(step * (lines - i), step)}
            {i === 0 && unit}
          </span>
        ))}
      </div>
      <svg
        class={`plot${tall ? ' tall' : ''}`}
        viewBox="0 0 100 100"
        preserveAspectRatio="none"
        aria-hidden="true"
        onMouseMove={(event) => {
          const { left, width: all } = event.currentTarget.getBoundingClientRect();
          show(Math.floor(((event.clientX - left) / all) * bars.length));
        }}
        onMouseLeave={() => setAt(undefined)}
      >
        <rect class="f-none" width="100" height="100" />
        {Array.from({ length: lines + 1 }, (_, i) => (
          <line
            key={i}
            class={i === lines ? 'zero' : undefined}
            x1="0"
            x2="100"
            y1={(100 * i) / lines}
            y2={(100 * i) / lines}
          />
        ))}
        {bars.map((bar, i) => (
          <Stack key={bar.label} of={bar} x={(i + 0.14) * width} width={width * 0.72} top={top} />
        ))}
        {at !== undefined && <line class="at" x1={(at + 0.5) * width} x2={(at + 0.5) * width} y1="0" y2="100" />}
      </svg>
      <div class="x" aria-hidden="true">
        {labelled.map((i) => (
          <span key={i}>{bars[i]!.tick}</span>
        ))}
      </div>
      <div role="status">
        {at !== undefined && <Tip of={bars[at]!} side={at > bars.length / 2 ? 'left' : 'right'} />}
      </div>
    </figure>
  );
}

function Stack({ of, x, width, top }: { of: Bar; x: number; width: number; top: number }) {
  let y = 100;
  return (
    <>
      {of.parts.map(({ kind, size }) => {
        const height = (size / top) * 100;
        y -= height;
        return (
          size > 0 && (
            <rect
              key={kind}
              class={`f-${kind}${of.isOpen ? ' part' : ''}`}
              x={x.toFixed(3)}
              y={y.toFixed(3)}
              width={width.toFixed(3)}
              height={height.toFixed(3)}
            />
          )
        );
      })}
    </>
  );
}

const Tip = ({ of: { label, lines, isOpen }, side }: { of: Bar; side: 'left' | 'right' }) => (
  <div class={`tip ${side}`}>
    <b>
      {label}
      {isOpen && ', until now'}
    </b>
    <dl>
      {lines.map(([name, text]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  </div>
);

/** A number of the axis, with as many digits of the fraction as the distance of the lines has. */
function axisNumber(value: number, step: number): string {
  const digits = Math.max(0, -Math.floor(Math.log10(step)));
  const [whole = '', fraction] = value.toFixed(digits).split('.');
  return `${integer(whole)}${fraction === undefined ? '' : `.${fraction}`}`;
}
