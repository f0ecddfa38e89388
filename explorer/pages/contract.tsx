import { orNothing, read, readNode } from '../api.js';
import type { Route } from '../address.js';
import { bytes, integer } from '../format.js';
import type { Integer } from '../json.js';
import { Copy } from '../parts/copy.js';
import { Card, Empty, Figure, Figures, Head, Note } from '../parts/card.js';
import { Amount } from '../parts/amount.js';
import { Call, Result, reasonIn } from '../parts/data.js';
import { mentions, useLiveList } from '../parts/live-read.js';
import { Mark, RowBadge } from '../parts/marks.js';
import type { Outcome } from '../parts/marks.js';
import { PER_PAGE, Pages, pageNumber } from '../parts/pages.js';
import { Shown, useRead } from '../parts/read.js';
import { InGeneration } from '../parts/head.js';
import { Table } from '../parts/table.js';
import { Id, Members } from '../parts/values.js';

export function ContractPage({ route }: { route: Route }) {
  const address = route.subject;
  const loaded = useRead((signal) => load(address, signal), [address]);
  return (
    <>
      <Head eyebrow="Contract" title="Contract" id={address} />
      <Shown of={loaded}>
        {({ creation, owner, code, terms }) => (
          <>
            {creation === undefined && owner === undefined && (
              <Note>No transaction of the chain created this contract, and the node does not know it.</Note>
            )}
            {owner !== undefined && (
              <Figures>
                <Figure name="Owner">
                  <small>
                    <Id id={owner} short />
                  </small>
                </Figure>
                <Figure name="Made in generation">
                  {creation === undefined ? (
                    <small>by another contract, within a call</small>
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
      <Calls route={route} />
    </>
  );
}

/** Number of bytes in base64 text, without its prefix and its checksum of four bytes. */
const sizeOf = (encoded: string): number => Math.floor((encoded.replace(/=+$/, '').length - 3) * 0.75) - 4;

async function load(address: string, signal: AbortSignal) {
  const [record, node] = await Promise.all([
    orNothing(read('/middleware/contracts/transactions/creation/address/{address}', { address }, signal)),
    orNothing(readNode(`/v2/contracts/${encodeURIComponent(address)}`, signal)),
  ]);
  const creation = record?.body;
  const terms = node ?? creation?.tx;
  return {
    creation,
    owner: (node?.['owner_id'] ?? creation?.tx['owner_id']) as string | undefined,
    code: creation?.tx['code'] as string | undefined,
    terms,
  };
}

const COLUMNS = [
  { title: 'State' },
  { title: 'Call and result', fill: true },
  { title: 'By' },
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
      <Shown of={loaded}>
        {({ rows, total }) => (
          <>
            {page === 1 && bar}
            {rows.length === 0 && <Empty>There are no decoded calls of this contract.</Empty>}
            {rows.length > 0 && (
              <Table label="Calls" columns={COLUMNS}>
                {rows.map((row) => (
                  <CallRow key={row.transaction_id} of={row} />
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

/** The API lists the oldest calls first. A page from the other end is part of at most two of its pages. */
async function newestCalls(address: string, page: number, signal: AbortSignal) {
  const { body: first, total = 0 } = await read(CALLS, { address, limit: PER_PAGE, page: 1 }, signal);
  const end = Math.max(0, total - (page - 1) * PER_PAGE);
  const start = Math.max(0, end - PER_PAGE);
  const from = Math.floor(start / PER_PAGE);
  const to = Math.max(from, Math.ceil(end / PER_PAGE) - 1);
  const numbers = from === to ? [from] : [from, to];
  const pages = await Promise.all(
    numbers.map(async (number) =>
      number === 0 ? first : (await read(CALLS, { address, limit: PER_PAGE, page: number + 1 }, signal)).body,
    ),
  );
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

const OUTCOMES: Record<string, Outcome> = { ok: 'ok', revert: 'revert', error: 'error' };

function CallRow({ of: { transaction_id, caller_id, arguments: call, callinfo, result } }: { of: Row }) {
  const outcome = OUTCOMES[callinfo?.return_type ?? ''] ?? 'unknown';
  const reason = result === null ? undefined : reasonIn(result);
  return (
    <tr>
      <td class="c">
        <Mark of={outcome} type="ContractCallTx" />
      </td>
      <td class="a fill">
        <Call of={call} />
        {result !== null && (outcome === 'ok' || reason === undefined) && (
          <>
            {' → '}
            <Result of={result} />
          </>
        )}{' '}
        <RowBadge of={outcome} reason={reason} />
      </td>
      <td>
        <Id id={caller_id} short />
      </td>
      <td class="n b">{callinfo !== null && integer(callinfo['gas_used'] as Integer)}</td>
      <td class="n e quiet">{callinfo !== null && <InGeneration blockHeight={callinfo['height'] as Integer} />}</td>
      <td class="quiet">
        <Id id={transaction_id} short />
      </td>
    </tr>
  );
}
