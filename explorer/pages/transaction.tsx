import { useRef } from 'preact/hooks';
import { orNothing, read, readNode } from '../api.js';
import type { Route } from '../address.js';
import { typeInWords } from '../format.js';
import type { Integer } from '../json.js';
import { Head } from '../parts/card.js';
import { Call, Result } from '../parts/data.js';
import { layersOf } from '../parts/life.js';
import type { Tx } from '../parts/life.js';
import { Shown, useRead } from '../parts/read.js';
import { ReorgNote } from '../parts/reorg.js';
import { Fact, Facts, Height, Id, Members, NameLink, Time } from '../parts/values.js';

/** Members that are not shown in the list of members. */
const HIDDEN_MEMBERS = ['type', 'version', 'tx', 'code', 'call_data'];

export function TransactionPage({ route: { subject: of } }: { route: Route }) {
  const loaded = useRead((signal) => load(of, signal), [of]);
  /** Blocks that contained the transaction while the page was shown. */
  const blocks = useRef(new Set<string>());
  if (loaded.state === 'loaded') blocks.current.add(loaded.value.stored.block_hash);
  return (
    <>
      <Head title="Transaction" id={of} />
      <ReorgNote touches={({ removed }) => removed.some((hash) => blocks.current.has(hash))}>
        The block of this transaction was replaced, too. The page shows where the transaction is now.
      </ReorgNote>
      <Shown of={loaded} missing="The transaction is in no block of the chain, and does not wait for one.">
        {({ stored, time, info, call, names }) => {
          const [tx, ...inner] = layersOf(stored.tx);
          return (
            <>
              <Facts>
                <Fact name="Type">{[tx!, ...inner].map(({ type }) => typeInWords(type)).join(' › ')}</Fact>
                {stored.block_hash === 'none' ? (
                  <Fact name="Block">It waits for a block.</Fact>
                ) : (
                  <>
                    <Fact name="Generation">
                      <Height height={stored.block_height} />
                    </Fact>
                    <Fact name="Micro block">
                      <Id id={stored.block_hash} />
                    </Fact>
                  </>
                )}
                {time !== undefined && (
                  <Fact name="Time">
                    <Time time={time} />
                  </Fact>
                )}
                {call !== undefined && (
                  <Fact name="Call">
                    <Call of={call.arguments} />
                  </Fact>
                )}
                {call?.result != null && (
                  <Fact name="Returned">
                    <Result of={call.result} />
                  </Fact>
                )}
              </Facts>
              {[tx!, ...inner].map((one, depth) => (
                <section key={depth}>
                  <h2>
                    {depth > 0 && 'Transaction within: '}
                    {typeInWords(one.type)}
                  </h2>
                  <Names of={namesIn(one).flatMap((id) => names.get(id) ?? [])} />
                  <Members of={one} leave={HIDDEN_MEMBERS} />
                </section>
              ))}
              {info !== undefined && (
                <>
                  <h2>Result</h2>
                  <Members of={info} />
                </>
              )}
              <details>
                <summary>As the node returns it</summary>
                <Members of={stored} leave={['tx']} />
              </details>
            </>
          );
        }}
      </Shown>
    </>
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
  const [time, info, call, names] = await Promise.all([
    timeOf(stored.block_hash, signal),
    layers.some(({ type }) => RUNS_CODE.test(type)) ? resultOf(hash, signal) : undefined,
    layers.some(({ type }) => type === 'ContractCallTx')
      ? orNothing(read('/middleware/contracts/calls/transaction/{hash}', { hash }, signal))
      : undefined,
    Promise.all([...new Set(layers.flatMap(namesIn))].map((id) => named(id, signal))),
  ]);
  return { stored, time, info, call: call?.body, names: new Map(names.flat()) };
}

const RUNS_CODE = /^(Contract|GA)/;

/** The result of the execution by the node, without the outer member that names its kind. */
async function resultOf(hash: string, signal: AbortSignal): Promise<Record<string, unknown> | undefined> {
  const info = await orNothing(readNode(`/v2/transactions/${hash}/info`, signal));
  return (info?.['call_info'] ?? info?.['ga_info'] ?? info) as Record<string, unknown> | undefined;
}

async function named(id: string, signal: AbortSignal): Promise<[string, string][]> {
  const found = await orNothing(read('/middleware/names/hash/{hash}', { hash: id }, signal));
  return found === undefined ? [] : [[id, found.body.name.name]];
}

async function timeOf(blockHash: string, signal: AbortSignal): Promise<Integer | undefined> {
  if (blockHash === 'none') return undefined;
  const header = await orNothing(read('/v2/micro-blocks/hash/{hash}/header', { hash: blockHash }, signal));
  return header?.body.time;
}
