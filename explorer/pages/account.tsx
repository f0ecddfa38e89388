import { orNothing, read, readNode, urlOf } from '../api.js';
import type { Route } from '../address.js';
import { rowsOf } from '../days.js';
import { integer } from '../format.js';
import type { Integer } from '../json.js';
import { AccountAllowances, hasAllowances } from '../parts/allowances.js';
import { Card, Empty, Head } from '../parts/card.js';
import { Balance } from '../parts/balance.js';
import { Holdings, holdsTokens } from '../parts/holdings.js';
import { LedgerStatement, newestChanges } from '../parts/ledger.js';
import type { Ledger } from '../parts/ledger.js';
import { SaveCsv } from '../parts/save-csv.js';
import { mentions, mentionsAccount, ofTransaction, useLiveList, useLiveRead } from '../parts/live-read.js';
import { PER_PAGE, Pages, pageNumber } from '../parts/pages.js';
import { Shown, isMalformed } from '../parts/read.js';
import type { Loaded } from '../parts/read.js';
import { Swaps, hasSwaps } from '../parts/swaps.js';
import { Rows } from '../parts/table.js';
import { Height } from '../parts/head.js';
import { Statement, StatementBones } from '../parts/statement.js';
import { Tabs, tabOf } from '../parts/tabs.js';
import type { Tab } from '../parts/tabs.js';
import { Fact, Facts, Id, NameLink } from '../parts/values.js';
import { NothingOfType, TypeFilter, hasType } from './lists.js';
import { NameTable } from './names.js';
import type { Placed } from '../stream.js';

/** Rows of the lists besides that of the transactions. */
const ROWS = 10;

export function AccountPage({ route }: { route: Route }) {
  const { subject: of } = route;
  const touches = ofTransaction(mentionsAccount(of));
  // Rewards come with key blocks.
  const state = useLiveRead(
    (signal) => readNode(`/v2/accounts/${encodeURIComponent(of)}`, signal),
    [of],
    (event) => event.kind === 'key_blocks' || touches(event),
  );
  // For a malformed identifier, each list would show the same error as the account.
  const isWrong = state.state === 'failed' && isMalformed(state.error);
  const owned = useLiveRead((signal) => loadOwned(of, signal), [of], touches);
  const loaded = owned.state === 'loaded' ? owned.value : undefined;
  return (
    <>
      <div class="acct">
        <Head
          eyebrow={
            <>
              Account
              {state.state === 'loaded' && (
                <span class="plain">{(state.value['kind'] as string | undefined) ?? 'basic'}</span>
              )}
            </>
          }
          title={loaded?.name ?? 'Account'}
          id={of}
        />
        <About state={state} owned={loaded} />
        <Balance of={state} ledger={loaded?.ledger} />
      </div>
      {!isWrong && <Parts route={route} owned={owned} />}
    </>
  );
}

/** Facts beside the balance. What does not exist is left out. */
function About({ state, owned }: { state: Loaded<Record<string, unknown>>; owned: Owned | undefined }) {
  const contract = state.state === 'loaded' ? state.value['contract_id'] : undefined;
  return (
    <Facts>
      {owned !== undefined && owned.pointing.length > 0 && (
        <Fact name="Names to it">
          {owned.pointing.map((name, i) => (
            <>
              {i > 0 && ', '}
              <NameLink name={name} />
            </>
          ))}
          {owned.pointingCount > owned.pointing.length && (
            <span class="quiet"> and {integer(owned.pointingCount - owned.pointing.length)} more</span>
          )}
        </Fact>
      )}
      {state.state === 'loaded' && <Fact name="Nonce">{integer(state.value['nonce'] as Integer)}</Fact>}
      {typeof contract === 'string' && (
        <Fact name="Authenticates by">
          <Id id={contract} short />
        </Fact>
      )}
    </Facts>
  );
}

interface Owned {
  /** The name that lists show instead of the account. */
  name: string | undefined;
  transactions: Integer;
  /** The first names that point to the account, and the number of all. */
  pointing: string[];
  pointingCount: number;
  names: number;
  contracts: Integer;
  hasOracle: boolean;
  hasTokens: boolean;
  hasAllowances: boolean;
  hasSwaps: boolean;
  /** The newest changes of its balance; undefined if there are none. */
  ledger: Ledger | undefined;
}

const POINTING = 3;

/** What there is of the account, so that only the parts that exist are shown. */
async function loadOwned(account: string, signal: AbortSignal): Promise<Owned> {
  const [count, names, named, pointing, contracts, registration, ledger, holds, allows, swapped] = await Promise.all([
    read('/middleware/transactions/account/{account}/count', { account }, signal),
    read('/middleware/names/active', { owner: account, limit: 1, page: 1 }, signal),
    read('/middleware/names/of/{accounts}', { accounts: account }, signal),
    read('/middleware/names/reverse/{account}', { account, limit: POINTING, page: 1 }, signal),
    read('/middleware/transactions/account/{account}/count', { account, txtype: 'ContractCreateTx' }, signal),
    registrationOf(account, signal),
    orNothing(newestChanges(account, signal)),
    orNothing(holdsTokens(account, signal)),
    orNothing(hasAllowances(account, signal)),
    orNothing(hasSwaps(account, signal)),
  ]);
  return {
    name: named.body[0]?.name,
    transactions: count.body.count,
    names: names.total ?? names.body.length,
    pointing: pointing.body.map(({ name }) => name),
    pointingCount: pointing.total ?? pointing.body.length,
    contracts: contracts.body.count,
    hasOracle: registration !== undefined,
    hasTokens: holds === true,
    hasAllowances: allows === true,
    hasSwaps: swapped === true,
    ledger: ledger === undefined || ledger.rows.length === 0 ? undefined : ledger,
  };
}

const tabsOf = (of: Owned): Tab[] => [
  ...(of.ledger === undefined ? [] : [{ name: 'statement', title: 'Statement' }]),
  { name: 'transactions', title: 'Transactions', count: of.transactions },
  ...(of.hasTokens ? [{ name: 'tokens', title: 'Tokens' }] : []),
  ...(of.hasAllowances ? [{ name: 'allowances', title: 'Allowances' }] : []),
  ...(of.hasSwaps ? [{ name: 'swaps', title: 'Swaps' }] : []),
  ...(of.names > 0 ? [{ name: 'names', title: 'Names', count: of.names }] : []),
  ...(of.pointingCount > 0 ? [{ name: 'pointing', title: 'Names to it', count: of.pointingCount }] : []),
  ...(of.contracts > 0 ? [{ name: 'contracts', title: 'Contracts', count: of.contracts }] : []),
  ...(of.hasOracle ? [{ name: 'oracle', title: 'Oracle' }] : []),
];

/** Its statement and transactions, and what belongs to it: names, contracts and an oracle. Empty parts are left out. */
function Parts({ route, owned }: { route: Route; owned: Loaded<Owned> }) {
  return (
    <Shown of={owned}>
      {(of) => {
        const tabs = tabsOf(of);
        const tab = tabOf(route, tabs);
        return (
          <>
            <Tabs route={route} label="Of this account" tabs={tabs} />
            {tab === 'statement' && <LedgerStatement route={route} />}
            {tab === 'transactions' && <TransactionList route={route} />}
            {tab === 'tokens' && <Holdings route={route} />}
            {tab === 'allowances' && <AccountAllowances route={route} />}
            {tab === 'swaps' && <Swaps route={route} whose="account" />}
            {tab === 'names' && <OwnedNames route={route} />}
            {tab === 'pointing' && <PointingNames route={route} />}
            {tab === 'contracts' && <Contracts route={route} />}
            {tab === 'oracle' && (
              <Card title="Oracle">
                <p class="in">
                  The oracle of an account has its key: <Id id={route.subject.replace(/^ak_/, 'ok_')} />
                </p>
              </Card>
            )}
          </>
        );
      }}
    </Shown>
  );
}

/** The latest transaction by which the account registered an oracle; undefined if it never did. */
async function registrationOf(account: string, signal: AbortSignal) {
  const path = '/middleware/transactions/account/{account}';
  return (await read(path, { account, limit: 1, page: 1, txtype: 'OracleRegisterTx' }, signal)).body[0];
}

function TransactionList({ route }: { route: Route }) {
  const { subject: account, query } = route;
  const type = query.get('type') ?? '';
  const page = pageNumber(route);
  const filter: Record<string, string> = type === '' ? {} : { txtype: type };
  const isMine = mentionsAccount(account);
  const { loaded, bar } = useLiveList(
    (signal) =>
      Promise.all([
        read('/middleware/transactions/account/{account}', { account, limit: PER_PAGE, page, ...filter }, signal),
        read('/middleware/transactions/account/{account}/count', { account, ...filter }, signal),
      ]),
    [account, page, type],
    'transaction',
    (placed) => isMine(placed) && (type === '' || hasType(type)(placed)),
  );
  return (
    <>
      <div class="bar">
        <TypeFilter route={route} type={type} />
        <span class="right">
          <SaveCsv
            name={account}
            urlFor={async (days) => {
              const values = { account, ...filter };
              const hasDays = days.from !== '' || days.to !== '';
              const rows = hasDays ? await rowsOf(values, days) : {};
              return rows && urlOf('/middleware/transactions/account/{account}', { ...values, ...rows });
            }}
          />
        </span>
      </div>
      <Card title="Transactions" more={loaded.state === 'loaded' && `${integer(loaded.value[1].body.count)} in all`}>
        <Shown of={loaded} bones={<StatementBones />}>
          {([
            { body },
            {
              body: { count },
            },
          ]) => (
            <>
              {page === 1 && bar}
              <Statement
                account={account}
                rows={body}
                empty={
                  type === '' ? (
                    <Empty title="No transaction names this account." />
                  ) : (
                    <NothingOfType route={route} type={type} />
                  )
                }
              />
              <Pages route={route} total={Number(count)} rows={body.length} />
            </>
          )}
        </Shown>
      </Card>
    </>
  );
}

function OwnedNames({ route }: { route: Route }) {
  const { subject: owner } = route;
  const page = pageNumber(route);
  const live = useLiveList(
    (signal) => read('/middleware/names/active', { owner, limit: PER_PAGE, page }, signal),
    [owner, page],
    'change',
    changesNames(owner),
  );
  return <Names title="Names that it owns" route={route} of={live} />;
}

function PointingNames({ route }: { route: Route }) {
  const { subject: account } = route;
  const page = pageNumber(route);
  const live = useLiveList(
    (signal) => read('/middleware/names/reverse/{account}', { account, limit: PER_PAGE, page }, signal),
    [account, page],
    'change',
    changesNames(account),
  );
  return <Names title="Names that point to it" route={route} of={live} />;
}

/** Whether a transaction may change what names an account owns, or which point to it. */
function changesNames(account: string) {
  const isMine = mentions(account);
  const isOfName = hasType('NameClaimTx', 'NameUpdateTx', 'NameTransferTx', 'NameRevokeTx');
  return (placed: Placed): boolean => isOfName(placed) && isMine(placed);
}

type NameRows = Parameters<typeof NameTable>[0]['rows'];

function Names(props: {
  title: string;
  route: Route;
  of: { loaded: Loaded<{ body: NameRows; total: number | undefined }>; bar: preact.JSX.Element };
}) {
  const {
    title,
    route,
    of: { loaded, bar },
  } = props;
  return (
    <Card title={title}>
      <Shown of={loaded}>
        {({ body, total }) => (
          <>
            {pageNumber(route) === 1 && bar}
            <NameTable rows={body} empty={<Empty title="There are none." />} />
            <Pages route={route} total={total} rows={body.length} />
          </>
        )}
      </Shown>
    </Card>
  );
}

const CONTRACT_COLUMNS = [{ title: 'Contract' }, { title: 'Created by' }, { title: 'Generation', number: true }];

function Contracts({ route }: { route: Route }) {
  const { subject: account } = route;
  const page = pageNumber(route);
  const isMine = mentions(account);
  const { loaded, bar } = useLiveList(
    (signal) => contractsOf(account, page, signal),
    [account, page],
    'contract',
    (placed) => hasType('ContractCreateTx')(placed) && isMine(placed),
  );
  return (
    <Card title="Contracts that it created">
      <Shown of={loaded}>
        {({ rows, total }) => (
          <>
            {page === 1 && bar}
            <Rows label="Contracts" columns={CONTRACT_COLUMNS} rows={rows} empty={<Empty title="There are none." />}>
              {({ hash, height, contract, failed }) => (
                <tr key={hash}>
                  <td class="a">
                    {contract === undefined && <span class="quiet">unknown: the node does not answer</span>}
                    {failed && <span class="quiet">none: the creation failed</span>}
                    {contract !== undefined && !failed && <Id id={contract} short />}
                  </td>
                  <td class="c">
                    <Id id={hash} short />
                  </td>
                  <td class="n e">
                    <Height height={height} />
                  </td>
                </tr>
              )}
            </Rows>
            <Pages route={route} total={total} rows={rows.length} perPage={ROWS} />
          </>
        )}
      </Shown>
    </Card>
  );
}

interface CallInfo {
  contract_id: string;
  return_type: string;
}

/** Contracts that the account created. The identifiers come from the node: the transactions do not contain them. */
async function contractsOf(account: string, page: number, signal: AbortSignal) {
  const path = '/middleware/transactions/account/{account}';
  const list = await read(path, { account, limit: ROWS, page, txtype: 'ContractCreateTx' }, signal);
  const rows = await Promise.all(
    list.body.map(async ({ hash, block_height: height }) => {
      const info = (await orNothing(readNode(`/v2/transactions/${hash}/info`, signal)))?.['call_info'] as
        CallInfo | undefined;
      return { hash, height, contract: info?.contract_id, failed: info !== undefined && info.return_type !== 'ok' };
    }),
  );
  return { rows, total: list.total };
}
