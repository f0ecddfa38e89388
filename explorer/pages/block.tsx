import { orNothing, read } from '../api.js';
import type { Route } from '../address.js';
import { integer } from '../format.js';
import type { Integer } from '../json.js';
import { Amount } from '../parts/amount.js';
import { Card, Empty, Figure, Figures, Head, Note } from '../parts/card.js';
import { Lost, titleOfMissing } from '../parts/lost.js';
import { Shown, isUnknown, useRead } from '../parts/read.js';
import { Transactions } from '../parts/transactions.js';
import { Height } from '../parts/head.js';
import { Members, Time } from '../parts/values.js';

const Missing = ({ hash }: { hash: string }) => (
  <Lost title={titleOfMissing('block')} id={hash}>
    The hash is well formed, but no block of the chain has it. It may have been replaced in a reorg.
  </Lost>
);

export const BlockPage = ({ route: { subject: of } }: { route: Route }) =>
  of.startsWith('kh_') ? <KeyBlock hash={of} /> : <MicroBlock hash={of} />;

function KeyBlock({ hash }: { hash: string }) {
  const loaded = useRead(
    async (signal) => {
      const { body } = await read('/v2/key-blocks/hash/{hash}', { hash }, signal);
      return { body, onChain: await isOnChain(body.height, hash, signal) };
    },
    [hash],
  );
  if (isUnknown(loaded)) return <Missing hash={hash} />;
  return (
    <>
      <Head eyebrow={loaded.state === 'loaded' && <Place of={loaded.value.body} />} title="Key block" id={hash} />
      <Shown of={loaded}>
        {({ body, onChain }) => (
          <>
            {!onChain && <Replaced />}
            <Card title="Key block">
              <div class="in">
                <Members of={{ ...body, pow: body.pow?.join(', ') }} leave={['hash', 'height', 'time']} />
              </div>
            </Card>
          </>
        )}
      </Shown>
    </>
  );
}

function MicroBlock({ hash }: { hash: string }) {
  const loaded = useRead(
    async (signal) => {
      const [{ body: header }, { body: list }] = await Promise.all([
        read('/v2/micro-blocks/hash/{hash}/header', { hash }, signal),
        read('/v2/micro-blocks/hash/{hash}/transactions', { hash }, signal),
      ]);
      return { header, list, onChain: await isOnChain(header.height, hash, signal) };
    },
    [hash],
  );
  if (isUnknown(loaded)) return <Missing hash={hash} />;
  return (
    <>
      <Head eyebrow={loaded.state === 'loaded' && <Place of={loaded.value.header} />} title="Micro block" id={hash} />
      <Shown of={loaded}>
        {({ header, list: { transactions }, onChain }) => (
          <>
            {!onChain && <Replaced />}
            <Figures>
              <Figure name="Transactions">{integer(transactions.length)}</Figure>
              <Figure name="Fees">
                <Amount aettos={transactions.reduce((sum, { tx }) => sum + feeOf(tx), 0n)} />
              </Figure>
            </Figures>
            <Card title="Transactions" more={integer(transactions.length)}>
              <Transactions
                rows={transactions.map((row) => ({ ...row, time: header.time }))}
                empty={<Empty title="This micro block has no transactions." />}
              />
            </Card>
            <div class="gap" />
            <div class="card">
              <details>
                <summary>
                  Hashes and signature <span class="quiet">all members of the header</span>
                </summary>
                <div class="in">
                  <Members of={header} leave={['hash', 'height', 'time']} />
                </div>
              </details>
            </div>
          </>
        )}
      </Shown>
    </>
  );
}

const Place = ({ of: { height, time } }: { of: { height: Integer; time: Integer } }) => (
  <>
    Generation <Height height={height} /> <Time time={time} />
  </>
);

const feeOf = (tx: unknown): bigint => BigInt((tx as { fee: Integer }).fee);

const Replaced = () => (
  <Note tone="bad">This block is not part of the chain: a reorg replaced it. The node still has the data below.</Note>
);

/** Whether the block is on the chain. Needed because the node also returns blocks of abandoned branches. */
async function isOnChain(height: Integer, hash: string, signal: AbortSignal): Promise<boolean> {
  const generation = await orNothing(read('/v2/generations/height/{height}', { height: String(height) }, signal));
  if (generation === undefined) return false;
  const { key_block, micro_blocks } = generation.body;
  return key_block.hash === hash || micro_blocks.includes(hash);
}
