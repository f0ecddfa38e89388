import { useRef } from 'preact/hooks';
import { orNothing, read, readNode } from '../api.js';
import { bytes, duration, integer } from '../format.js';
import type { Integer } from '../json.js';
import { Card, Head } from '../parts/card.js';
import { Shown, useRead } from '../parts/read.js';
import { Height } from '../parts/head.js';
import { Fact, Facts } from '../parts/values.js';

const REFRESH_MS = 5_000;
/** Number of readings from which the rate of a load is computed: those of the last minute. */
const READINGS = 12;

/** Texts for the usual states of the node. */
const STATES: Record<string, string> = {
  ok: 'answers, and its head is followed',
  loading: 'answers; the chain is being loaded',
};

export function StatusPage() {
  const loaded = useRead(load, [], { everyMs: REFRESH_MS });
  return (
    <>
      <Head title="Status" />
      <Shown of={loaded}>
        {({ status, readiness, height, count, size, node }) => (
          <>
            <p class={status.OK ? 'note good' : 'note bad'} role="status">
              {status.OK
                ? 'The copy of the chain is complete and follows the head.'
                : 'The copy of the chain is not at the head.'}
            </p>
            {!readiness.ready && <p class="note bad">The service is not ready: {readiness.reason}.</p>}
            {status.held_reorg !== undefined && (
              <p class="note bad">
                A reorg waits for somebody to vouch for it: it would replace {integer(status.held_reorg.depth)} key
                blocks, up to generation <Height height={status.held_reorg.height} />.
              </p>
            )}
            <div class="halves">
              <Card title="Copy of the chain">
                <div class="in">
                  {height !== undefined && readiness.node_height != null && (
                    <Progress
                      height={height}
                      head={Number(readiness.node_height)}
                      waiting={Number(status.queue_length)}
                    />
                  )}
                  <Facts>
                    {height !== undefined && (
                      <Fact name="Height">
                        <Height height={height} />
                      </Fact>
                    )}
                    <Fact name="Heights to be loaded">{integer(status.queue_length)}</Fact>
                    <Fact name="Age of the newest block">
                      {status.seconds_since_last_block == null
                        ? 'unknown'
                        : duration(Number(status.seconds_since_last_block) * 1000)}
                    </Fact>
                    <Fact name="Proven by its hashes">
                      {status.proven_height == null ? (
                        'nothing yet'
                      ) : (
                        <>
                          up to generation <Height height={status.proven_height} />
                        </>
                      )}
                    </Fact>
                    {Object.entries(status.unproven_last_500_blocks ?? {}).map(([type, number]) => (
                      <Fact key={type} name={`Not proven: ${type}`}>
                        {integer(number)} of the last 500 generations
                      </Fact>
                    ))}
                    <Fact name="Not understood">
                      {integer(status.errors_last_500_blocks)} transactions of the last 500 generations
                    </Fact>
                    {count !== undefined && <Fact name="Transactions">{integer(count)}</Fact>}
                    {size !== undefined && <Fact name="Size of all transactions">{bytes(Number(size))}</Fact>}
                    <Fact name="Version of the service">{status.version}</Fact>
                  </Facts>
                </div>
              </Card>
              <Card title="Node">
                <div class="in">
                  <Facts>
                    <Fact name="State">{stateOf(readiness.node_state)}</Fact>
                    {status.node_reason !== undefined && <Fact name="Why">{status.node_reason}</Fact>}
                    <Fact name="Its head">
                      {readiness.node_height == null ? (
                        'not reported for a minute'
                      ) : (
                        <Height height={readiness.node_height} />
                      )}
                    </Fact>
                    <Fact name="Lag of the copy">
                      {readiness.lag == null ? 'unknown' : `${integer(readiness.lag)} key blocks`}
                    </Fact>
                    {node === undefined && <Fact name="Forwarded requests">no node answers them now</Fact>}
                    {node !== undefined && (
                      <>
                        <Fact name="Network">{String(node['network_id'])}</Fact>
                        <Fact name="Version of the node">{String(node['node_version'])}</Fact>
                        <Fact name="Synchronized">
                          {node['syncing'] === true ? `${Number(node['sync_progress']).toFixed(1)} %` : 'yes'}
                        </Fact>
                        <Fact name="Peers">{integer(node['peer_count'] as Integer)}</Fact>
                        <Fact name="Transactions that wait">
                          {integer(node['pending_transactions_count'] as Integer)}
                        </Fact>
                      </>
                    )}
                  </Facts>
                </div>
              </Card>
            </div>
            <p class="quiet">
              The metrics of the service show single nodes, replicas, verification and reloads. Only its administrators
              can read them.
            </p>
          </>
        )}
      </Shown>
    </>
  );
}

async function load(signal: AbortSignal) {
  const [{ body: status, height }, { body: readiness }, count, size, node] = await Promise.all([
    read('/middleware/status', {}, signal),
    read('/readyz', {}, signal),
    orNothing(read('/middleware/count/current', {}, signal)),
    orNothing(read('/middleware/size/current', {}, signal)),
    orNothing(readNode('/v2/status', signal)),
  ]);
  return { status, readiness, height, count: count?.body.count, size: size?.body.size, node };
}

function stateOf(state: string | null | undefined): string {
  return state == null ? 'no populator has reported on it for a minute' : (STATES[state] ?? state);
}

/** Progress of a load, and its remaining time at the rate of the last minute. */
function Progress({ height, head, waiting }: { height: number; head: number; waiting: number }) {
  const readings = useRef<{ at: number; waiting: number }[]>([]);
  const last = readings.current.at(-1);
  if (last?.waiting !== waiting) readings.current = [...readings.current, { at: Date.now(), waiting }].slice(-READINGS);
  if (waiting === 0 || head === 0) return null;
  const done = Math.max(0, head + 1 - waiting);
  const [first] = readings.current;
  const seconds = (Date.now() - first!.at) / 1000;
  const rate = seconds > 0 ? (first!.waiting - waiting) / seconds : 0;
  return (
    <div class="note">
      <label>
        Loading: {integer(done)} of {integer(head + 1)} heights, the highest {integer(height)}
        <progress max={head + 1} value={done} />
      </label>
      {rate > 0 && (
        <p class="quiet">
          {integer(Math.round(rate))} heights a second; about {duration((waiting / rate) * 1000)} left.
        </p>
      )}
    </div>
  );
}
