import { read } from '../api.js';
import type { Place } from '../address.js';
import { integer } from '../format.js';
import { Shown, useRead } from '../parts/read.js';
import { Transactions } from '../parts/transactions.js';
import { Fact, Facts, Height, Members, Time } from '../parts/values.js';

const MISSING = 'No block of the chain has this hash. It may have been replaced in a reorg.';

export const BlockPage = ({ place: { of } }: { place: Place }) =>
  of.startsWith('kh_') ? <KeyBlock hash={of} /> : <MicroBlock hash={of} />;

function KeyBlock({ hash }: { hash: string }) {
  const loaded = useRead((signal) => read('/v2/key-blocks/hash/{hash}', { hash }, signal), [hash]);
  return (
    <>
      <h1>Key block</h1>
      <p class="wrap">
        <code>{hash}</code>
      </p>
      <Shown of={loaded} missing={MISSING}>
        {({ body }) => (
          <>
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
    (signal) =>
      Promise.all([
        read('/v2/micro-blocks/hash/{hash}/header', { hash }, signal),
        read('/v2/micro-blocks/hash/{hash}/transactions', { hash }, signal),
      ]),
    [hash],
  );
  return (
    <>
      <h1>Micro block</h1>
      <p class="wrap">
        <code>{hash}</code>
      </p>
      <Shown of={loaded} missing={MISSING}>
        {([{ body: header }, { body: list }]) => (
          <>
            <Facts>
              <Fact name="Generation">
                <Height height={header.height} />
              </Fact>
              <Fact name="Time">
                <Time time={header.time} />
              </Fact>
            </Facts>
            <Members of={header} leave={['hash', 'height', 'time']} />
            <h2>{integer(list.transactions.length)} transactions</h2>
            <Transactions rows={list.transactions} empty="This micro block has no transactions." />
          </>
        )}
      </Shown>
    </>
  );
}
