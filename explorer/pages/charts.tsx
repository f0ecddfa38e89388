import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { read } from '../api.js';
import { bytes, integer } from '../format.js';
import { Shown, useRead } from '../parts/read.js';

type Line = [x: number[], y: number[]];

const DAYS = 90;
const DAY_MS = 86_400_000;
/** Number of points of a chart by height. */
const POINTS = 30;
const BLOCKS = 40;

export function ChartsPage() {
  const days = useRead(loadDays, []);
  const heights = useRead(loadHeights, []);
  const times = useRead(loadTimes, []);
  const aboutDays = 'The chain has no payments in this time.';
  return (
    <>
      <h1>Charts</h1>
      <h2>Payments a day</h2>
      <Shown of={days}>
        {(line) => <Chart line={line} name="Payments" isTime show={(y) => integer(Math.round(y))} empty={aboutDays} />}
      </Shown>
      <h2>Size of all transactions</h2>
      <Shown of={heights}>{({ size }) => <Chart line={size} name="Size" show={bytes} />}</Shown>
      <h2>Fees of a generation</h2>
      <Shown of={heights}>{({ fees }) => <Chart line={fees} name="Fees in AE" show={(y) => y.toPrecision(3)} />}</Shown>
      <h2>Time between key blocks</h2>
      <Shown of={times}>
        {(line) => <Chart line={line} name="Seconds" show={(y) => `${Math.round(y * 10) / 10} s`} />}
      </Shown>
    </>
  );
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10).replaceAll('-', '');

async function loadDays(signal: AbortSignal): Promise<Line> {
  const now = Date.now();
  // `to` is tomorrow, because the answer does not contain the day `to`.
  const path = '/middleware/transactions/rate/{from}/{to}';
  const { body } = await read(path, { from: dayOf(now - DAYS * DAY_MS), to: dayOf(now + DAY_MS) }, signal);
  const points = body
    .map(({ date, count }) => [Date.parse(date) / 1000, Number(count)] as const)
    .sort(([a], [b]) => a - b);
  return [points.map(([x]) => x), points.map(([, y]) => y)];
}

async function loadHeights(signal: AbortSignal): Promise<{ size: Line; fees: Line }> {
  const { body } = await read('/v2/key-blocks/current/height', {}, signal);
  const top = Number(body.height);
  const step = Math.max(1, Math.floor(top / POINTS));
  const heights = Array.from({ length: Math.min(POINTS, top) }, (_, i) => top - i * step).reverse();
  const [sizes, rewards] = await Promise.all([
    Promise.all(heights.map((height) => read('/middleware/size/height/{height}', { height }, signal))),
    // The generation of the head is not complete.
    Promise.all(
      heights.map((height) => read('/middleware/reward/height/{height}', { height: Math.max(0, height - 1) }, signal)),
    ),
  ]);
  return {
    size: [heights, sizes.map((size) => Number(size.body.size))],
    // Rounded: the page of a generation shows the exact fees.
    fees: [heights, rewards.map(({ body: { fees } }) => Number(fees) / 1e18)],
  };
}

async function loadTimes(signal: AbortSignal): Promise<Line> {
  const { body } = await read('/v2/key-blocks/current/height', {}, signal);
  const top = Number(body.height);
  const heights = Array.from({ length: Math.min(BLOCKS, top) + 1 }, (_, i) => top - i).reverse();
  const blocks = await Promise.all(heights.map((height) => read('/v2/key-blocks/height/{height}', { height }, signal)));
  const times = blocks.map((block) => Number(block.body.time));
  return [heights.slice(1), times.slice(1).map((time, i) => (time - times[i]!) / 1000)];
}

interface ChartProps {
  line: Line;
  name: string;
  isTime?: boolean;
  show: (y: number) => string;
  empty?: string;
}

const HEIGHT_PX = 220;

const lastDays = (): [number, number] => [(Date.now() - DAYS * DAY_MS) / 1000, Date.now() / 1000];

function Chart({ line, name, isTime = false, show, empty = 'There is nothing to draw yet.' }: ChartProps) {
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = container.current;
    if (element === null || line[0].length === 0) return;
    const colour = (variable: string): string => getComputedStyle(element).getPropertyValue(variable).trim();
    const axis = { stroke: colour('--quiet'), grid: { stroke: colour('--line') }, ticks: { stroke: colour('--line') } };
    const chart = new uPlot(
      {
        width: element.clientWidth,
        height: HEIGHT_PX,
        scales: { x: isTime ? { time: true, range: lastDays } : { time: false } },
        series: [
          { label: isTime ? 'Day' : 'Height' },
          {
            label: name,
            stroke: colour('--accent'),
            width: 2,
            value: (_, y: number | null) => (y === null ? '' : show(y)),
            points: { show: line[0].length < 3 },
          },
        ],
        axes: [axis, { ...axis, size: 80, values: (_, ys) => ys.map(show) }],
      },
      line,
      element,
    );
    const observer = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height: HEIGHT_PX }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      chart.destroy();
    };
  }, [line]);
  if (line[0].length === 0) return <p class="note">{empty}</p>;
  const last = line[1].at(-1)!;
  return (
    <div
      ref={container}
      class="chart"
      role="img"
      aria-label={`${name}: ${line[0].length} values, the last ${show(last)}`}
    />
  );
}
