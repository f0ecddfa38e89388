import { expect } from 'chai';
import { once } from 'node:events';
import { getHeapSnapshot } from 'node:v8';
import { KubeError } from '../../src/operator/kube/errors.js';
import { operatorOn } from '../support/fake-cluster.js';
import { eventually } from '../support/populator.js';

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

describe('a resource that was deleted', () => {
  it('is forgotten by the operator, with everything that was tried for it', async () => {
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
    try {
      await eventually(
        () => Promise.resolve([statuses, refused]),
        (counts) => counts.every((count) => count >= COUNT),
      );
      expect(await kept()).to.be.above(COUNT);

      there = false;
      // Nothing else runs while a snapshot is made, which takes longer than the lease lasts on a busy machine: the operator goes on between two of them.
      const keptAfterLists = async (): Promise<number> => {
        const enough = lists + LISTS;
        await eventually(
          () => Promise.resolve([operator.acts(), lists] as const),
          ([acts, listed]) => acts && listed >= enough,
        );
        return kept();
      };
      // The text that was matched last, and the like, may be kept: not more than a few.
      await eventually(keptAfterLists, (left) => left < 6);
    } finally {
      await operator.stop();
    }
  });
});
