import { Refusal, read, readNode } from '../api.js';
import type { Place } from '../address.js';
import { typeInWords } from '../format.js';
import type { Integer } from '../json.js';
import { Shown, useRead } from '../parts/read.js';
import { Fact, Facts, Height, Id, Members, Time } from '../parts/values.js';

type Tx = Record<string, unknown> & { type: string };
type Inner = { tx: { tx: Tx } };

export function TransactionPage({ place: { of } }: { place: Place }) {
  const loaded = useRead((signal) => load(of, signal), [of]);
  return (
    <>
      <h1>Transaction</h1>
      <p class="wrap">
        <code>{of}</code>
      </p>
      <Shown of={loaded} missing="No block of the chain has this transaction, and it does not wait for one.">
        {({ stored, time, info, call }) => {
          const tx = stored.tx as Tx;
          const inner = (tx as unknown as Partial<Inner>).tx?.tx;
          return (
            <>
              <Facts>
                <Fact name="Type">{typeInWords(tx.type)}</Fact>
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
              </Facts>
              <h2>{typeInWords(tx.type)}</h2>
              <Members of={tx} leave={['type', 'version', 'tx', 'code', 'call_data']} />
              {inner !== undefined && (
                <>
                  <h2>Transaction within: {typeInWords(inner.type)}</h2>
                  <Members of={inner} leave={['type', 'version', 'code', 'call_data']} />
                </>
              )}
              {call !== undefined && (
                <>
                  <h2>Call, decoded</h2>
                  <Members of={call} />
                </>
              )}
              {info !== undefined && (
                <>
                  <h2>Result</h2>
                  <Members of={info} />
                </>
              )}
              <details>
                <summary>As the node has it</summary>
                <Members of={stored} leave={['tx']} />
              </details>
            </>
          );
        }}
      </Shown>
    </>
  );
}

async function load(hash: string, signal: AbortSignal) {
  const { body: stored } = await read('/v2/transactions/{hash}', { hash }, signal);
  const tx = stored.tx as Tx;
  const [time, info, call] = await Promise.all([
    timeOf(stored.block_hash, signal),
    RUNS_CODE.test(tx.type) ? orNothing(readNode(`/v2/transactions/${hash}/info`, signal)) : undefined,
    tx.type === 'ContractCallTx' ? decodedCall(String(tx['contract_id']), hash, signal) : undefined,
  ]);
  return { stored, time, info, call };
}

const RUNS_CODE = /^(Contract|GA)/;

async function timeOf(blockHash: string, signal: AbortSignal): Promise<Integer | undefined> {
  if (blockHash === 'none') return undefined;
  const header = await orNothing(read('/v2/micro-blocks/hash/{hash}/header', { hash: blockHash }, signal));
  return header?.body.time;
}

/** Calls that are looked through for the one of a transaction. */
const CALLS = 1_000;

async function decodedCall(
  address: string,
  hash: string,
  signal: AbortSignal,
): Promise<Record<string, unknown> | undefined> {
  const path = '/middleware/contracts/calls/address/{address}';
  const list = await orNothing(read(path, { address, limit: CALLS, page: 1 }, signal));
  const found = list?.body.find((call) => call.transaction_id === hash);
  return found && { call: found.arguments, result: found.result };
}

/** Nothing where the server has no answer; other faults are thrown. */
async function orNothing<Value>(answer: Promise<Value>): Promise<Value | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}
