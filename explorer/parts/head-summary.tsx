/** Five figures of the chain, with their course over the last day. */
import { coin } from '../coin.js';
import { read } from '../api.js';
import { integer, rounded } from '../format.js';
import { Figure, Figures } from './card.js';
import { loadFigures, DAY_MS } from './figures.js';
import type { StepFigures } from './figures.js';
import type { Kind } from './marks.js';
import { useRead } from './read.js';

/** Pause between two reads, ms. */
const REFRESH_MS = 10_000;

export function HeadSummary() {
  const loaded = useRead(
    (signal) =>
      Promise.all([
        loadFigures('hour', Date.now() - DAY_MS, signal),
        // Figures have no totals if nothing happened for a day.
        read('/middleware/count/current', {}, signal),
      ]),
    [],
    { everyMs: REFRESH_MS },
  );
  if (loaded.state !== 'loaded') return null;
  const [
    { steps, total },
    {
      body: { count },
    },
  ] = loaded.value;
  const sum = (of: (step: StepFigures) => number): number => steps.reduce((all, step) => all + of(step), 0);
  const transactions = sum((step) => step.transactions);
  const keyBlocks = sum((step) => step.keyBlocks);
  const fees = steps.reduce((all, step) => all + BigInt(step.fees), 0n);
  const span = Date.now() - (steps.find((step) => step.keyBlocks > 0)?.start ?? Date.now());
  return (
    <Figures>
      <Figure name="Transactions, 24 h">
        {integer(transactions)}
        <Spark steps={steps} kind="pay" of={(step) => step.transactions} />
      </Figure>
      <Figure name="Between key blocks">
        {keyBlocks === 0 ? '—' : integer(Math.round(span / keyBlocks / 1000))} <small>s, mean</small>
        <Spark steps={steps} kind="channel" of={(step) => step.keyBlocks} />
      </Figure>
      <Figure name="Fee, mean of 24 h">
        {transactions === 0 ? '—' : shortAe(fees / BigInt(transactions))} <small>{coin.symbol}</small>
        <Spark
          steps={steps}
          kind="oracle"
          of={(step) => (step.transactions === 0 ? 0 : Number(step.fees) / step.transactions)}
        />
      </Figure>
      <Figure name="All transactions">
        {integer(count)}
        <Spark steps={steps} kind="call" of={(step) => step.kinds.call} />
      </Figure>
      {total !== undefined && total.coinbase !== null && (
        <Figure name="Coins from key blocks">
          {shortAe(total.coinbase)} <small>{coin.symbol}</small>
          <Spark steps={steps} kind="name" of={(step) => Number(step.coinbase)} />
        </Figure>
      )}
    </Figures>
  );
}

function shortAe(aettos: bigint | string): string {
  const { whole, fraction } = rounded(aettos);
  return whole + fraction;
}

/** The course of a figure, from zero. The last bar is pale: its hour is not over. */
function Spark(props: { steps: readonly StepFigures[]; kind: Kind; of: (step: StepFigures) => number }) {
  const { steps, kind, of } = props;
  const most = Math.max(...steps.map(of), Number.MIN_VALUE);
  const width = 100 / steps.length;
  return (
    <svg class={`spark ${kind}`} viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
      {steps.map((step, i) => {
        const height = (of(step) / most) * 100;
        return (
          <rect
            key={step.start}
            class={step.isOpen ? 'part' : undefined}
            x={(i * width + width * 0.12).toFixed(2)}
            y={(100 - height).toFixed(2)}
            width={(width * 0.76).toFixed(2)}
            height={height.toFixed(2)}
          />
        );
      })}
    </svg>
  );
}
