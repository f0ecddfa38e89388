/** The balance of an account, as the node says it, with its course as the ledger says it. */
import { coin } from '../coin.js';
import { inAe, rounded } from '../format.js';
import type { Integer } from '../json.js';
import { Num } from './amount.js';
import { Copy } from './copy.js';
import { Course } from './course.js';
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
        {ledger !== undefined && <Course what="Balance" points={courseOf(ledger)} />}
        {ledger !== undefined && <InAndOut account={ledger.account} />}
      </div>
    </section>
  );
}

/** The balance after each of the newest changes. */
const courseOf = ({ rows }: Ledger) => rows.map(({ time, balance }) => ({ time, amount: balance })).reverse();

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
