import { orNothing, read } from '../api.js';
import type { Route } from '../address.js';
import { bytes, duration, integer } from '../format.js';
import { Amount } from '../parts/amount.js';
import { Card, Empty, Figure, Figures, Head } from '../parts/card.js';
import { byKind, withTimes } from '../parts/figures.js';
import { useGenerationOf, useHead, useTimeOf } from '../parts/head.js';
import { Lost } from '../parts/lost.js';
import { useLiveList, useLiveRead } from '../parts/live-read.js';
import { KINDS, KIND_NAMES, Badge } from '../parts/marks.js';
import { Pages, pageNumber } from '../parts/pages.js';
import { Party } from '../parts/party.js';
import { Shown, isUnknown } from '../parts/read.js';
import { ReorgNote } from '../parts/reorg.js';
import { TransactionBones, Transactions } from '../parts/transactions.js';
import { Fact, Facts, Id, Members, Time } from '../parts/values.js';
import { useNow } from '../parts/now.js';

const ROWS = 50;

export function GenerationPage({ route }: { route: Route }) {
  const of = route.subject;
  const height = Number(of);
  const page = pageNumber(route);
  const generationOf = useGenerationOf();
  const loaded = useLiveRead(
    (signal) => load(of, signal),
    [of],
    ({ kind, payload }) =>
      (kind === 'key_blocks' && Number(payload.height) === height) ||
      (kind === 'micro_blocks' && generationOf(payload.height) === height),
  );
  const { loaded: listed, bar } = useLiveList(
    (signal) => read('/middleware/transactions/interval/{from}/{to}', { from: of, to: of, limit: ROWS, page }, signal),
    [of, page],
    'transaction',
    (placed) => generationOf(placed.block_height) === height,
  );
  const head = useHead()?.height;
  const time = useTimeOf(/^\d+$/.test(of) ? height : 0);
  if (isUnknown(loaded))
    return (
      <Lost
        title={time === undefined ? `There is no generation ${of}` : `Generation ${integer(of)} is not there yet`}
        state={time === undefined ? 'Not found' : 'Not yet'}
        ways={
          time === undefined || head === undefined
            ? []
            : [{ text: `Look at generation ${integer(head)}, the newest`, address: `#/generation/${head}` }]
        }
      >
        {time === undefined
          ? 'The chain has no generation of this height.'
          : `It comes ${time}. This page shows it then.`}
      </Lost>
    );
  return (
    <>
      <div class="headrow">
        <Head
          eyebrow={
            <>
              Generation {head === height && <Badge tone="wait">Open</Badge>}
              {loaded.state === 'loaded' && <Made time={Number(loaded.value.generation.key_block.time)} />}
            </>
          }
          title={/^\d+$/.test(of) ? integer(of) : of}
          id={loaded.state === 'loaded' ? loaded.value.generation.key_block.hash : undefined}
        />
        <nav class="seg" aria-label="Previous and next generation">
          {height > 0 && (
            <a href={`#/generation/${height - 1}`} rel="prev">
              ← {integer(height - 1)}
            </a>
          )}
          {head !== undefined && height < head && (
            <a href={`#/generation/${height + 1}`} rel="next">
              {integer(height + 1)} →
            </a>
          )}
          {head === height && <span aria-current="true">newest</span>}
        </nav>
      </div>
      <ReorgNote touches={(reorg) => height >= reorg.height}>This generation is shown as it is now.</ReorgNote>
      <Shown of={loaded}>
        {({ generation, figures, reward }) => (
          <>
            <Figures>
              <Figure name="Transactions">{integer(figures.transactions)}</Figure>
              <Figure name="Micro blocks">{integer(figures.micro_blocks.length)}</Figure>
              <Figure name="Fees">
                <Amount aettos={figures.fees} />
              </Figure>
              {reward !== undefined && (
                <Figure name="Reward">
                  <Amount aettos={reward.total} />
                </Figure>
              )}
              <Figure name="Size">{bytes(Number(figures.size))}</Figure>
            </Figures>
            <Card title="Transactions" more={<Kinds of={figures.micro_blocks} />}>
              <Shown of={listed} bones={<TransactionBones />}>
                {({ body: { transactions }, total }) => (
                  <>
                    {page === 1 && bar}
                    <Transactions
                      rows={withTimes(transactions, figures.micro_blocks)}
                      empty={<Empty title="This generation has no transactions." />}
                      headOf={(hash) => <MicroBlockHead of={figures.micro_blocks} hash={hash} />}
                    />
                    <Pages route={route} total={total} rows={transactions.length} perPage={ROWS} />
                  </>
                )}
              </Shown>
            </Card>
            <div class="gap" />
            <div class="halves">
              <Card title="Key block">
                <div class="in">
                  <Facts>
                    <Fact name="Beneficiary">
                      <Party of={generation.key_block.beneficiary} />
                    </Fact>
                    {reward !== undefined && (
                      <Fact name="Reward">
                        <Amount aettos={reward.coinbase} /> + <Amount aettos={reward.fees} /> of the fees
                      </Fact>
                    )}
                    <Fact name="After">
                      <Id id={generation.key_block.prev_key_hash} short />
                    </Fact>
                    <Fact name="Time">
                      <Time time={generation.key_block.time} />
                    </Fact>
                  </Facts>
                </div>
              </Card>
              <div class="card">
                <details>
                  <summary>
                    Hashes and proof of work <span class="quiet">all members of the key block</span>
                  </summary>
                  <div class="in">
                    <Members of={{ ...generation.key_block, pow: generation.key_block.pow?.join(', ') }} />
                  </div>
                </details>
                <details>
                  <summary>
                    Micro blocks <span class="quiet">{integer(generation.micro_blocks.length)}</span>
                  </summary>
                  <ol class="in">
                    {generation.micro_blocks.map((hash) => (
                      <li key={hash}>
                        <Id id={hash} />
                      </li>
                    ))}
                  </ol>
                </details>
              </div>
            </div>
          </>
        )}
      </Shown>
    </>
  );
}

function Made({ time }: { time: number }) {
  const now = useNow();
  return (
    <span>
      <Time time={time} />, {duration(now - time)} ago
    </span>
  );
}

async function load(height: string, signal: AbortSignal) {
  const [{ body: generation }, { body: figures }, reward] = await Promise.all([
    read('/v2/generations/height/{height}', { height }, signal),
    read('/middleware/figures/generations/{from}/{to}', { from: height, to: height }, signal),
    orNothing(read('/middleware/reward/height/{height}', { height }, signal)),
  ]);
  return { generation, figures: figures[0] ?? EMPTY, reward: reward?.body };
}

type MicroBlock = { hash: string; time: number | bigint; transactions: number | bigint; fees: string };

/** Of a generation that is being loaded. */
const EMPTY = { transactions: 0, size: 0, fees: '0', micro_blocks: [] };

function MicroBlockHead({ of, hash }: { of: readonly MicroBlock[]; hash: string }) {
  const at = of.findIndex((block) => block.hash === hash);
  const block = of[at];
  if (block === undefined) return <Id id={hash} short />;
  return (
    <span class="ends">
      <span>
        <b>Micro block {integer(at + 1)}</b> <Id id={hash} short /> {integer(block.transactions)}{' '}
        {block.transactions === 1 ? 'transaction' : 'transactions'}
      </span>
      <span>
        <Amount aettos={block.fees} />{' '}
        <span class="notphone">{new Date(Number(block.time)).toISOString().slice(11, 19)}</span>
      </span>
    </span>
  );
}

/** How many transactions there are of each kind. */
function Kinds({ of }: { of: readonly { types: Record<string, number | bigint> }[] }) {
  const sums = of.map(({ types }) => byKind(types));
  return (
    <span class="legend">
      {KINDS.map((kind) => [kind, sums.reduce((sum, one) => sum + one[kind], 0)] as const)
        .filter(([, count]) => count > 0)
        .map(([kind, count]) => (
          <span key={kind} class={`type ${kind}`}>
            {KIND_NAMES[kind]} {integer(count)}
          </span>
        ))}
    </span>
  );
}
