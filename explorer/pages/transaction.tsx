import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Refusal, orNothing, read, readNode } from '../api.js';
import { pageOf } from '../address.js';
import type { Route } from '../address.js';
import { integer, moment, shortly, textIn } from '../format.js';
import { writeExactly } from '../json.js';
import type { Integer } from '../json.js';
import { movesOf } from '../moves.js';
import { outcomeOf, reasonIn } from '../outcome.js';
import { Amount } from '../parts/amount.js';
import { Card, Head } from '../parts/card.js';
import { Call, Result } from '../parts/data.js';
import { InGeneration, useGenerationOf, useHead, useTimeOf } from '../parts/head.js';
import { Icon } from '../parts/icon.js';
import { innermost, layersOf } from '../parts/life.js';
import type { Tx } from '../parts/life.js';
import { Lost, titleOfMissing } from '../parts/lost.js';
import { Badge, OutcomeBadge, Type } from '../parts/marks.js';
import { Moves } from '../parts/moves.js';
import { nameOf } from '../parts/name-of.js';
import { mentionsAccount, ofTransaction, useLiveRead } from '../parts/live-read.js';
import { useNow } from '../parts/now.js';
import { Shown, isUnknown, useRead } from '../parts/read.js';
import { ReorgNote } from '../parts/reorg.js';
import { Sentence } from '../parts/sentence.js';
import { Table } from '../parts/table.js';
import { partiesOf } from '../parts/transactions.js';
import { Age, Fact, Facts, Id, Members, NameLink, Time } from '../parts/values.js';
import { checksOf } from '../waiting.js';
import type { Check, SenderState } from '../waiting.js';

/** Types of which the page says everything above. */
const TOLD_ABOVE = ['SpendTx', 'ContractCallTx'];
/** Members that are shown elsewhere on the page. */
const HIDDEN_MEMBERS = ['type', 'version', 'tx', 'code', 'call_data', 'fee', 'gas', 'gas_price', 'nonce', 'ttl'];

type Loaded = Awaited<ReturnType<typeof load>>;

export function TransactionPage({ route: { subject: of } }: { route: Route }) {
  const loaded = useLiveRead(
    (signal) => load(of, signal),
    [of],
    ofTransaction(({ hash }) => hash === of),
  );
  /** Blocks that contained the transaction while the page was shown. */
  const blocks = useRef(new Set<string>());
  if (loaded.state === 'loaded') blocks.current.add(loaded.value.stored.block_hash);
  if (isUnknown(loaded))
    return (
      <Lost title={titleOfMissing('transaction')} id={of}>
        The hash is well formed, but the transaction is in no block of the chain and does not wait for one. If it was
        just sent, it may not have reached this node yet: this page shows it as soon as it has.
      </Lost>
    );
  return (
    <>
      {loaded.state !== 'loaded' && <Head title="Transaction" id={of} />}
      <ReorgNote touches={({ removed }) => removed.some((hash) => blocks.current.has(hash))}>
        The block of this transaction was replaced, too. The page shows where the transaction is now.
      </ReorgNote>
      <Shown of={loaded}>{(value) => <Transaction of={value} />}</Shown>
    </>
  );
}

function Transaction({ of }: { of: Loaded }) {
  const { stored, time, outcome, info, call, names } = of;
  const layers = layersOf(stored.tx);
  const tx = innermost(stored.tx);
  const failed = outcome === 'revert' || outcome === 'error';
  const hasWaited = useRef(false);
  hasWaited.current ||= outcome === 'pending';
  useTitleOfSameHeight(outcome === 'pending');
  return (
    <>
      <Head
        eyebrow={
          <>
            {outcome === 'pending' ? <WaitingBadge key={stored.hash} /> : <OutcomeBadge of={outcome} />}
            {layersOf(stored.tx).map(({ type }) => (
              <Type key={type} of={type} />
            ))}
            {time !== undefined && (
              <span>
                <Age time={time} /> · {moment(Number(time))}
              </span>
            )}
          </>
        }
        title={<Sentence tx={tx} outcome={outcome} call={call?.arguments.function} />}
        id={stored.hash}
      />
      <State of={of} />
      <div class="two">
        <div class="stack">
          {call !== undefined && (
            <Card title="The call">
              <div class="in">
                <p class="callline">
                  <Call of={call.arguments} />
                </p>
                {call.result != null && (
                  <Facts>
                    <Fact name="Returned">
                      <Result of={call.result} />
                    </Fact>
                  </Facts>
                )}
              </div>
            </Card>
          )}
          {layers.length === 1 && (
            <Moves
              title={outcome === 'pending' ? 'What will move' : 'What moved'}
              of={movesOf(tx, partiesOf(tx).from ?? '', info?.['gas_used'] as Integer | undefined, failed)}
              runsCode={tx.type === 'ContractCallTx'}
            />
          )}
          <Message of={tx} />
          {hasWaited.current && <Checks of={stored.tx} isOver={outcome !== 'pending'} />}
          <div class="card">
            {layers.map((one, depth) => (
              <details key={depth} open={layers.length > 1 || !TOLD_ABOVE.includes(one.type)}>
                <summary>
                  {depth > 0 ? 'Transaction within' : 'What it says'} <Type of={one.type} />
                </summary>
                <div class="in">
                  <Names of={namesIn(one).flatMap((id) => names.get(id) ?? [])} />
                  <Members of={one} leave={HIDDEN_MEMBERS} />
                </div>
              </details>
            ))}
            <details>
              <summary>All members, as the node returns them</summary>
              <pre class="code wrap">{writeExactly(stored)}</pre>
            </details>
            {info !== undefined && (
              <details>
                <summary>Call information</summary>
                <div class="in">
                  <Members of={info} />
                </div>
              </details>
            )}
          </div>
          {stored.block_hash !== 'none' && <Place of={stored.hash} block={stored.block_hash} />}
        </div>
        <div class="stack">
          <Cost of={of} />
          <Steps of={of} />
        </div>
      </div>
    </>
  );
}

/** The sentence of a transaction that is done is shorter. Its title keeps the height that it had before, so that nothing below moves. */
function useTitleOfSameHeight(waits: boolean): void {
  const height = useRef(0);
  useLayoutEffect(() => {
    const title = document.querySelector<HTMLElement>('main h1');
    if (title === null) return;
    if (waits) height.current = title.offsetHeight;
    else if (height.current > 0) title.style.minHeight = `${height.current}px`;
  });
}

/** Counts from when the page first showed that the transaction waits. */
function WaitingBadge() {
  const [since] = useState(Date.now);
  const now = useNow();
  return <OutcomeBadge of="pending">{now - since < 1000 ? '' : `for ${shortly(now - since)}`}</OutcomeBadge>;
}

/** What one has to know besides the badge: why it failed, or that it waits. It is announced when it changes. */
function State({ of: { outcome, info } }: { of: Loaded }) {
  const first = useRef(outcome);
  const [turned, setTurned] = useState(false);
  useEffect(() => setTurned(first.current === 'pending' && outcome !== 'pending'), [outcome]);
  if (outcome === 'pending')
    return (
      <div class="note wait" role="status">
        <Icon name="waiting" />
        <div>
          <p>
            <b>It waits for a block.</b>
          </p>
          <p>This page turns by itself when it is in one; you need not load it again.</p>
        </div>
      </div>
    );
  if (outcome === 'revert' || outcome === 'error') {
    const reason = reasonIn(info);
    return (
      <div class="note bad" role="status">
        <Icon name="failed" />
        <div>
          {reason !== undefined && (
            <p>
              <b class="wrap">{reason}</b>
            </p>
          )}
          <p>
            {outcome === 'revert' ? 'The contract aborted' : 'The virtual machine ended the call'}
            {reason !== undefined && ' with this text'}. All it had done was undone; the fee and the gas used were paid.
          </p>
        </div>
      </div>
    );
  }
  // In the place of the note that it waited: nothing moves.
  return (
    <div class={turned ? 'note' : 'skip'} role="status">
      {turned && (
        <>
          <Icon name="done" />
          <div>
            <p>
              <b>It is in a block now.</b>
            </p>
            <p>Each key block on top of it makes it harder to undo.</p>
          </div>
        </>
      )}
    </div>
  );
}

/** What may hold up a transaction that waits. Once it is in a block, the last answers stay. Left out while the node does not answer. */
function Checks({ of, isOver }: { of: Tx; isOver: boolean }) {
  const from = partiesOf(of).from?.replace(/^ok_/, 'ak_') ?? '';
  const head = useHead();
  const loaded = useLiveRead((signal) => stateOf(from, signal), [from], ofTransaction(mentionsAccount(from)));
  const last = useRef<Check[] | undefined>(undefined);
  if (!isOver && head !== undefined && loaded.state === 'loaded')
    last.current = checksOf(of, loaded.value, head.height);
  const checks = last.current;
  if (checks === undefined) return null;
  const holding = checks.filter(({ isTrue }) => !isTrue);
  return (
    <Card
      title={isOver ? 'While it waited' : 'Why it may take longer'}
      more={
        isOver
          ? undefined
          : holding.length === 0
            ? 'nothing holds it up: a next block may contain it'
            : 'this holds it up'
      }
    >
      <Table
        label="Checks"
        columns={[
          { title: 'Check', fill: true },
          { title: 'Answer', number: true },
        ]}
      >
        {checks.map(({ title, isTrue, because }) => (
          <tr key={title}>
            <td class="a fill">
              {title}
              <br />
              <span class="more">{because}</span>
            </td>
            <td class="b n">
              <Badge tone={isTrue ? 'good' : 'bad'} icon={isTrue ? 'done' : 'failed'} small>
                {isTrue ? 'Yes' : 'No'}
              </Badge>
            </td>
          </tr>
        ))}
      </Table>
    </Card>
  );
}

/** An account that the node does not know has nothing. */
async function stateOf(account: string, signal: AbortSignal): Promise<SenderState> {
  try {
    const { nonce, balance } = await readNode(`/v2/accounts/${encodeURIComponent(account)}`, signal);
    return { nonce: nonce as Integer, balance: balance as Integer };
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return { nonce: 0, balance: 0 };
    throw error;
  }
}

/** The text of a payment. */
function Message({ of }: { of: Tx }) {
  const text = typeof of['payload'] === 'string' ? textIn(of['payload']) : undefined;
  if (text === undefined) return null;
  return (
    <Card title="Message">
      <p class="in prose wrap">“{text}”</p>
    </Card>
  );
}

function Cost({ of: { stored, outcome, info } }: { of: Loaded }) {
  const tx = stored.tx as Tx;
  const inner = innermost(tx);
  const used = info?.['gas_used'] as Integer | undefined;
  const [limit, price] = [inner['gas'], inner['gas_price']] as (Integer | undefined)[];
  const ttl = Number(tx['ttl'] ?? 0);
  return (
    <Card title={outcome === 'pending' ? 'What it will cost' : 'What it cost'}>
      <div class="in">
        <Facts>
          <Fact name="Fee">
            <Amount aettos={(tx['fee'] as Integer | undefined) ?? 0} />
          </Fact>
          {used !== undefined && price !== undefined && (
            <>
              <Fact name="Gas">
                <Amount aettos={BigInt(used) * BigInt(price)} />
              </Fact>
              <div class="sum">
                <dt>Total</dt>
                <dd>
                  <Amount aettos={BigInt(used) * BigInt(price) + BigInt((tx['fee'] as Integer | undefined) ?? 0)} />
                </dd>
              </div>
            </>
          )}
          {used !== undefined && limit !== undefined && Number(limit) > 0 && (
            <Fact name="Gas used">
              {integer(used)} of {integer(limit)}
              <span class="meter call">
                <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
                  <rect width={((100 * Number(used)) / Number(limit)).toFixed(1)} height="6" />
                </svg>
              </span>
            </Fact>
          )}
          {price !== undefined && <Fact name="Gas price">{integer(price)} aettos</Fact>}
          {tx['nonce'] !== undefined && <Fact name="Nonce">{integer(tx['nonce'] as Integer)}</Fact>}
          <Fact name="Valid">{ttl === 0 ? 'at any height' : <Until height={ttl} />}</Fact>
        </Facts>
      </div>
    </Card>
  );
}

function Until({ height }: { height: number }) {
  const time = useTimeOf(height);
  return (
    <>
      until generation {integer(height)}
      {time !== undefined && `, ${time}`}
    </>
  );
}

function Steps({ of: { stored, time, outcome } }: { of: Loaded }) {
  const head = useHead();
  const generationOf = useGenerationOf();
  if (outcome === 'pending')
    return (
      <Card title="Where it stands">
        <ol class="steps in">
          <li class="now">
            <b>Waiting</b>
            <p>the node knows it</p>
          </li>
          <li class="todo">In a micro block</li>
          <li class="todo">Sealed by a key block</li>
        </ol>
      </Card>
    );
  const above = head === undefined ? undefined : head.height - generationOf(stored.block_height);
  const isFailed = outcome === 'revert' || outcome === 'error';
  return (
    <Card title="Where it stands">
      <ol class="steps in">
        <li class={isFailed ? 'bad' : undefined}>
          <b>{isFailed ? 'Ran and failed in a micro block' : 'In a micro block'}</b>
          <p>
            <Id id={stored.block_hash} />
            {time !== undefined && (
              <>
                <br />
                <Time time={time} />
              </>
            )}
          </p>
        </li>
        <li class={above === 0 ? 'todo' : undefined}>
          <b>{above === 0 ? 'Sealed by the next key block' : 'Sealed by a key block'}</b>
          <p>
            generation <InGeneration blockHeight={stored.block_height} />
          </p>
        </li>
        {above !== undefined && above > 0 && (
          <li>
            <b>
              {integer(above)} {above === 1 ? 'generation' : 'generations'} on top
            </b>
          </li>
        )}
      </ol>
    </Card>
  );
}

/** The transactions before and after it in its micro block. */
function Place({ of, block }: { of: string; block: string }) {
  const loaded = useRead(
    (signal) => orNothing(read('/v2/micro-blocks/hash/{hash}/transactions', { hash: block }, signal)),
    [block],
  );
  if (loaded.state !== 'loaded' || loaded.value === undefined) return null;
  const { transactions } = loaded.value.body;
  const at = transactions.findIndex(({ hash }) => hash === of);
  const [before, after] = [transactions[at - 1]?.hash, transactions[at + 1]?.hash];
  return (
    <nav class="card pager" aria-label="In its micro block">
      <span>
        {before !== undefined && (
          <a href={pageOf(before)} rel="prev">
            ← Place {integer(at)}
          </a>
        )}
      </span>
      <span>
        place {integer(at + 1)} of {integer(transactions.length)} in this micro block
      </span>
      <span>
        {after !== undefined && (
          <a href={pageOf(after)} rel="next">
            Place {integer(at + 2)} →
          </a>
        )}
      </span>
    </nav>
  );
}

/** The names that the transaction contains as hashes. */
function Names({ of }: { of: readonly string[] }) {
  if (of.length === 0) return null;
  return (
    <Facts>
      {of.map((name) => (
        <Fact key={name} name="Name">
          <NameLink name={name} />
        </Fact>
      ))}
    </Facts>
  );
}

const namesIn = (tx: Tx): string[] =>
  Object.values(tx).filter((value): value is string => typeof value === 'string' && value.startsWith('nm_'));

async function load(hash: string, signal: AbortSignal) {
  const { body: stored } = await read('/v2/transactions/{hash}', { hash }, signal);
  const layers = layersOf(stored.tx);
  const runsCode = layers.some(({ type }) => RUNS_CODE.test(type));
  const [time, whole, call, names] = await Promise.all([
    timeOf(stored.block_hash, signal),
    runsCode ? orNothing(readNode(`/v2/transactions/${hash}/info`, signal)) : undefined,
    layers.some(({ type }) => type === 'ContractCallTx')
      ? orNothing(read('/middleware/contracts/calls/transaction/{hash}', { hash }, signal))
      : undefined,
    Promise.all([...new Set(layers.flatMap(namesIn))].map(named)),
  ]);
  const outcome = outcomeOf(stored.block_hash, runsCode, whole);
  // Without the outer member that names its kind.
  const info = (whole?.['call_info'] ?? whole?.['ga_info'] ?? whole) as Record<string, unknown> | undefined;
  return { stored, time, outcome, info, call: call?.body, names: new Map(names.flat()) };
}

const RUNS_CODE = /^(Contract|GA)/;

async function named(id: string): Promise<[string, string][]> {
  const name = await nameOf(id);
  return name === undefined ? [] : [[id, name]];
}

async function timeOf(blockHash: string, signal: AbortSignal): Promise<Integer | undefined> {
  if (blockHash === 'none') return undefined;
  const header = await orNothing(read('/v2/micro-blocks/hash/{hash}/header', { hash: blockHash }, signal));
  return header?.body.time;
}
