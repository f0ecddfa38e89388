import { expect } from 'chai';
import { covers, withAppliedHash } from '../../src/operator/apply/compare.js';
import { createOperatorMetrics } from '../../src/operator/metrics.js';
import { createQueue } from '../../src/operator/loop/queue.js';
import { readResource } from '../../src/operator/resource.js';
import { customResourceDefinition, sample } from '../../src/operator/schema/crd.js';
import { durationMs } from '../../src/operator/schema/parts.js';
import { structural } from '../../src/operator/schema/structural.js';
import { createStore } from '../../src/operator/observe/store.js';
import { trimPod } from '../../src/operator/observe/trim.js';
import type { KubeObject } from '../../src/operator/types.js';

describe('Whether an object is as it is wanted', () => {
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

  it('is noticed by its mark when a field is wanted no more', () => {
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

  it('takes nothing older than it has, neither for news nor for an end', () => {
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

  it('does not bring back what is gone when the answer to an earlier write comes late, but takes a new one', () => {
    const store = createStore(() => undefined);
    store.put(object(9));
    store.drop(object(12));

    expect(store.put(object(11))).to.equal(false);
    expect(store.get('n', 'x')).to.equal(undefined);
    expect(store.put(object(13, 'other'))).to.equal(true);
  });

  it('takes a whole list for the truth, also when its versions went back', () => {
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

  it('never works on a key twice at a time, and once more when it was added meanwhile', async () => {
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

  it('does not let one wait long that was added while it failed', async () => {
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

  it('lets one that fails wait ever longer, and works on the others', async () => {
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

  it('keeps what was added while it stands still', async () => {
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

  it('refuses to lose a check: what a structural schema cannot say is an error', () => {
    expect(() => structural({ anyOf: [{ type: 'string' }, { type: 'object' }] }, 'x')).to.throw('x is a union');
    expect(() => structural({ allOf: [] }, 'x')).to.throw('not structural');
  });

  it('reads durations', () => {
    expect(['90s', '15m', '1h30m', '2h5s'].map(durationMs)).to.deep.equal([90_000, 900_000, 5_400_000, 7_205_000]);
  });
});

describe('A resource that got past an older definition', () => {
  it('is reported by the fields that are wrong', () => {
    const resource = readResource({ ...sample, spec: { node: { urls: [] }, database: {} } });
    expect(resource).to.have.property('faults').that.contains('spec.node.urls');
  });
});

describe('A pod in the cache', () => {
  it('has what decisions need and nothing of its spec', () => {
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
