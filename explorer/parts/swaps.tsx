/** Swaps of exchanges: of a token or a pair, or those of an account. */
import type { Route } from '../address.js';
import { read, urlOf } from '../api.js';
import { Card, Empty } from './card.js';
import { mentions, mentionsAccount, ofTransaction, useLiveRead } from './live-read.js';
import { CursorPages, PER_PAGE } from './pages.js';
import { Party } from './party.js';
import { Shown } from './read.js';
import { SaveCsv } from './save-csv.js';
import { BoneRows, Rows } from './table.js';
import { Symbol, TokenNum, tokenAddress } from './token.js';
import { Age, Id } from './values.js';

/** Whose page it is on. */
type Whose = 'token' | 'account';

const PATHS = {
  token: '/middleware/tokens/{contract}/swaps',
  account: '/middleware/accounts/{account}/swaps',
} as const;

/** The subject of the page as a value of the path. */
const valueOf = (whose: Whose, subject: string): Record<string, string> =>
  whose === 'token' ? { contract: subject } : { account: subject };

const load = async (whose: Whose, subject: string, limit: number, cursor: string, signal: AbortSignal) =>
  (await read(PATHS[whose], { ...valueOf(whose, subject), limit, ...(cursor !== '' && { cursor }) }, signal)).body;

type Swap = Awaited<ReturnType<typeof load>>['rows'][number];

/** Whether an account made some. */
export const hasSwaps = async (account: string, signal: AbortSignal): Promise<boolean> =>
  (await load('account', account, 1, '', signal)).rows.length > 0;

const COLUMNS = [
  { title: 'Gave', fill: true },
  { title: 'Got', number: true },
  { title: 'Account' },
  { title: 'Age', number: true },
  { title: 'Transaction' },
];

export function Swaps({ route, whose }: { route: Route; whose: Whose }) {
  const { subject, query } = route;
  const cursor = query.get('cursor') ?? '';
  const touches = ofTransaction(whose === 'token' ? mentions(subject) : mentionsAccount(subject));
  const loaded = useLiveRead(
    (signal) => load(whose, subject, PER_PAGE, cursor, signal),
    [subject, whose, cursor],
    (event) => cursor === '' && touches(event),
  );
  const columns = COLUMNS.filter(({ title }) => whose === 'token' || title !== 'Account');
  return (
    <>
      <div class="bar">
        <span class="right">
          <SaveCsv
            name={`${subject}_swaps`}
            byDays={false}
            urlFor={() => Promise.resolve(urlOf(PATHS[whose], valueOf(whose, subject)))}
          />
        </span>
      </div>
      <Card title="Swaps">
        <Shown of={loaded} bones={<BoneRows columns={columns} />}>
          {({ rows, next }) => (
            <>
              <Rows label="Swaps" columns={columns} rows={rows} empty={<Empty title="There are none." />}>
                {(swap) => (
                  <tr key={`${swap.transaction_hash} ${swap.log_index}`}>
                    <td class="a fill">
                      <Side of={swap} side="from" />
                    </td>
                    <td class="n b">
                      <span class="onlyphone">→ </span>
                      <Side of={swap} side="to" />
                    </td>
                    {whose === 'token' && (
                      <td class="c">
                        <Party of={swap.caller} />
                      </td>
                    )}
                    <td class="n e quiet">
                      <Age time={swap.time} />
                    </td>
                    <td class="quiet" data-opens>
                      <Id id={swap.transaction_hash} short />
                    </td>
                  </tr>
                )}
              </Rows>
              <CursorPages route={route} next={next} first="Newest" />
            </>
          )}
        </Shown>
      </Card>
    </>
  );
}

/** An amount, with the token as a link. A token without a symbol is known by its key. */
function Side({ of, side }: { of: Swap; side: 'from' | 'to' }) {
  const contract = of[`${side}_contract`];
  const said = { symbol: of[`${side}_symbol`], decimals: of[`${side}_decimals`] };
  return (
    <>
      <TokenNum amount={of[`${side}_amount`]} of={said} />{' '}
      <a href={tokenAddress(contract)} title={contract}>
        {said.symbol === null || said.symbol.trim() === '' ? `${contract.slice(0, 7)}…` : <Symbol of={said} />}
      </a>
    </>
  );
}
