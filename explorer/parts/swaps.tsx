/** Swaps of exchanges: of a token or a pair, or those of an account. */
import type { Route } from '../address.js';
import { orNothing, readNode } from '../api.js';
import type { Integer } from '../json.js';
import { Card, Empty } from './card.js';
import { mentions, mentionsAccount, ofTransaction, useLiveRead } from './live-read.js';
import { CursorPages, PER_PAGE } from './pages.js';
import { Party } from './party.js';
import { Shown } from './read.js';
import { BoneRows, Rows } from './table.js';
import { Symbol, TokenNum, tokenAddress } from './token.js';
import { Age, Id } from './values.js';

/** A row of the compatible API, which is not in the description that the types of `read` are made of. */
interface Swap {
  caller: string;
  from_contract: string;
  to_contract: string;
  from_token: string | null;
  to_token: string | null;
  from_decimals: Integer | null;
  to_decimals: Integer | null;
  from_amount: Integer;
  to_amount: Integer;
  tx_hash: string;
  log_idx: number;
  micro_time: number;
}

interface Page {
  data: Swap[];
  next: string | null;
}

type Of = { contract: string } | { account: string };

const NONE: Page = { data: [], next: null };

/** A contract that no exchange trades has no list. */
async function load(of: Of, limit: number, cursor: string, signal: AbortSignal): Promise<Page> {
  const path = 'contract' in of ? `dex/${of.contract}/swaps` : `accounts/${of.account}/dex/swaps`;
  const query = new URLSearchParams({ limit: String(limit), ...(cursor !== '' && { cursor }) });
  return ((await orNothing(readNode(`/mdw/v3/${path}?${query}`, signal))) as Page | undefined) ?? NONE;
}

/** Whether an account made some. */
export const hasSwaps = async (account: string, signal: AbortSignal): Promise<boolean> =>
  (await load({ account }, 1, '', signal)).data.length > 0;

const COLUMNS = [
  { title: 'Gave', fill: true },
  { title: 'Got', number: true },
  { title: 'Account' },
  { title: 'Age', number: true },
  { title: 'Transaction' },
];

/** `whose`: whose page it is on. */
export function Swaps({ route, whose }: { route: Route; whose: 'token' | 'account' }) {
  const { subject, query } = route;
  const cursor = query.get('cursor') ?? '';
  const touches = ofTransaction(whose === 'token' ? mentions(subject) : mentionsAccount(subject));
  const of = whose === 'token' ? { contract: subject } : { account: subject };
  const loaded = useLiveRead(
    (signal) => load(of, PER_PAGE, cursor, signal),
    [subject, whose, cursor],
    (event) => cursor === '' && touches(event),
  );
  const columns = COLUMNS.filter(({ title }) => whose === 'token' || title !== 'Account');
  return (
    <Card title="Swaps">
      <Shown of={loaded} bones={<BoneRows columns={columns} />}>
        {({ data, next }) => (
          <>
            <Rows label="Swaps" columns={columns} rows={data} empty={<Empty title="There are none." />}>
              {(swap) => (
                <tr key={`${swap.tx_hash} ${swap.log_idx}`}>
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
                    <Age time={swap.micro_time} />
                  </td>
                  <td class="quiet" data-opens>
                    <Id id={swap.tx_hash} short />
                  </td>
                </tr>
              )}
            </Rows>
            <CursorPages route={route} next={next} first="Newest" />
          </>
        )}
      </Shown>
    </Card>
  );
}

/** An amount, with the token as a link. A token without a symbol is known by its key. */
function Side({ of, side }: { of: Swap; side: 'from' | 'to' }) {
  const contract = of[`${side}_contract`];
  const said = { symbol: of[`${side}_token`], decimals: of[`${side}_decimals`] };
  return (
    <>
      <TokenNum amount={of[`${side}_amount`]} of={said} />{' '}
      <a href={tokenAddress(contract)} title={contract}>
        {said.symbol === null || said.symbol.trim() === '' ? `${contract.slice(0, 7)}…` : <Symbol of={said} />}
      </a>
    </>
  );
}
