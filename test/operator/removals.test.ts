import { expect } from 'chai';
import { KubeError } from '../../src/operator/kube/errors.js';
import { ANNOTATION, LABEL } from '../../src/operator/names.js';
import type { MiddlewareStatus } from '../../src/operator/schema/status.js';
import { operatorOn } from '../support/fake-cluster.js';
import { eventually } from '../support/populator.js';

const RESOURCE = {
  metadata: { namespace: 'n', name: 'a', uid: 'u', resourceVersion: '1', generation: 1 },
  // Its pods are not made, so nothing else is written.
  spec: { node: { urls: ['http://node:3013'] }, database: { secret: { name: 'missing' } } },
  // The operator knows which copy serves, so it reads nothing from the database first.
  status: { uid: 'u', activeColor: 'blue', databaseId: '1/1' },
};
/** A child that the resource no longer wants. */
const child = (name: string) => ({
  metadata: {
    namespace: 'n',
    name,
    uid: name,
    resourceVersion: '1',
    labels: { [LABEL.instance]: 'a' },
    annotations: { [ANNOTATION.applied]: 'x' },
    ownerReferences: [{ apiVersion: 'x', kind: 'Middleware', name: 'a', uid: 'u', controller: true }],
  },
});

describe('children that a resource no longer wants', () => {
  it('are removed each by itself: one that cannot be removed now delays neither the others nor the status, and is tried again', async () => {
    const left = new Set(['a-one', 'a-two', 'a-three']);
    const refused: string[] = [];
    const statuses: MiddlewareStatus[] = [];
    let broken = true;
    const operator = operatorOn({
      list(path) {
        if (path.endsWith('/middlewares')) return [RESOURCE];
        return path.endsWith('/ingresses') ? [...left].map(child) : [];
      },
      write(method, path, body) {
        const name = path.split('/').at(-1)!;
        if (method !== 'DELETE') return body;
        if (broken && name === 'a-one') {
          refused.push(name);
          throw new KubeError(500, 'InternalError', 'etcd is busy');
        }
        left.delete(name);
        return {};
      },
      onStatus: (status) => statuses.push(status),
    });
    try {
      await eventually(
        () => Promise.resolve([[...left], refused.length > 2, statuses.length > 0]),
        ([names, isRefused, hasStatus]) => (names as string[]).length < 3 && isRefused === true && hasStatus === true,
      );
      expect([...left]).to.deep.equal(['a-one']);

      broken = false;
      await eventually(
        () => Promise.resolve(left.size),
        (size) => size === 0,
      );
    } finally {
      await operator.stop();
    }
  });
});
