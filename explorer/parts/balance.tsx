/** The balance of an account, as the node says it, with its course as the ledger says it. */
import { coin } from '../coin.js';
import { clock, inAe, moment, rounded } from '../format.js';
import type { Integer } from '../json.js';
import { Num } from './amount.js';
import { Copy } from './copy.js';
import { changesSince } from './ledger.js';
import type { Ledger } from './ledger.js';
import { Shown, useRead } from './read.js';
import type { Loaded } from './read.js';

export function Balance({ of, ledger }: { of: Loaded<Record<string, unknown>>; ledger: Ledger | undefined }) {
  return (
    <section class="card balance" aria-label="Balance">
      <div class="in">
        <p class="more">Balance</p>
        <Shown of={of} missing={<p class="quiet">The node does not know this account: nothing was ever paid to it.</p>}>
          {(body) => <Big aettos={body['balance'] as Integer} />}
        </Shown>
        {ledger !== undefined && <Course of={ledger} />}
        {ledger !== undefined && <InAndOut account={ledger.account} />}
      </div>
    </section>
  );
}

function Big({ aettos }: { aettos: Integer }) {
  const { whole, fraction } = rounded(aettos);
  return (
    <p class="big" title={`${inAe(aettos)} ${coin.symbol}`} data-exact={inAe(aettos)}>
      {whole}
      <i>
        {fraction} {coin.symbol}
      </i>{' '}
      <Copy text={String(aettos)} what="balance in aettos" />
    </p>
  );
}

/** Height of the drawing. */
const TALL = 28;

const day = (time: number): string => moment(time).slice(0, 10);

/** The balance after each of the newest changes, by time. It stays the same from one to the next. */
function Course({ of: { rows } }: { of: Ledger }) {
  const points = [...rows].reverse();
  if (points.length < 2) return null;
  // The times of blocks may go back, the course does not.
  const times: number[] = [];
  for (const { time } of points) times.push(Math.max(Number(time), times.at(-1) ?? 0));
  const [start, end] = [times[0]!, times.at(-1)!];
  const balances = points.map(({ balance }) => Number(balance));
  const [least, most] = [Math.min(0, ...balances), Math.max(...balances)];
  const x = (time: number): string => (((time - start) / Math.max(1, end - start)) * 100).toFixed(1);
  const y = (balance: number): string => (TALL - ((balance - least) / (most - least || 1)) * TALL).toFixed(1);
  const line = balances.map((balance, i) => `H${x(times[i]!)}V${y(balance)}`).join('');
  const isOneDay = day(start) === day(end);
  const from = `0 ${y(balances[0]!)}`;
  return (
    <>
      <svg
        class="spark tall pay"
        viewBox={`0 0 100 ${TALL}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Balance after the last ${points.length} changes, from ${moment(start)} to ${moment(end)}`}
      >
        <path class="area" d={`M${from}${line}L100 ${y(0)}L0 ${y(0)}z`} />
        <path d={`M${from}${line}`} />
      </svg>
      <p class="more ends">
        <span>{isOneDay ? moment(start) : day(start)}</span>
        <span>{isOneDay ? clock(end) : day(end)}</span>
      </p>
    </>
  );
}

const DAYS = 30;

function InAndOut({ account }: { account: string }) {
  const sums = useRead((signal) => changesSince(account, DAYS, signal), [account]);
  return (
    <Shown of={sums}>
      {({ received, paid }) => (
        <div class="io">
          <div>
            <p class="more">In, {DAYS} days</p>
            <b>
              <Num aettos={received} signed />
            </b>
          </div>
          <div>
            <p class="more">Out, {DAYS} days</p>
            <b>
              <Num aettos={paid} signed />
            </b>
          </div>
        </div>
      )}
    </Shown>
  );
}
