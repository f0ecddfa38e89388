/** Lists of all transactions, contracts, oracles, channels and auctions, newest first where the service knows their order. */
import type { ComponentChildren } from 'preact';
import { orNothing, read } from '../api.js';
import type { Answer } from '../api.js';
import { addressOf } from '../address.js';
import type { Route } from '../address.js';
import { typeInWords } from '../format.js';
import { Num } from '../parts/amount.js';
import { Empty, Head } from '../parts/card.js';
import { withTimes } from '../parts/figures.js';
import { Height, InGeneration } from '../parts/head.js';
import { KINDS, KIND_NAMES, kindOf } from '../parts/marks.js';
import { NameTabs } from '../parts/name-tabs.js';
import { useLiveList } from '../parts/live-read.js';
import { PER_PAGE, Pages, pageNumber } from '../parts/pages.js';
import { Party } from '../parts/party.js';
import { Shown } from '../parts/read.js';
import { BoneRows, Rows } from '../parts/table.js';
import type { Column } from '../parts/table.js';
import { TransactionBones, Transactions } from '../parts/transactions.js';
import type { Row } from '../parts/transactions.js';
import { Id, NameLink } from '../parts/values.js';
import type { Placed } from '../stream.js';

/** Types by which lists can be filtered. */
const TYPES = [
  ...['SpendTx', 'ContractCallTx', 'ContractCreateTx', 'GAAttachTx', 'GAMetaTx', 'PayingForTx'],
  ...['NamePreclaimTx', 'NameClaimTx', 'NameUpdateTx', 'NameTransferTx', 'NameRevokeTx'],
  ...['OracleRegisterTx', 'OracleExtendTx', 'OracleQueryTx', 'OracleRespondTx'],
  ...['ChannelCreateTx', 'ChannelDepositTx', 'ChannelWithdrawTx', 'ChannelForceProgressTx', 'ChannelCloseSoloTx'],
  ...['ChannelSlashTx', 'ChannelSettleTx', 'ChannelCloseMutualTx', 'ChannelSnapshotSoloTx'],
];

interface ListProps<Row> {
  route: Route;
  title: string;
  /** One of the rows, in a sentence: `3 new contracts`. */
  one: string;
  load: (page: number, signal: AbortSignal) => Promise<{ rows: readonly Row[]; total: number | undefined }>;
  /** Changes of these read the list again. */
  filter?: string;
  /** Whether a transaction may have added a row. */
  adds: (placed: Placed) => boolean;
  above?: ComponentChildren;
  /** While the rows are not there. */
  bones: ComponentChildren;
  children: (rows: readonly Row[]) => ComponentChildren;
}

/** A list with its pages, and a bar for rows that came since. */
function List<Row>({ route, title, one, load, filter = '', adds, above, bones, children }: ListProps<Row>) {
  const page = pageNumber(route);
  const { loaded, bar } = useLiveList((signal) => load(page, signal), [route.page, page, filter], one, adds);
  return (
    <>
      <Head title={title} />
      {above}
      <Shown of={loaded} bones={<div class="card">{bones}</div>}>
        {({ rows, total }) => (
          <div class="card">
            {page === 1 && bar}
            {children(rows)}
            <Pages route={route} total={total} rows={rows.length} />
          </div>
        )}
      </Shown>
    </>
  );
}

const listOf = <Row,>({ body, total }: Answer<Row[]>) => ({ rows: body, total });

/** Whether a transaction has one of these types. */
export const hasType =
  (...types: readonly string[]) =>
  ({ tx }: Placed): boolean =>
    types.includes((tx as { type: string }).type);

export function TransactionsPage({ route }: { route: Route }) {
  const type = route.query.get('type') ?? '';
  const filter: Record<string, string> = type === '' ? {} : { txtype: type };
  return (
    <List
      route={route}
      title="Transactions"
      one="transaction"
      filter={type}
      load={async (page, signal) => {
        const { body: head } = await read('/v2/key-blocks/current/height', {}, signal);
        const values = { from: 0, to: Number(head.height), limit: PER_PAGE, page, ...filter };
        const { body, total } = await read('/middleware/transactions/interval/{from}/{to}', values, signal);
        return { rows: await timed(body.transactions, signal), total };
      }}
      bones={<TransactionBones />}
      adds={type === '' ? () => true : hasType(type)}
      above={
        <div class="bar">
          <TypeFilter route={route} type={type} />
        </div>
      }
    >
      {(rows) => (
        <Transactions
          rows={rows}
          empty={
            type === '' ? (
              <Empty title="The chain has no transactions yet.">New ones are shown here.</Empty>
            ) : (
              <NothingOfType route={route} type={type} />
            )
          }
        />
      )}
    </List>
  );
}

/** Max generations of which the times of micro blocks are read for one page. */
const TIMED = 100;

/** The list does not say when its transactions were made. The figures do, if the page is of few generations. */
async function timed(rows: readonly Row[], signal: AbortSignal): Promise<readonly Row[]> {
  const heights = rows.map(({ block_height }) => Number(block_height));
  // On a hyperchain a micro block says the height of the next generation.
  const [from, to] = [Math.max(0, Math.min(...heights) - 1), Math.max(...heights)];
  if (rows.length === 0 || to - from > TIMED) return rows;
  const figures = await orNothing(read('/middleware/figures/generations/{from}/{to}', { from, to }, signal));
  return withTimes(
    rows,
    (figures?.body ?? []).flatMap(({ micro_blocks }) => micro_blocks),
  );
}

/** What was searched, and the way back to all. */
export const NothingOfType = ({ route, type }: { route: Route; type: string }) => (
  <Empty title={`No transaction of the type ${typeInWords(type)}`}>
    All of them were searched.{' '}
    <a class="go" href={addressOf(route, { ...Object.fromEntries(route.query), type: undefined, page: undefined })}>
      Take the filter away
    </a>
  </Empty>
);

export function TypeFilter({ route, type }: { route: Route; type: string }) {
  return (
    <label>
      Type{' '}
      <select
        class="btn"
        value={type}
        onChange={(event) => {
          const query = { ...Object.fromEntries(route.query), type: event.currentTarget.value, page: undefined };
          location.hash = addressOf(route, query);
        }}
      >
        <option value="">all</option>
        {KINDS.map((kind) => (
          <optgroup key={kind} label={KIND_NAMES[kind]}>
            {TYPES.filter((one) => kindOf(one) === kind).map((one) => (
              <option key={one} value={one}>
                {typeInWords(one)}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </label>
  );
}

const CONTRACTS: readonly Column[] = [
  { title: 'Contract' },
  { title: 'Created by', fill: true },
  { title: 'Generation', number: true },
];

export const ContractsPage = ({ route }: { route: Route }) => (
  <List
    route={route}
    title="Contracts"
    one="contract"
    load={async (page, signal) => listOf(await read('/middleware/contracts/all', { limit: PER_PAGE, page }, signal))}
    bones={<BoneRows columns={CONTRACTS} />}
    adds={hasType('ContractCreateTx', 'GAAttachTx')}
  >
    {(rows) => (
      <Rows label="Contracts" columns={CONTRACTS} rows={rows} empty={<Empty title="The chain has no contracts." />}>
        {({ contract_id, transaction_hash, block_height }) => (
          <tr key={contract_id}>
            <td class="a">
              <Id id={contract_id} short />
            </td>
            <td class="c fill">
              <Id id={transaction_hash} short />
            </td>
            <td class="n e">
              <InGeneration blockHeight={block_height} />
            </td>
          </tr>
        )}
      </Rows>
    )}
  </List>
);

const ORACLES: readonly Column[] = [
  { title: 'Oracle' },
  { title: 'Registered by', fill: true },
  { title: 'In generation', number: true },
  { title: 'Expires', number: true },
];

export const OraclesPage = ({ route }: { route: Route }) => (
  <List
    route={route}
    title="Oracles"
    one="oracle"
    load={async (page, signal) => listOf(await read('/middleware/oracles/list', { limit: PER_PAGE, page }, signal))}
    bones={<BoneRows columns={ORACLES} />}
    adds={hasType('OracleRegisterTx')}
  >
    {(rows) => (
      <Rows label="Oracles" columns={ORACLES} rows={rows} empty={<Empty title="No oracle is active." />}>
        {({ oracle_id, transaction_hash, block_height, expires_at }) => (
          <tr key={oracle_id}>
            <td class="a">
              <Id id={oracle_id} short />
            </td>
            <td class="c fill">
              <Id id={transaction_hash} short />
            </td>
            <td class="n">
              <InGeneration blockHeight={block_height} />
            </td>
            <td class="n e">
              <Height height={expires_at} />
            </td>
          </tr>
        )}
      </Rows>
    )}
  </List>
);

const CHANNELS: readonly Column[] = [{ title: 'Channel', fill: true }];

/** The service answers all open channels at once; the pages are cut here. */
export const ChannelsPage = ({ route }: { route: Route }) => (
  <List
    route={route}
    title="Open channels"
    one="channel"
    load={async (page, signal) => {
      const { body } = await read('/middleware/channels/active', {}, signal);
      const newest = [...body].reverse();
      return { rows: newest.slice((page - 1) * PER_PAGE, page * PER_PAGE), total: newest.length };
    }}
    bones={<BoneRows columns={CHANNELS} />}
    adds={hasType('ChannelCreateTx')}
  >
    {(rows) => (
      <Rows label="Channels" columns={CHANNELS} rows={rows} empty={<Empty title="No channel is open." />}>
        {(id) => (
          <tr key={id}>
            <td class="a fill">
              <Id id={id} short />
            </td>
          </tr>
        )}
      </Rows>
    )}
  </List>
);

const AUCTIONS: readonly Column[] = [
  { title: 'Name' },
  { title: 'Highest bid', number: true, isCoins: true },
  { title: 'Bidder', fill: true },
  { title: 'Ends', number: true },
];

export const AuctionsPage = ({ route }: { route: Route }) => (
  <List
    route={route}
    title="Names in auction"
    one="bid"
    load={async (page, signal) =>
      listOf(await read('/middleware/names/auctions/active', { limit: PER_PAGE, page }, signal))
    }
    bones={<BoneRows columns={AUCTIONS} />}
    adds={hasType('NameClaimTx')}
    above={<NameTabs at="auctions" />}
  >
    {(rows) => (
      <Rows
        label="Auctions"
        columns={AUCTIONS}
        rows={rows}
        empty={
          <Empty title="No auction is running.">
            <a class="go" href="#/names">
              All active names
            </a>
          </Empty>
        }
      >
        {({ name, winning_bid, winning_bidder, expiration }) => (
          <tr key={name}>
            <td class="a">
              <NameLink name={name} />
            </td>
            <td class="n b">
              <Num aettos={winning_bid} />
            </td>
            <td class="c fill">
              <Party of={winning_bidder} />
            </td>
            <td class="n e">
              <Height height={expiration} />
            </td>
          </tr>
        )}
      </Rows>
    )}
  </List>
);
