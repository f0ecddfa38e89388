import { orNothing, read, readNode } from '../api.js';
import type { Route } from '../address.js';
import { bytes, bytesIn, functionHashIn, integer } from '../format.js';
import type { Integer } from '../json.js';
import { Copy } from '../parts/copy.js';
import { Card, Empty, Figure, Figures, Head } from '../parts/card.js';
import { Amount, Num } from '../parts/amount.js';
import { Call, Result, reasonIn } from '../parts/data.js';
import { innermost } from '../parts/life.js';
import type { Tx } from '../parts/life.js';
import { Lost, titleOfMissing } from '../parts/lost.js';
import { mentions, useLiveList } from '../parts/live-read.js';
import { Mark, RowBadge } from '../parts/marks.js';
import type { Outcome } from '../parts/marks.js';
import { Events } from '../parts/events.js';
import { PER_PAGE, Pages, pageNumber } from '../parts/pages.js';
import { Party } from '../parts/party.js';
import { Shown, useRead } from '../parts/read.js';
import { InGeneration } from '../parts/head.js';
import { BoneRows, Table } from '../parts/table.js';
import { Tabs, tabOf } from '../parts/tabs.js';
import { TokenLink } from '../parts/token.js';
import { partiesOf } from '../parts/transactions.js';
import { Fact, Facts, Id, Members } from '../parts/values.js';

const TABS = [
  { name: 'calls', title: 'Calls' },
  { name: 'events', title: 'Events' },
];

/** A contract that another one made may be known as a token alone. */
const isUnknownContract = ({ creation, owner, token }: Awaited<ReturnType<typeof load>>): boolean =>
  creation === undefined && owner === undefined && token === undefined;

export function ContractPage({ route }: { route: Route }) {
  const address = route.subject;
  const loaded = useRead((signal) => load(address, signal), [address]);
  if (loaded.state === 'loaded' && isUnknownContract(loaded.value))
    return (
      <Lost title={titleOfMissing('contract')} id={address}>
        The identifier is well formed, but no transaction of the chain created this contract, and the node does not know
        it.
      </Lost>
    );
  return (
    <>
      <Head eyebrow="Contract" title="Contract" id={address} />
      <Shown of={loaded}>
        {({ creation, owner, code, terms, token }) => (
          <>
            {token !== undefined && (
              <Facts>
                <Fact name={token.standard === 'aex141' ? 'Collection' : 'Token'}>
                  <TokenLink contract={address} of={token} />
                </Fact>
              </Facts>
            )}
            {owner !== undefined && (
              <Figures>
                <Figure name="Owner">
                  <small>
                    <Party of={owner} />
                  </small>
                </Figure>
                <Figure name="Made in generation">
                  {creation === undefined ? (
                    <small>by no transaction: within a call, or before the first block</small>
                  ) : (
                    <InGeneration blockHeight={creation.block_height} />
                  )}
                </Figure>
                {terms !== undefined && (
                  <Figure name="Machine" sub={`ABI ${String(terms['abi_version'])}`}>
                    {String(terms['vm_version'])} <small>version</small>
                  </Figure>
                )}
                {terms !== undefined && (
                  <Figure name="Deposit">
                    <Amount aettos={(terms['deposit'] as Integer | undefined) ?? 0} />
                  </Figure>
                )}
                {code !== undefined && (
                  <Figure name="Code">
                    {bytes(sizeOf(code))} <Copy text={code} what="code" />
                  </Figure>
                )}
              </Figures>
            )}
            {creation !== undefined && (
              <div class="card">
                <details>
                  <summary>
                    Creation <span class="quiet">transaction and code</span>
                  </summary>
                  <div class="in">
                    <p>
                      By transaction <Id id={creation.hash} />
                    </p>
                    <Members of={creation.tx} />
                  </div>
                </details>
              </div>
            )}
          </>
        )}
      </Shown>
      <div class="gap" />
      <Tabs route={route} label="Of this contract" tabs={TABS} />
      {tabOf(route, TABS) === 'events' ? <Events route={route} /> : <Calls route={route} />}
    </>
  );
}

/** Number of bytes in base64 text, without its prefix and its checksum of four bytes. */
const sizeOf = (encoded: string): number => Math.floor((encoded.replace(/=+$/, '').length - 3) * 0.75) - 4;

async function load(address: string, signal: AbortSignal) {
  const [record, node, token] = await Promise.all([
    orNothing(read('/middleware/contracts/transactions/creation/address/{address}', { address }, signal)),
    orNothing(readNode(`/v2/contracts/${encodeURIComponent(address)}`, signal)),
    orNothing(read('/middleware/tokens/{contract}', { contract: address }, signal)),
  ]);
  const creation = record?.body;
  const terms = node ?? creation?.tx;
  return {
    creation,
    owner: (node?.['owner_id'] ?? creation?.tx['owner_id']) as string | undefined,
    code: creation?.tx['code'] as string | undefined,
    terms,
    token: token?.body,
  };
}

const COLUMNS = [
  { title: 'State' },
  { title: 'Call and result', fill: true },
  { title: 'By' },
  { title: 'Amount', number: true, isCoins: true },
  { title: 'Gas', number: true },
  { title: 'Generation', number: true },
  { title: 'Transaction' },
];

function Calls({ route }: { route: Route }) {
  const address = route.subject;
  const page = pageNumber(route);
  const { loaded, bar } = useLiveList(
    (signal) => newestCalls(address, page, signal),
    [address, page],
    'call',
    mentions(address),
  );
  return (
    <Card title="Calls" more={loaded.state === 'loaded' && `${integer(loaded.value.total)} in all, newest first`}>
      <Shown of={loaded} bones={<BoneRows columns={COLUMNS} />}>
        {({ rows, total }) => (
          <>
            {page === 1 && bar}
            {rows.length === 0 && <Empty title="Nobody has called this contract yet.">New calls are shown here.</Empty>}
            {rows.length > 0 && (
              <Table label="Calls" columns={COLUMNS}>
                {rows.map((row) => (
                  <CallRow key={row.hash} of={row} />
                ))}
              </Table>
            )}
            <Pages route={route} total={total} rows={rows.length} />
          </>
        )}
      </Shown>
    </Card>
  );
}

const CALLS = '/middleware/contracts/calls/address/{address}';
const TRANSACTIONS = '/middleware/contracts/transactions/address/{address}';

/** Calls of the page, with what is decoded of them. A call may never be decoded: then only its transaction says what it is. */
async function newestCalls(address: string, page: number, signal: AbortSignal) {
  const listed = await newest(page, async (number) => {
    const { body, total = 0 } = await read(TRANSACTIONS, { address, limit: PER_PAGE, page: number }, signal);
    return { rows: body.transactions, total };
  });
  const decoded = await newest(page, async (number) => {
    const { body, total = 0 } = await read(CALLS, { address, limit: PER_PAGE, page: number }, signal);
    return { rows: body, total };
  });
  const byHash = new Map(decoded.rows.map((call) => [call.transaction_id, call]));
  return { rows: listed.rows.map((row) => ({ ...row, decoded: byHash.get(row.hash) })), total: listed.total };
}

/** The API lists the oldest first. A page from the other end is part of at most two of its pages. */
async function newest<One>(page: number, at: (number: number) => Promise<{ rows: readonly One[]; total: number }>) {
  const { rows: first, total } = await at(1);
  const end = Math.max(0, total - (page - 1) * PER_PAGE);
  const start = Math.max(0, end - PER_PAGE);
  const from = Math.floor(start / PER_PAGE);
  const to = Math.max(from, Math.ceil(end / PER_PAGE) - 1);
  const numbers = from === to ? [from] : [from, to];
  const pages = await Promise.all(numbers.map(async (number) => (number === 0 ? first : (await at(number + 1)).rows)));
  const offset = from * PER_PAGE;
  return {
    rows: pages
      .flat()
      .slice(start - offset, end - offset)
      .reverse(),
    total,
  };
}

type Row = Awaited<ReturnType<typeof newestCalls>>['rows'][number];

function CallRow({ of: { hash, block_height, tx: whole, outcome: listed, decoded } }: { of: Row }) {
  const tx = innermost(whole);
  const { from, amount } = partiesOf(tx);
  const result = decoded?.result ?? null;
  const outcome = (decoded?.callinfo?.return_type as Outcome | undefined) ?? listed;
  const reason = result === null ? undefined : reasonIn(result);
  const used = decoded?.callinfo?.['gas_used'] as Integer | undefined;
  const limit = tx['gas'] as Integer | undefined;
  return (
    <tr>
      <td class="c">
        <Mark of={outcome} type={tx.type} opens={hash} />
      </td>
      <td class="a fill">
        {decoded === undefined ? <RawCall of={tx} /> : <Call of={decoded.arguments} />}
        {result !== null && (outcome === 'ok' || reason === undefined) && (
          <>
            {' → '}
            <Result of={result} />
          </>
        )}{' '}
        <RowBadge of={outcome} reason={reason} />
      </td>
      <td>{from !== undefined && <Party of={from} />}</td>
      <td class="n b">{amount !== undefined && <Num aettos={amount} />}</td>
      <td class="n quiet">{used === undefined ? limit !== undefined && <>≤ {integer(limit)}</> : integer(used)}</td>
      <td class="n e quiet">
        <InGeneration blockHeight={block_height} />
      </td>
      <td class="quiet" data-opens>
        <Id id={hash} short />
      </td>
    </tr>
  );
}

/** What a call that is not decoded says by itself: the hash of the function, or how much data it has. */
function RawCall({ of }: { of: Tx }) {
  if (of.type !== 'ContractCallTx') return <span class="quiet">the contract was made</span>;
  const data = bytesIn(String(of['call_data']));
  const hash = data === undefined ? undefined : functionHashIn(data);
  return (
    <code class="data">
      {hash === undefined ? (
        <span class="quiet">{data === undefined ? 'no data' : `${bytes(data.length)} of data`}</span>
      ) : (
        <>
          <b>function {hash}</b> <span class="quiet">{bytes(data!.length)} of data, not decoded</span>
        </>
      )}
    </code>
  );
}
