/** Contracts, oracles and channels: what made them and what happened with them. */
import { read } from '../api.js';
import type { Place } from '../address.js';
import { PER_PAGE, Pages, pageNumber } from '../parts/pages.js';
import { Shown, useRead } from '../parts/read.js';
import { Transactions } from '../parts/transactions.js';
import { Copy, Fact, Facts, Height, Id, Members, Time, Value } from '../parts/values.js';

const Title = ({ kind, id }: { kind: string; id: string }) => (
  <>
    <h1>{kind}</h1>
    <p class="wrap">
      <code>{id}</code> <Copy text={id} what="identifier" />
    </p>
  </>
);

export function ContractPage({ place }: { place: Place }) {
  const address = place.of;
  const page = pageNumber(place);
  const creation = useRead(
    (signal) => read('/middleware/contracts/transactions/creation/address/{address}', { address }, signal),
    [address],
  );
  const calls = useRead(
    (signal) => read('/middleware/contracts/calls/address/{address}', { address, limit: PER_PAGE, page }, signal),
    [address, page],
  );
  return (
    <>
      <Title kind="Contract" id={address} />
      <Shown
        of={creation}
        missing="No transaction of the chain made it by itself: it does not exist, or another contract made it."
      >
        {({ body }) => (
          <>
            <Facts>
              <Fact name="Made by">
                <Id id={body.hash} />
              </Fact>
              <Fact name="In generation">
                <Height height={body.block_height} />
              </Fact>
            </Facts>
            <details>
              <summary>Creation, with code</summary>
              <Members of={body.tx} />
            </details>
          </>
        )}
      </Shown>
      <h2>Calls</h2>
      <Shown of={calls} missing="Nobody called it yet.">
        {({ body, total }) => (
          <>
            {body.length === 0 && <p class="note">Nobody called it yet.</p>}
            {body.map((call) => (
              <article key={call.transaction_id} class="card">
                <Facts>
                  <Fact name="Transaction">
                    <Id id={call.transaction_id} short />
                  </Fact>
                  <Fact name="Caller">
                    <Id id={call.caller_id} short />
                  </Fact>
                  <Fact name="Call">
                    <Value name="call" value={call.arguments} />
                  </Fact>
                  <Fact name="Result">
                    <Value name="result" value={call.result} />
                  </Fact>
                </Facts>
              </article>
            ))}
            <Pages place={place} total={total} rows={body.length} />
          </>
        )}
      </Shown>
    </>
  );
}

export function OraclePage({ place }: { place: Place }) {
  const oracle = place.of;
  const page = pageNumber(place);
  const loaded = useRead(
    (signal) => read('/middleware/oracles/{oracle}', { oracle, limit: PER_PAGE, page }, signal),
    [oracle, page],
  );
  return (
    <>
      <Title kind="Oracle" id={oracle} />
      <p>
        It belongs to <Id id={oracle.replace(/^ok_/, 'ak_')} />
      </p>
      <h2>Questions and answers</h2>
      <Shown of={loaded}>
        {({ body, total }) => (
          <>
            {body.length === 0 && <p class="note">Nobody asked it yet.</p>}
            {body.map(({ query_id, request, response }) => (
              <article key={query_id} class="card">
                <Facts>
                  <Fact name="Question">“{String(request['query'])}”</Fact>
                  <Fact name="Asked by">
                    <Id id={String(request['sender_id'])} short /> <Time time={Number(request['timestamp'])} />
                  </Fact>
                  <Fact name="Answer">
                    {response == null ? (
                      <span class="quiet">none yet</span>
                    ) : (
                      `“${String((response as Record<string, unknown>)['response'])}”`
                    )}
                  </Fact>
                </Facts>
              </article>
            ))}
            <Pages place={place} total={total} rows={body.length} />
          </>
        )}
      </Shown>
    </>
  );
}

export function ChannelPage({ place }: { place: Place }) {
  const address = place.of;
  const page = pageNumber(place);
  const loaded = useRead(
    (signal) => read('/middleware/channels/transactions/address/{address}', { address, limit: PER_PAGE, page }, signal),
    [address, page],
  );
  return (
    <>
      <Title kind="Channel" id={address} />
      <h2>Transactions on the chain</h2>
      <Shown of={loaded} missing="The chain has no channel of this identifier.">
        {({ body, total }) => (
          <>
            <Transactions rows={body.transactions} empty="There are none." />
            <Pages place={place} total={total} rows={body.transactions.length} />
          </>
        )}
      </Shown>
    </>
  );
}
