import { orNothing, read, readNode } from '../api.js';
import type { Route } from '../address.js';
import { integer } from '../format.js';
import type { Integer } from '../json.js';
import { Card, Empty, Head } from '../parts/card.js';
import { Amount } from '../parts/amount.js';
import { mentions, mentionsAccount, ofTransaction, useLiveList, useLiveRead } from '../parts/live-read.js';
import { PER_PAGE, Pages, pageNumber } from '../parts/pages.js';
import { Party } from '../parts/party.js';
import { Lost, titleOfMissing } from '../parts/lost.js';
import { Shown } from '../parts/read.js';
import { Height, InGeneration } from '../parts/head.js';
import { Fact, Facts, Id, Time } from '../parts/values.js';

export function OraclePage({ route }: { route: Route }) {
  const oracle = route.subject;
  const account = oracle.replace(/^ok_/, 'ak_');
  // The registration names only the account.
  const touches = ofTransaction(mentionsAccount(account));
  const loaded = useLiveRead((signal) => load(oracle, account, signal), [oracle], touches);
  if (loaded.state === 'loaded' && loaded.value.node === undefined && loaded.value.registration === undefined)
    return (
      <Lost
        title={titleOfMissing('oracle')}
        id={oracle}
        ways={[{ text: 'Look at the account of this key', address: `#/account/${account}` }]}
      >
        The identifier is well formed, but no transaction registered this oracle, and the node does not know it.
      </Lost>
    );
  return (
    <>
      <Head title="Oracle" id={oracle} />
      <Shown of={loaded}>
        {({ node, registration, extensions, height }) => {
          const terms = node ?? registration?.tx;
          return (
            <>
              <Card title="Oracle">
                <div class="in">
                  <Facts>
                    <Fact name="Belongs to">
                      <Id id={account} />
                    </Fact>
                    {registration !== undefined && (
                      <Fact name="Registered in">
                        <Id id={registration.hash} short /> in <InGeneration blockHeight={registration.block_height} />
                      </Fact>
                    )}
                    {extensions > 0 && <Fact name="Extended">{integer(extensions)} times</Fact>}
                    {node !== undefined && (
                      <Fact name={height > Number(node['ttl']) ? 'Expired in generation' : 'Expires'}>
                        <Height height={node['ttl'] as Integer} />
                      </Fact>
                    )}
                    {node === undefined && registration !== undefined && (
                      <Fact name="State">expired, or the node does not answer</Fact>
                    )}
                    {terms !== undefined && (
                      <>
                        <Fact name="Fee of a query">
                          <Amount aettos={terms['query_fee'] as Integer} copy />
                        </Fact>
                        <Fact name="Format of queries">
                          <code>{String(terms['query_format'])}</code>
                        </Fact>
                        <Fact name="Format of responses">
                          <code>{String(terms['response_format'])}</code>
                        </Fact>
                      </>
                    )}
                  </Facts>
                </div>
              </Card>
            </>
          );
        }}
      </Shown>
      <div class="gap" />
      <Queries route={route} />
    </>
  );
}

async function load(oracle: string, account: string, signal: AbortSignal) {
  const path = '/middleware/transactions/account/{account}';
  const values = { account, limit: 1, page: 1 };
  const [node, registrations, extensions] = await Promise.all([
    orNothing(readNode(`/v2/oracles/${encodeURIComponent(oracle)}`, signal)),
    read(path, { ...values, txtype: 'OracleRegisterTx' }, signal),
    read(`${path}/count`, { account, txtype: 'OracleExtendTx' }, signal),
  ]);
  const { body, height = 0 } = registrations;
  return { node, registration: body[0], extensions: Number(extensions.body.count), height };
}

type Member = Record<string, unknown>;

function Queries({ route }: { route: Route }) {
  const oracle = route.subject;
  const page = pageNumber(route);
  const { loaded, bar } = useLiveList(
    (signal) => read('/middleware/oracles/{oracle}', { oracle, limit: PER_PAGE, page }, signal),
    [oracle, page],
    'message',
    mentions(oracle),
  );
  return (
    <Card
      title="Queries and responses"
      more={
        loaded.state === 'loaded' &&
        loaded.value.total !== undefined &&
        `${integer(loaded.value.total)} in all, newest first`
      }
    >
      <Shown of={loaded}>
        {({ body, total }) => (
          <>
            {page === 1 && bar}
            {body.length === 0 && <Empty title="There are no queries yet.">New ones are shown here.</Empty>}
            {body.map(({ query_id, request, response }) => (
              <article key={query_id} class="in">
                <p class="said">{String((request as Member)['query'])}</p>
                <p class="quiet line">
                  <Said by={String((request as Member)['sender_id'])} of={request as Member} />
                  <span>
                    for <Amount aettos={(request as Member)['query_fee'] as Integer} />
                  </span>
                </p>
                {response == null ? (
                  <p class="quiet said">not answered</p>
                ) : (
                  <>
                    <p class="said">→ {String((response as Member)['response'])}</p>
                    <p class="quiet line">
                      <Said of={response as Member} />
                    </p>
                  </>
                )}
              </article>
            ))}
            <Pages route={route} total={total} rows={body.length} />
          </>
        )}
      </Shown>
    </Card>
  );
}

/** Time, transaction and, unless it is the oracle itself, sender. */
const Said = ({ of, by }: { of: Member; by?: string }) => (
  <>
    <Time time={of['timestamp'] as Integer} />
    <Id id={String(of['hash'])} short />
    {by !== undefined && (
      <span>
        by <Party of={by} />
      </span>
    )}
  </>
);
