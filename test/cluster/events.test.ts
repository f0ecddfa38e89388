import { expect } from 'chai';
import { createEvents } from '../../src/operator/apply/events.js';
import { createLogger } from '../../src/observe/logger.js';
import type { EventDraft } from '../../src/operator/types.js';
import { describeWith } from '../support/kube-tools.js';
import { missingPlane } from './support/plane.js';
import { openScene } from './support/scene.js';
import type { KubeObject, Scene } from './support/scene.js';

interface Event extends KubeObject {
  note: string;
  series?: { count: number; lastObservedTime: string };
}

describeWith(missingPlane, 'Events of a resource', () => {
  let scene: Scene;
  let resource: KubeObject;
  let now = Date.now();
  let emit: ReturnType<typeof createEvents>;

  before(async () => {
    scene = await openScene();
    await scene.create('a');
    resource = (await scene.get('Middleware', 'a'))!;
    emit = createEvents(scene.plane.client, 'one', createLogger({ level: 'silent', stream: 'stderr' }), () => now);
  });
  after(() => scene.close());

  const PATH = (): string => `/apis/events.k8s.io/v1/namespaces/${scene.namespace}/events`;
  const away: EventDraft = { type: 'Warning', reason: 'Degraded', message: 'the database is away' };
  /** How often each text was written, by Event. */
  const counts = async (): Promise<string[]> => {
    const { items } = await scene.plane.request<{ items: Event[] }>(PATH());
    return items.map(({ note, series }) => `${note}: ${series?.count ?? 1}`).sort();
  };
  const clear = () => scene.plane.request(PATH(), { method: 'DELETE' });

  it('that repeat are one, with their number and the time of the last one; another text is another Event', async () => {
    await emit(resource, [away]);
    now += 60_000;
    await emit(resource, [away, { ...away, message: 'the node is away' }]);
    now += 60_000;
    await emit(resource, [away]);

    expect(await counts()).to.deep.equal(['the database is away: 3', 'the node is away: 1']);
    const shown = scene.plane.kubectl('-n', scene.namespace, 'describe', 'mdw', 'a');
    expect(shown).to.match(/Warning +Degraded .*\(x3 over .*the database is away/);
    const { items } = await scene.plane.request<{ items: Event[] }>(PATH());
    const times = items.flatMap(({ series }) => (series === undefined ? [] : [Date.parse(series.lastObservedTime)]));
    expect(times).to.deep.equal([now]);
  });

  it('are others when the last one is long ago, or was deleted', async () => {
    now += 361_000;
    await emit(resource, [away]);
    expect(await counts()).to.include.members(['the database is away: 3', 'the database is away: 1']);
    await clear();
    await emit(resource, [away]);
    expect(await counts()).to.deep.equal(['the database is away: 1']);
  });
});
