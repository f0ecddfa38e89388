/** A program: an operator whose resources are deleted. Prints how many of their names its memory has before, and in the end. */
import { once } from 'node:events';
import { getHeapSnapshot } from 'node:v8';
import { KubeError } from '../../src/operator/kube/errors.js';
import { operatorOn } from './fake-cluster.js';
import { eventually } from './populator.js';

const COUNT = 60;
/** Lists of all kinds that the operator asks for between two looks at its memory: each kind several times. */
const LISTS = 100;
/** The names, uids and Secrets of the resources of this suite, wherever they occur. */
const NAMES = /gone-\d+-(?:resource|uid|secret)/g;

const metadata = (i: number, what: string) => ({
  namespace: 'n',
  name: `gone-${i}-${what}`,
  uid: `gone-${i}-uid-${what}`,
  resourceVersion: '1',
  creationTimestamp: '2026-01-01T00:00:00Z',
  generation: 1,
});
const secret = (i: number) => ({ metadata: metadata(i, 'secret') });
const resource = (i: number) => ({
  metadata: metadata(i, 'resource'),
  spec: { node: { urls: ['http://node:3013'] }, database: { secret: { name: `gone-${i}-secret` }, schema: `s${i}` } },
  status: { height: 1, lag: 2 },
});

/** How many names of the resources are left in the memory of this process. Not which: the answer itself would be found the next time. */
async function kept(): Promise<number> {
  const found = new Set<string>();
  let end = '';
  const snapshot = getHeapSnapshot();
  snapshot.setEncoding('latin1').on('data', (part: string) => {
    for (const [name] of (end + part).matchAll(NAMES)) found.add(name);
    end = part.slice(-100);
  });
  await once(snapshot, 'end');
  return found.size;
}

let [there, statuses, refused, lists] = [true, 0, 0, 0];
const operator = operatorOn({
  list(path) {
    lists++;
    const make = path.endsWith('/secrets') ? secret : path.endsWith('/middlewares') ? resource : undefined;
    return there && make !== undefined ? Array.from({ length: COUNT }, (_, i) => make(i)) : [];
  },
  // Such a refusal is remembered.
  write() {
    refused++;
    throw new KubeError(400, 'BadRequest', 'it is not valid');
  },
  onStatus: () => void statuses++,
});

/** Nothing else runs while a snapshot is made, which may take longer than the lease lasts: the operator goes on before each one. */
async function keptAfterLists(): Promise<number> {
  const enough = lists + LISTS;
  await eventually(
    () => Promise.resolve([operator.acts(), lists] as const),
    ([acts, listed]) => acts && listed >= enough,
  );
  return kept();
}

await eventually(
  () => Promise.resolve([statuses, refused]),
  (counts) => counts.every((count) => count >= COUNT),
);
const before = await kept();
there = false;
// The text that was matched last, and the like, may be kept: not more than a few.
const after = await eventually(keptAfterLists, (left) => left < 6);
await operator.stop();
process.stdout.write(JSON.stringify({ before, after }));
