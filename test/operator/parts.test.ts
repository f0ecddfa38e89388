import { expect } from 'chai';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { covers, withAppliedHash } from '../../src/operator/apply/compare.js';
import { createOperatorMetrics } from '../../src/operator/metrics.js';
import type { Operator } from '../../src/operator/loop/operator.js';
import { createQueue } from '../../src/operator/loop/queue.js';
import { serveHealth } from '../../src/operator/loop/server.js';
import { readResource } from '../../src/operator/resource.js';
import { customResourceDefinition, sample } from '../../src/operator/schema/crd.js';
import { durationMs } from '../../src/operator/schema/parts.js';
import { structural } from '../../src/operator/schema/structural.js';
import { createStore } from '../../src/operator/observe/store.js';
import { trimPod } from '../../src/operator/observe/trim.js';
import type { KubeObject } from '../../src/operator/types.js';

describe('Comparing an object with the wanted one', () => {
  for (const [what, live, wanted, is] of [
    ['what others added does not matter', { a: 1, b: 2 }, { a: 1 }, true],
    ['a field that is missing does', {}, { a: 1 }, false],
    [
      'quantities are compared by what they mean',
      { cpu: '1', memory: '1Gi' },
      { cpu: '1000m', memory: '1024Mi' },
      true,
    ],
    ['other quantities differ', { cpu: '1' }, { cpu: '100m' }, false],
    ['what is empty may be left out', {}, { a: [], b: {}, c: '', d: false, e: 0, f: null }, true],
    ['what must be empty must not be full', { a: [1] }, { a: [] }, false],
    ['zero is wanted where something is', { replicas: 3 }, { replicas: 0 }, false],
    ['lists are wanted as they are', { a: [{ x: 1 }, { x: 2 }] }, { a: [{ x: 1 }] }, false],
    ['items of lists may have more', { a: [{ x: 1, y: 2 }] }, { a: [{ x: 1 }] }, true],
  ] as const) {
    it(what, () => expect(covers(live, wanted)).to.equal(is));
  }

  it('notices by the hash that a field is no longer wanted', () => {
    const object = (spec: object) => ({ apiVersion: 'v1', kind: 'X', metadata: { name: 'x' }, spec }) as KubeObject;
    const live = withAppliedHash(object({ a: 1, b: 2 }));
    expect(covers(live, withAppliedHash(object({ a: 1, b: 2 })))).to.equal(true);
    expect(covers(live, withAppliedHash(object({ a: 1 })))).to.equal(false);
  });
});

describe('The store', () => {
  const object = (version: number, uid = 'u'): KubeObject => ({
    apiVersion: 'v1',
    kind: 'X',
    metadata: { name: 'x', namespace: 'n', uid, resourceVersion: String(version) },
  });

  it('ignores changes and deletions that are older than its objects', () => {
    const changes: unknown[] = [];
    const store = createStore((before, after) =>
      changes.push([before?.metadata.resourceVersion, after?.metadata.resourceVersion]),
    );
    expect(store.put(object(9))).to.equal(true);
    expect(store.put(object(9))).to.equal(false);
    expect(store.put(object(10))).to.equal(true);
    expect(store.put(object(9))).to.equal(false);
    store.drop(object(9));
    expect(store.get('n', 'x')?.metadata.resourceVersion).to.equal('10');
    store.drop(object(11));

    expect(store.size()).to.equal(0);
    expect(changes).to.deep.equal([
      [undefined, '9'],
      ['9', '10'],
      ['10', undefined],
    ]);
  });

  it('does not restore a deleted object when the answer to an earlier write is late, but accepts a new object', () => {
    const store = createStore(() => undefined);
    store.put(object(9));
    store.drop(object(12));

    expect(store.put(object(11))).to.equal(false);
    expect(store.get('n', 'x')).to.equal(undefined);
    expect(store.put(object(13, 'other'))).to.equal(true);
  });

  it('keeps nothing of deleted objects but their version, however large they were', () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const store = createStore(() => undefined);
    const used = (): number => {
      collect();
      return process.memoryUsage().heapUsed;
    };
    const before = used();
    for (let i = 0; i < 500; i += 1) {
      const { metadata, ...rest } = object(i + 1);
      const large = { ...rest, metadata: { ...metadata, name: `x-${i}` }, spec: Array(20_000).fill(i) as unknown };
      store.put(large);
      store.drop(large);
    }
    expect((used() - before) / 2 ** 20).to.be.below(10);
    expect(store.put({ ...object(1), metadata: { ...object(1).metadata, name: 'x-7' } })).to.equal(false);
  });

  it('accepts a whole list, even if its versions are lower', () => {
    const store = createStore(() => undefined);
    store.put(object(100));
    store.put({ ...object(101), metadata: { ...object(101).metadata, name: 'y' } });
    store.replace([object(5)], undefined);

    expect(store.get('n', 'x')?.metadata.resourceVersion).to.equal('5');
    expect(store.get('n', 'y')).to.equal(undefined);
  });
});

describe('The queue', () => {
  const options = { onFailure: () => undefined, concurrency: 4, metrics: createOperatorMetrics().queue };

  it('never processes a key twice at the same time, and processes it again when it was added meanwhile', async () => {
    let running = 0;
    let most = 0;
    let done = 0;
    let finish!: () => void;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const queue = createQueue({
      ...options,
      async work(key) {
        most = Math.max(most, ++running);
        if (done === 0) for (let i = 0; i < 3; i++) queue.add(key);
        await Promise.resolve();
        running--;
        if (++done === 2) finish();
        return undefined;
      },
    });
    queue.add('a');
    queue.add('a');
    queue.start();
    await finished;
    await queue.stop();

    expect([most, done, queue.size()]).to.deep.equal([1, 2, 0]);
  });

  it('shows how long a pass has taken so far, also while nothing else happens', async () => {
    const metrics = createOperatorMetrics();
    let finish!: () => void;
    const queue = createQueue({
      ...options,
      metrics: metrics.queue,
      work: () => new Promise((resolve) => (finish = () => resolve(undefined))),
    });
    const operator: Operator = {
      ready: () => true,
      acts: () => true,
      measure: () => queue.measure(),
      stop: () => Promise.resolve(),
    };
    const health = await serveHealth({ host: '127.0.0.1', port: 0 }, () => operator, metrics);
    const longest = async (): Promise<number> => {
      const answer = await fetch(`http://127.0.0.1:${health.address.port}/metrics`);
      return Number(/^workqueue_longest_running_processor_seconds{.*} (\S+)$/m.exec(await answer.text())?.[1]);
    };
    queue.add('a');
    queue.start();
    const first = await longest();
    const second = await longest();
    finish();
    await queue.stop();
    const last = await longest();
    await health.close();

    expect(first).to.be.above(0);
    expect(second).to.be.above(first);
    expect(last).to.equal(0);
  });

  it('retries a failed key soon when it was added meanwhile', async () => {
    let attempts = 0;
    let finish!: () => void;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const queue = createQueue({
      ...options,
      firstPauseMs: 3_600_000,
      maxPauseMs: 3_600_000,
      work(key) {
        if (++attempts === 2) {
          finish();
          return Promise.resolve(undefined);
        }
        queue.add(key);
        return Promise.reject(new Error('bad'));
      },
    });
    queue.start();
    queue.add('a');
    const refed = setTimeout(() => undefined, 10_000);
    await finished;
    clearTimeout(refed);
    await queue.stop();

    expect(attempts).to.equal(2);
  });

  it('lets a failing key wait longer each time, and processes the others', async () => {
    const pauses: number[] = [];
    let others = 0;
    let last = performance.now();
    let finish!: () => void;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const queue = createQueue({
      ...options,
      firstPauseMs: 20,
      work(key) {
        if (key !== 'bad') {
          others++;
          return Promise.resolve(undefined);
        }
        pauses.push(performance.now() - last);
        last = performance.now();
        if (pauses.length === 5) finish();
        return Promise.reject(new Error('bad'));
      },
    });
    queue.start();
    for (const key of ['bad', 'a', 'b', 'c']) queue.add(key);
    await finished;
    await queue.stop();

    expect(others).to.equal(3);
    expect(pauses[4]).to.be.greaterThan(20 * 8 * 0.75 - 1);
  });

  it('keeps keys that were added while it is stopped', async () => {
    let done = 0;
    const queue = createQueue({ ...options, work: () => Promise.resolve((done++, undefined)) });
    queue.add('a');
    expect([done, queue.size()]).to.deep.equal([0, 1]);
    queue.start();
    await queue.stop();
    expect(done).to.equal(1);
  });
});

describe('The definition of the resource', () => {
  interface Schema {
    description?: string;
    type?: string;
    properties?: Record<string, Schema>;
    items?: Schema;
  }
  const { versions } = customResourceDefinition().spec;
  const root = versions[0]?.schema.openAPIV3Schema as unknown as Schema;

  it('describes every field', () => {
    const bare: string[] = [];
    const walk = (schema: Schema, path: string): void => {
      if (schema.description === undefined && path !== 'metadata') bare.push(path);
      for (const [name, field] of Object.entries(schema.properties ?? {}))
        walk(field, path === '' ? name : `${path}.${name}`);
      if (schema.items !== undefined) walk(schema.items, `${path}[]`);
    };
    walk(root, '');
    expect(bare).to.deep.equal([]);
  });

  it('has the same defaults as the code', () => {
    const object = { ...sample, metadata: { ...sample.metadata, namespace: 'n', uid: 'u', generation: 1 } };
    const resource = readResource(object);
    const read = 'faults' in resource ? undefined : resource.spec;
    const defaults = (schema: Schema & { default?: unknown }, given: unknown): unknown => {
      const value = given === undefined ? schema.default : given;
      if (schema.properties === undefined || value === undefined) return value;
      const fields = value as Record<string, unknown>;
      const all = Object.entries(schema.properties).map(([name, field]) => [name, defaults(field, fields[name])]);
      return Object.fromEntries(all.filter(([, one]) => one !== undefined)) as unknown;
    };
    expect(read).to.deep.equal(defaults(root.properties?.['spec'] ?? {}, sample.spec));
  });

  it('accepts one Rosetta interface, or several', () => {
    const metadata = { ...sample.metadata, namespace: 'n', uid: 'u', generation: 1 };
    const isRead = (rosettaUrl: string): boolean =>
      !(
        'faults' in
        readResource({ ...sample, metadata, spec: { ...sample.spec, node: { ...sample.spec.node, rosettaUrl } } })
      );
    expect(['http://a:3213', 'http://a:3213,https://b/x'].filter(isRead)).to.have.length(2);
    expect(['', 'a:3213', 'http://a:3213,', 'http://a:3213, http://b', 'http://a?x'].filter(isRead)).to.deep.equal([]);
  });

  it('throws on a check that a structural schema cannot express', () => {
    expect(() => structural({ anyOf: [{ type: 'string' }, { type: 'object' }] }, 'x')).to.throw('x is a union');
    expect(() => structural({ allOf: [] }, 'x')).to.throw('not structural');
  });

  it('reads durations', () => {
    expect(['90s', '15m', '1h30m', '2h5s'].map(durationMs)).to.deep.equal([90_000, 900_000, 5_400_000, 7_205_000]);
  });
});

describe('A resource that an older CRD accepted', () => {
  it('is reported with its wrong fields', () => {
    const resource = readResource({ ...sample, spec: { node: { urls: [] }, database: {} } });
    expect(resource).to.have.property('faults').that.contains('spec.node.urls');
  });
});

describe('A pod in the cache', () => {
  it('has the fields that decisions need, and no spec', () => {
    const pod = trimPod({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'p', namespace: 'n', uid: 'u', annotations: { big: 'x' } },
      spec: { containers: [{ env: [{ value: 'secret' }] }] },
      status: {
        phase: 'Failed',
        containerStatuses: [
          { name: 'mdw', ready: false, restartCount: 0, state: { terminated: { exitCode: 78, message: '{}' } } },
        ],
      },
    });
    expect(JSON.stringify(pod)).to.not.contain('secret').and.to.not.contain('big');
    expect(JSON.stringify(pod)).to.contain('"exitCode":78,"message":"{}"');
  });
});
