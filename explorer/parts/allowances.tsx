/** What accounts allow others to spend of tokens: of a token, or those that an account gave and received. */
import { read, urlOf } from '../api.js';
import type { Route } from '../address.js';
import { Card, Empty } from './card.js';
import { Height } from './head.js';
import { mentions, mentionsAccount, ofTransaction, useLiveRead } from './live-read.js';
import { CursorPages, PER_PAGE } from './pages.js';
import { Party } from './party.js';
import { Shown } from './read.js';
import { SaveCsv } from './save-csv.js';
import { BoneRows, Rows } from './table.js';
import { TokenLink, TokenNum } from './token.js';

type Values = Record<string, string>;

const OF_TOKEN = '/middleware/tokens/{contract}/allowances';
const OF_ACCOUNT = '/middleware/accounts/{account}/allowances';

const TOKEN = { title: 'Token', fill: true };
const OWNER = { title: 'Owner' };
const SPENDER = { title: 'Spender' };
const LAST = [
  { title: 'Amount', number: true },
  { title: 'Changed in', number: true },
];

/** The lists, by what their rows have in common. */
const LISTS = {
  owner: {
    title: 'It allows others',
    empty: 'It allows nobody.',
    columns: [TOKEN, SPENDER, ...LAST],
    by: 'cursor',
  },
  spender: {
    title: 'Others allow it',
    empty: 'Nobody allows it.',
    columns: [TOKEN, OWNER, ...LAST],
    by: 'received',
  },
  token: {
    title: 'Allowances',
    empty: 'Nobody allows anybody.',
    columns: [{ ...OWNER, fill: true }, SPENDER, ...LAST],
    by: 'cursor',
  },
} as const;

type Common = keyof typeof LISTS;

/** The path of a list, and the values that fill it. */
const listOf = (common: Common, subject: string): { path: typeof OF_TOKEN | typeof OF_ACCOUNT; values: Values } =>
  common === 'token'
    ? { path: OF_TOKEN, values: { contract: subject } }
    : { path: OF_ACCOUNT, values: { account: subject, as: common } };

const load = async (common: Common, subject: string, limit: number, cursor: string, signal: AbortSignal) => {
  const { path, values } = listOf(common, subject);
  return (await read(path, { ...values, limit, ...(cursor !== '' && { cursor }) }, signal)).body;
};

type Allowance = Awaited<ReturnType<typeof load>>['rows'][number];

/** Whether an account gave or received some. */
export async function hasAllowances(account: string, signal: AbortSignal): Promise<boolean> {
  const lists = await Promise.all((['owner', 'spender'] as const).map((as) => load(as, account, 1, '', signal)));
  return lists.some(({ rows }) => rows.length > 0);
}

/** Those that an account gave and received. */
export const AccountAllowances = ({ route }: { route: Route }) => (
  <>
    <Allowances route={route} common="owner" />
    <div class="gap" />
    <Allowances route={route} common="spender" />
  </>
);

export function Allowances({ route, common }: { route: Route; common: Common }) {
  const { subject, query } = route;
  const { title, empty, columns, by } = LISTS[common];
  const cursor = query.get(by) ?? '';
  const touches = ofTransaction(common === 'token' ? mentions(subject) : mentionsAccount(subject));
  const loaded = useLiveRead(
    (signal) => load(common, subject, PER_PAGE, cursor, signal),
    [subject, common, cursor],
    (event) => cursor === '' && touches(event),
  );
  return (
    <>
      <Save subject={subject} common={common} />
      <Card title={title}>
        <Shown of={loaded} bones={<BoneRows columns={columns} />}>
          {({ rows, next }) => (
            <>
              <Rows label={title} columns={columns} rows={rows} empty={<Empty title={empty} />}>
                {(row) => <AllowanceRow key={`${row.contract_id} ${row.owner} ${row.spender}`} of={row} in={common} />}
              </Rows>
              <CursorPages route={route} next={next} by={by} />
            </>
          )}
        </Shown>
      </Card>
    </>
  );
}

function Save({ subject, common }: { subject: string; common: Common }) {
  const { path, values } = listOf(common, subject);
  const name = common === 'spender' ? 'allowances_received' : 'allowances';
  return (
    <div class="bar">
      <span class="right">
        <SaveCsv name={`${subject}_${name}`} byDays={false} urlFor={() => Promise.resolve(urlOf(path, values))} />
      </span>
    </div>
  );
}

function AllowanceRow({ of, in: common }: { of: Allowance; in: Common }) {
  return (
    <tr>
      <td class="a fill">
        {common === 'token' ? <Party of={of.owner} /> : <TokenLink contract={of.contract_id} of={of} />}
      </td>
      <td class="c">
        <Party of={common === 'spender' ? of.owner : of.spender} />
      </td>
      <td class="n b">
        <Amount of={of} />
      </td>
      <td class="n e">
        <Height height={of.height} />
      </td>
    </tr>
  );
}

const WHY: Partial<Record<string, string>> = {
  due: 'The token is asked. Shown is what its last event says.',
  failed: 'The token does not tell it: its function ends with an error. Shown is what its last event says.',
  malformed: 'The token does not tell it: its function returns something else. Shown is what its last event says.',
};

/** What the token answered; before that, or without it, what its event says, marked as such. */
const Amount = ({ of }: { of: Allowance }) =>
  of.amount === null ? (
    <span class="quiet" title={WHY[of.state]}>
      by its event{' '}
      <span class="onlyphone">
        <br />
      </span>
      <TokenNum amount={of.event_amount} of={of} />
    </span>
  ) : (
    <TokenNum amount={of.amount} of={of} />
  );
