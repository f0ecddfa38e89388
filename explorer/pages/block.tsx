import { orNothing, read } from '../api.js';
import type { Route } from '../address.js';
import { integer } from '../format.js';
import type { Integer } from '../json.js';
import { Head } from '../parts/card.js';
import { Shown, useRead } from '../parts/read.js';
import { Transactions } from '../parts/transactions.js';
import { Fact, Facts, Height, Members, Time } from '../parts/values.js';

const MISSING = 'No block of the chain has this hash. It may have been replaced in a reorg.';

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
  return (
    <>
      <Head title="Key block" id={hash} />
      <Shown of={loaded} missing={MISSING}>
        {({ body, onChain }) => (
          <>
            {!onChain && <Replaced />}
            <Facts>
              <Fact name="Generation">
                <Height height={body.height} />
              </Fact>
              <Fact name="Time">
                <Time time={body.time} />
              </Fact>
            </Facts>
            <Members of={{ ...body, pow: body.pow?.join(', ') }} leave={['hash', 'height', 'time']} />
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
  return (
    <>
      <Head title="Micro block" id={hash} />
      <Shown of={loaded} missing={MISSING}>
        {({ header, list, onChain }) => (
          <>
            {!onChain && <Replaced />}
            <Facts>
              <Fact name="Generation">
                <Height height={header.height} />
              </Fact>
              <Fact name="Time">
                <Time time={header.time} />
              </Fact>
            </Facts>
            <Members of={header} leave={['hash', 'height', 'time']} />
            <h2>
              {integer(list.transactions.length)} {list.transactions.length === 1 ? 'transaction' : 'transactions'}
            </h2>
            <Transactions rows={list.transactions} empty="This micro block has no transactions." />
          </>
        )}
      </Shown>
    </>
  );
}

const Replaced = () => (
  <p class="note bad" role="status">
    This block is not part of the chain: a reorg replaced it. The node still has the data below.
  </p>
);

/** Whether the block is on the chain. Needed because the node also returns blocks of abandoned branches. */
async function isOnChain(height: Integer, hash: string, signal: AbortSignal): Promise<boolean> {
  const generation = await orNothing(read('/v2/generations/height/{height}', { height: String(height) }, signal));
  if (generation === undefined) return false;
  const { key_block, micro_blocks } = generation.body;
  return key_block.hash === hash || micro_blocks.includes(hash);
}
