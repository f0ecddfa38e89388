import { useEffect, useState } from 'preact/hooks';
import { read } from '../api.js';
import { bytes, duration, integer } from '../format.js';
import { Shown, useRead } from '../parts/read.js';
import { Fact, Facts, Height } from '../parts/values.js';

const AGAIN_MS = 5_000;

export function StatusPage() {
  const [round, setRound] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setRound((count) => count + 1), AGAIN_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <>
      <h1>Status</h1>
      <Now key={round} />
    </>
  );
}

function Now() {
  const loaded = useRead(
    (signal) =>
      Promise.all([
        read('/middleware/status', {}, signal),
        read('/middleware/count/current', {}, signal).catch(() => undefined),
        read('/middleware/size/current', {}, signal).catch(() => undefined),
      ]),
    [],
  );
  return (
    <Shown of={loaded}>
      {([{ body, height }, count, size]) => (
        <>
          <p class={body.OK ? 'note good' : 'note bad'} role="status">
            {body.OK
              ? 'The copy of the chain is complete and follows the head.'
              : 'The copy of the chain is not at the head.'}
          </p>
          <Facts>
            {height !== undefined && (
              <Fact name="Height of the copy">
                <Height height={height} />
              </Fact>
            )}
            <Fact name="Heights that wait to be loaded">{integer(body.queue_length)}</Fact>
            <Fact name="Age of the newest block">
              {body.seconds_since_last_block == null
                ? 'unknown'
                : duration(Number(body.seconds_since_last_block) * 1000)}
            </Fact>
            <Fact name="Proven up to">
              {body.proven_height == null ? 'nothing yet' : <Height height={body.proven_height} />}
            </Fact>
            {count !== undefined && <Fact name="Transactions">{integer(count.body.count)}</Fact>}
            {size !== undefined && <Fact name="Size of all transactions">{bytes(Number(size.body.size))}</Fact>}
            <Fact name="Version">{body.version}</Fact>
          </Facts>
        </>
      )}
    </Shown>
  );
}
