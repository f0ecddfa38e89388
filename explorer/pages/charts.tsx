import { coin } from '../coin.js';
import type { ComponentChildren } from 'preact';
import type { Route } from '../address.js';
import { bytes, inAe, integer, rounded } from '../format.js';
import { Bars } from '../parts/bars.js';
import type { Bar } from '../parts/bars.js';
import { Empty } from '../parts/card.js';
import { save } from '../parts/csv.js';
import { DAY_MS, loadFigures } from '../parts/figures.js';
import type { Figures, StepFigures, StepName } from '../parts/figures.js';
import { KINDS, KIND_NAMES } from '../parts/marks.js';
import { Shown, useRead } from '../parts/read.js';

/** By the word in the address. */
const SPANS: Record<string, { name: string; by: StepName; days?: number }> = {
  day: { name: '1 day', by: 'hour', days: 1 },
  month: { name: '30 days', by: 'day', days: 30 },
  quarter: { name: '90 days', by: 'day', days: 90 },
  year: { name: '1 year', by: 'day', days: 365 },
  all: { name: 'All', by: 'month' },
};
const USUAL = 'quarter';

export function ChartsPage({ route }: { route: Route }) {
  const span = route.query.get('span') ?? USUAL;
  const { by, days } = SPANS[span] ?? SPANS[USUAL]!;
  const loaded = useRead(
    (signal) => loadFigures(by, days === undefined ? undefined : Date.now() - days * DAY_MS, signal),
    [span],
  );
  return (
    <>
      <div class="head headrow">
        <h1>Charts</h1>
        <nav class="seg" aria-label="Span">
          {Object.entries(SPANS).map(([word, { name }]) => (
            <a key={word} href={`#/charts?span=${word}`} aria-current={word === span ? 'true' : undefined}>
              {name}
            </a>
          ))}
        </nav>
      </div>
      <Shown of={loaded}>{(figures) => <Charts of={figures} by={by} />}</Shown>
    </>
  );
}

/** How the last whole step is called. */
const LAST: Record<StepName, string> = { hour: 'in the last whole hour', day: 'yesterday', month: 'last month' };

/** The start of a step as an ISO date, to the digits that its length needs. */
const labelOf = (start: number, by: StepName): string => {
  const text = new Date(start).toISOString();
  if (by === 'hour') return `${text.slice(0, 10)} ${text.slice(11, 16)}`;
  return text.slice(0, by === 'month' ? 7 : 10);
};

function Charts({ of: { steps, total }, by }: { of: Figures; by: StepName }) {
  if (total === undefined || steps.every(({ keyBlocks }) => keyBlocks === 0)) {
    return (
      <section class="card" aria-label="Transactions">
        <Empty title="The chain has no blocks in this time.">
          <a class="go" href="#/charts?span=all">
            Show all of it
          </a>
        </Empty>
      </section>
    );
  }
  const bars = (parts: (step: StepFigures) => Pick<Bar, 'parts' | 'lines'>): Bar[] =>
    steps.map((step) => {
      const label = labelOf(step.start, by);
      return { label, tick: by === 'hour' ? label.slice(11) : label, isOpen: step.isOpen, ...parts(step) };
    });
  const whole = steps.filter(({ isOpen }) => !isOpen);
  const last = whole.at(-1);
  const lastly = (text: (step: StepFigures) => string): string =>
    last === undefined ? '' : `${text(last)} ${LAST[by]}`;
  const each = by === 'hour' ? 'an hour' : `a ${by}`;
  return (
    <>
      <Chart
        title={`Transactions ${each}`}
        more={
          <span class="legend">
            {KINDS.map((kind) => (
              <span key={kind} class={`type ${kind}`}>
                {KIND_NAMES[kind]}
              </span>
            ))}
          </span>
        }
        about={`${integer(total.transactions)} in all`}
        tall
        bars={bars(({ kinds, transactions }) => ({
          parts: KINDS.map((kind) => ({ kind, size: kinds[kind] })),
          lines: [
            ['All', integer(transactions)],
            ...KINDS.map((kind) => [KIND_NAMES[kind], integer(kinds[kind])] as const),
          ],
        }))}
      >
        <Explained steps={steps} by={by} />
      </Chart>
      <div class="gap" />
      <div class="halves">
        <Chart
          title={`Fees ${each}, ${coin.symbol}`}
          more={lastly(({ fees }) => shortAe(fees))}
          bars={bars(({ fees }) => ({
            parts: [{ kind: 'pay', size: Number(fees) / 1e18 }],
            lines: [['Fees', `${inAe(fees)} ${coin.symbol}`]],
          }))}
        />
        <Chart
          title={`Key blocks ${each}`}
          more={meanInterval(whole)}
          bars={bars(({ keyBlocks }) => ({
            parts: [{ kind: 'channel', size: keyBlocks }],
            lines: [['Key blocks', integer(keyBlocks)]],
          }))}
        />
        {total.coinbase !== null && (
          <Chart
            title={`New coins ${each}, ${coin.symbol}`}
            more={`${shortAe(total.coinbase)} from all key blocks`}
            bars={bars(({ coinbase }) => ({
              parts: [{ kind: 'channel', size: Number(coinbase) / 1e18 }],
              lines: [['New coins', `${inAe(coinbase ?? 0)} ${coin.symbol}`]],
            }))}
          />
        )}
        <Chart
          title={`Size of new transactions ${each}, kB`}
          more={`${bytes(total.bytes)} in all`}
          bars={bars(({ bytes: size }) => ({
            parts: [{ kind: 'call', size: size / 1000 }],
            lines: [['Size', `${integer(size)} bytes`]],
          }))}
        />
      </div>
    </>
  );
}

const shortAe = (aettos: string): string => {
  const { whole, fraction } = rounded(aettos);
  return whole + fraction;
};

/** Time between key blocks, in the mean of all complete steps with blocks. */
function meanInterval(steps: readonly StepFigures[]): string {
  const used = steps.filter(({ keyBlocks }) => keyBlocks > 0);
  const [first, last] = [used[0], used.at(-1)];
  if (first === undefined || last === undefined || used.length < 2) return '';
  const blocks = used.slice(0, -1).reduce((sum, { keyBlocks }) => sum + keyBlocks, 0);
  return `${integer(Math.round((last.start - first.start) / blocks / 1000))} s between two, in the mean`;
}

function Explained({ steps, by }: { steps: readonly StepFigures[]; by: StepName }) {
  const isOpen = steps.at(-1)?.isOpen === true;
  return (
    <>
      {isOpen && `The last bar is this ${by}, until now, and therefore pale. `}
      {by === 'month' && 'Each bar is the sum of a month. '}
      Times are UTC. A generation counts where its key block was made. All of it is counted, nothing is sampled.{' '}
      <button class="go" onClick={() => save(csvOf(steps), 'figures.csv')}>
        CSV
      </button>
    </>
  );
}

function csvOf(steps: readonly StepFigures[]): Blob {
  const head = ['start', 'key_blocks', 'transactions', ...KINDS.map((kind) => KIND_NAMES[kind].toLowerCase())];
  const rows = steps.map(({ start, keyBlocks, transactions, kinds, fees, coinbase, bytes: size }) => [
    ...[new Date(start).toISOString(), keyBlocks, transactions, ...KINDS.map((kind) => kinds[kind])],
    ...[fees, coinbase ?? '', size],
  ]);
  const lines = [[...head, 'fees_aettos', 'coinbase_aettos', 'bytes'], ...rows].map((row) => row.join(','));
  return new Blob([`${lines.join('\r\n')}\r\n`], { type: 'text/csv' });
}

function Chart(props: {
  title: string;
  more?: ComponentChildren;
  about?: string;
  bars: readonly Bar[];
  tall?: boolean;
  children?: ComponentChildren;
}) {
  const { title, more, about, bars, tall = false, children } = props;
  const said = about ?? (typeof more === 'string' ? more : '');
  return (
    <section class="card" aria-label={title}>
      <header>
        <h2>{title}</h2>
        <span class="more">{more}</span>
      </header>
      <div class="in">
        <Bars label={`${title}: ${bars.length} bars${said === '' ? '' : `, ${said}`}`} bars={bars} tall={tall} />
      </div>
      {children !== undefined && <footer>{children}</footer>}
    </section>
  );
}
