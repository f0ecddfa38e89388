import { orNothing, read, readNode } from '../api.js';
import type { Route } from '../address.js';
import { bytes, integer } from '../format.js';
import type { Integer } from '../json.js';
import { Copy } from '../parts/copy.js';
import { Head } from '../parts/card.js';
import { Amount } from '../parts/amount.js';
import { Call, Result } from '../parts/data.js';
import { PER_PAGE, Pages, pageNumber } from '../parts/pages.js';
import { Shown, useRead } from '../parts/read.js';
import { Fact, Facts, Height, Id, Members } from '../parts/values.js';

export function ContractPage({ route }: { route: Route }) {
  const address = route.subject;
  const loaded = useRead((signal) => load(address, signal), [address]);
  return (
    <>
      <Head title="Contract" id={address} />
      <Shown of={loaded}>
        {({ creation, owner, code, terms }) => (
          <>
            {creation === undefined && owner === undefined && (
              <p class="note">No transaction of the chain created this contract, and the node does not know it.</p>
            )}
            <Facts>
              {owner !== undefined && (
                <Fact name="Owner">
                  <Id id={owner} />
                </Fact>
              )}
              {creation === undefined && owner !== undefined && (
                <Fact name="Created">by another contract, within a call</Fact>
              )}
              {creation !== undefined && (
                <>
                  <Fact name="Created in">
                    <Id id={creation.hash} />
                  </Fact>
                  <Fact name="Generation">
                    <Height height={creation.block_height} />
                  </Fact>
                </>
              )}
              {terms !== undefined && (
                <>
                  <Fact name="Deposit">
                    <Amount aettos={(terms['deposit'] as Integer | undefined) ?? 0} copy />
                  </Fact>
                  <Fact name="Virtual machine">
                    version {String(terms['vm_version'])}, ABI {String(terms['abi_version'])}
                  </Fact>
                </>
              )}
              {code !== undefined && (
                <Fact name="Code">
                  {bytes(sizeOf(code))} <Copy text={code} what="code" />
                </Fact>
              )}
            </Facts>
            {creation !== undefined && (
              <details>
                <summary>Creation, with code</summary>
                <Members of={creation.tx} />
              </details>
            )}
          </>
        )}
      </Shown>
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

function Calls({ route }: { route: Route }) {
  const address = route.subject;
  const page = pageNumber(route);
  const loaded = useRead(
    (signal) => read('/middleware/contracts/calls/address/{address}', { address, limit: PER_PAGE, page }, signal),
    [address, page],
  );
  return (
    <section>
      <h2>Calls</h2>
      <Shown of={loaded}>
        {({ body, total }) => (
          <>
            {total !== undefined && total > 0 && <p class="quiet">{integer(total)} in all, oldest first</p>}
            {body.length === 0 && <p class="note">There are no decoded calls of this contract.</p>}
            {body.map(({ transaction_id, caller_id, arguments: call, callinfo, result }) => (
              <article key={transaction_id} class="card in">
                <p>
                  <Call of={call} />
                  {result !== null && (
                    <>
                      {' → '}
                      <Result of={result} />
                    </>
                  )}
                </p>
                <p class="quiet line">
                  {callinfo !== null && callinfo.return_type !== 'ok' && (
                    <strong class="failed">{callinfo.return_type === 'revert' ? 'reverted' : 'failed'}</strong>
                  )}
                  <Id id={transaction_id} short />
                  <span>
                    by <Id id={caller_id} short />
                  </span>
                  {callinfo !== null && (
                    <>
                      <span>
                        in <Height height={callinfo['height'] as Integer} />
                      </span>
                      <span>{integer(callinfo['gas_used'] as Integer)} gas</span>
                    </>
                  )}
                </p>
              </article>
            ))}
            <Pages route={route} total={total} rows={body.length} />
          </>
        )}
      </Shown>
    </section>
  );
}
