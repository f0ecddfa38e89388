import { orNothing, read, readNode } from '../api.js';
import type { Route } from '../address.js';
import { integer } from '../format.js';
import type { Integer } from '../json.js';
import { Card, Empty, Head } from '../parts/card.js';
import { Amount } from '../parts/amount.js';
import { Step, act, innermost } from '../parts/life.js';
import type { Tx } from '../parts/life.js';
import { mentions, ofTransaction, useLiveRead } from '../parts/live-read.js';
import { PER_PAGE, Pages, pageNumber } from '../parts/pages.js';
import { Lost, titleOfMissing } from '../parts/lost.js';
import { Shown } from '../parts/read.js';
import { Height, useGenerationOf } from '../parts/head.js';
import { Fact, Facts, Id } from '../parts/values.js';

const PATH = '/middleware/channels/transactions/address/{address}';

export function ChannelPage({ route }: { route: Route }) {
  const address = route.subject;
  const page = pageNumber(route);
  const touches = ofTransaction(mentions(address));
  const creation = useLiveRead((signal) => load(address, signal), [address], touches);
  const life = useLiveRead(
    (signal) => read(PATH, { address, limit: PER_PAGE, page }, signal),
    [address, page],
    touches,
  );
  if (creation.state === 'loaded' && creation.value.created === undefined)
    return (
      <Lost title={titleOfMissing('channel')} id={address}>
        The identifier is well formed, but no transaction of the chain created a channel of it.
      </Lost>
    );
  return (
    <>
      <Head title="Channel" id={address} />
      <Shown of={creation}>
        {({ created, state, node }) =>
          created !== undefined && (
            <Card title="Channel">
              <div class="in">
                <Facts>
                  <Fact name="State">{state}</Fact>
                  <Fact name="Initiator">
                    <Id id={String(created['initiator_id'])} /> with{' '}
                    <Amount aettos={created['initiator_amount'] as Integer} />
                  </Fact>
                  <Fact name="Responder">
                    <Id id={String(created['responder_id'])} /> with{' '}
                    <Amount aettos={created['responder_amount'] as Integer} />
                  </Fact>
                  <Fact name="Reserve of each">
                    <Amount aettos={created['channel_reserve'] as Integer} copy />
                  </Fact>
                  <Fact name="Lock period">{integer(created['lock_period'] as Integer)} generations</Fact>
                  {node !== undefined && (
                    <>
                      <Fact name="Coins in it now">
                        <Amount aettos={node['channel_amount'] as Integer} copy />
                      </Fact>
                      <Fact name="Round on the chain">{integer(node['round'] as Integer)}</Fact>
                      {Number(node['locked_until']) > 0 && (
                        <Fact name="Closes after">
                          generation <Height height={node['locked_until'] as Integer} />
                        </Fact>
                      )}
                    </>
                  )}
                </Facts>
              </div>
            </Card>
          )
        }
      </Shown>
      <div class="gap" />
      <Card title="History">
        <Shown of={life}>
          {({ body, total }) => (
            <>
              {body.transactions.length === 0 && <Empty title="The chain has no transactions of this channel." />}
              <ol class="life in">
                {body.transactions.map(({ hash, block_height, tx }) => (
                  <HistoryEntry key={hash} hash={hash} height={block_height} whole={tx as Tx} />
                ))}
              </ol>
              <Pages route={route} total={total} rows={body.transactions.length} />
            </>
          )}
        </Shown>
      </Card>
    </>
  );
}

const SHOWN_MEMBERS = ['amount', 'initiator_amount_final', 'responder_amount_final', 'round'];

function HistoryEntry({ hash, height, whole }: { hash: string; height: Integer; whole: Tx }) {
  const tx = innermost(whole);
  return (
    <Step height={useGenerationOf()(height)} title={act(tx)} hash={hash} by={tx['from_id'] ?? tx['to_id']}>
      {SHOWN_MEMBERS.filter((member) => tx[member] !== undefined).map((member) => (
        <span key={member} class="quiet">
          {LABELS[member]}{' '}
          {member === 'round' ? integer(tx[member] as Integer) : <Amount aettos={tx[member] as Integer} />}{' '}
        </span>
      ))}
    </Step>
  );
}

const LABELS: Record<string, string> = {
  amount: '',
  initiator_amount_final: 'to the initiator',
  responder_amount_final: 'to the responder',
  round: 'round',
};

async function load(address: string, signal: AbortSignal) {
  const [first, node] = await Promise.all([
    read(PATH, { address, limit: 1, page: 1 }, signal),
    orNothing(readNode(`/v2/channels/${encodeURIComponent(address)}`, signal)),
  ]);
  const { total = 1 } = first;
  const last = total > 1 ? await read(PATH, { address, limit: 1, page: total }, signal) : first;
  const of = (list: typeof first): Tx | undefined => {
    const [one] = list.body.transactions;
    return one && innermost(one.tx);
  };
  return { created: of(first), node, state: stateOf(of(last)?.type ?? '', node) };
}

const CLOSED = ['ChannelCloseMutualTx', 'ChannelSettleTx'];
const CLOSING = ['ChannelCloseSoloTx', 'ChannelSlashTx'];

function stateOf(lastType: string, node: Record<string, unknown> | undefined): string {
  if (CLOSED.includes(lastType)) return 'closed';
  const isClosing = node === undefined ? CLOSING.includes(lastType) : Number(node['locked_until']) > 0;
  return isClosing ? 'closing: one party alone closes it' : 'open';
}
