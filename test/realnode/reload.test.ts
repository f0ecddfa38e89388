import { expect } from 'chai';
import { setTimeout as pause } from 'node:timers/promises';
import { ANNOTATION } from '../../src/operator/names.js';
import type { ReloadPhase } from '../../src/operator/schema/status.js';
import type { Job } from '../../src/operator/types.js';
import { describeWith } from '../support/kube-tools.js';
import { noRealNode } from '../support/real-node.js';
import { knowCopies } from './support/copies.js';
import type { Copies } from './support/copies.js';
import { openScene } from './support/scene.js';
import type { Scene } from './support/scene.js';
import { subscribe } from './support/subscribers.js';
import type { Subscribers } from './support/subscribers.js';
import type { Witness } from './support/witness.js';

const SOCKETS = 100;
/** Pauses of each client between two requests. */
const HEAVY_MS = 100;
const LIGHT_MS = 300;
/** Makes loading slow, so that something can happen meanwhile. */
const SLOW = { slowMs: 1_000 };

describeWith(noRealNode(), 'a reload with real containers under load', function () {
  this.bail(true);

  let scene: Scene;
  let copies: Copies;
  let witness: Witness | undefined;
  let subscribers: Subscribers | undefined;

  before(async () => {
    scene = await openScene();
    copies = await knowCopies(scene);
  });
  after(() => scene?.close());
  afterEach(async function () {
    await Promise.all([witness?.stop(), subscribers?.stop()]);
    [witness, subscribers] = [undefined, undefined];
    if (this.currentTest?.state === 'failed') process.stderr.write(scene.describe());
  });

  /** Expects that no request failed, that each answer came from one copy, and that these copies answered, in this order. */
  const expectCopies = async (...turns: ('marked' | 'loaded')[]): Promise<void> => {
    await witness!.stop();
    const { faults, counts, turns: seen } = witness!;
    process.stderr.write(
      `      ${counts.answers} answers, ${counts.lists} lists read, ${counts.crossing} through both copies\n`,
    );
    expect(faults.slice(0, 5), `${faults.length} faults`).to.deep.equal([]);
    expect(seen).to.deep.equal(turns);
    expect(counts.answers).to.be.above(100);
  };
  /** Expects that the live Service selected these colors, and always had ready endpoints. */
  const startColors = () => {
    const from = scene.watcher.colors.length - 1;
    return (): string[] => {
      expect(scene.watcher.faults).to.deep.equal([]);
      return scene.watcher.colors.slice(from);
    };
  };
  const ended = ({ status }: Job): string => (status?.succeeded ? 'succeeded' : status?.failed ? 'failed' : 'running');
  const endOperators = async (how: 'at once' | 'gracefully'): Promise<void> => {
    await Promise.all((await scene.operators()).map((one) => scene.end(one, how)));
  };
  const otherColor = (color: string | undefined): string => (color === 'blue' ? 'green' : 'blue');
  /** Everything that must be unchanged after a reload whose copy never served. */
  const served = async () => {
    const { activeColor, activeSchema } = await scene.status();
    return { activeColor, copy: await scene.copy(activeColor), schemas: [activeSchema] };
  };
  const expectServed = async (before: Awaited<ReturnType<typeof served>>): Promise<void> => {
    expect(await served()).to.deep.equal(before);
    expect(await scene.schemas()).to.deep.equal(before.schemas);
    expect(await scene.copy(otherColor(before.activeColor))).to.deep.equal({ deployments: [], pods: [] });
    expect(await scene.condition('Ready')).to.equal('True Serving');
  };

  it('answers every request from one copy and misses no event while the whole chain is reloaded, with a reorg meanwhile', async () => {
    witness = await copies.watch(HEAVY_MS);
    subscribers = subscribe(scene.events, SOCKETS);
    // Each client gets events from its subscription on, which for the last client may be some blocks later.
    await scene.eventually('all clients hear', async () => {
      await scene.chain('/grow', { generations: 1 });
      await pause(500);
      return subscribers!.silent() === 0;
    });
    const { height: first } = await scene.chain('/grow', { generations: 1 });
    const colors = startColors();
    const known = new Set<string>();
    const learn = async (): Promise<void> => (await scene.keyBlocks()).forEach((block) => known.add(block));

    await scene.reload({ id: 'one' });
    await scene.phase('one', 'Loading', 'CatchingUp');
    await scene.chain('/grow', { generations: 3, txsPerGeneration: 5 });
    await scene.phase('one', 'Verifying', 'Starting');
    await learn();
    await scene.chain('/fork', { depth: 3, grow: 6 });
    for (let phase: ReloadPhase | undefined, last = phase; phase !== 'Complete'; last = phase) {
      ({ phase } = await scene.phase('one', 'Verifying', 'Starting', 'Retaining', 'Retiring', 'Complete'));
      // In all other phases another test replaces it.
      if (phase === 'Retiring' && last !== phase) await endOperators('gracefully');
      await scene.chain('/grow', { generations: 1, txsPerGeneration: 3 });
      await pause(1_000);
    }
    const { height: top } = await scene.chain('/grow', { generations: 2 });
    await learn();
    const wanted = (await scene.keyBlocks()).slice(first).map((block) => block.split(' ')[1]!);
    await scene
      .eventually('all clients hear all', () => subscribers!.missing(wanted).length === 0, 60)
      .catch(() => undefined);
    await subscribers.stop();

    expect(wanted).to.have.length(top - first + 1);
    expect(subscribers.missing(wanted)).to.deep.equal([]);
    await expectCopies('marked', 'loaded');
    expect(witness.counts.crossing).to.be.above(0);
    expect([...witness.heads].filter((named) => !known.has(named))).to.deep.equal([]);
    expect(colors()).to.deep.equal(['blue', 'green']);
    expect(await scene.status()).to.include({ activeColor: 'green', activeSchema: 'mdw_green' });
    expect(await scene.schemas()).to.deep.equal(['mdw_green']);
  });

  it('is promoted once and rolled back by command, with the pod of the loading Job killed, and the operator replaced in every phase', async () => {
    witness = await copies.watch(LIGHT_MS);
    const colors = startColors();
    const before = await served();
    const seen: ReloadPhase[] = [];
    const replaceIn = async (last: ReloadPhase): Promise<void> => {
      while (seen.at(-1) !== last) {
        const phase = await scene.nextPhase('killed', seen.at(-1));
        seen.push(phase);
        if (phase === 'Loading') {
          // The operator does not see its end.
          const pod = await scene.running('killed', 'load');
          await Promise.all([endOperators('at once'), scene.end(pod, 'at once')]);
          await scene.chain('/misbehave', null);
        } else await endOperators('gracefully');
      }
    };
    await scene.chain('/misbehave', SLOW);

    await scene.reload({ id: 'killed', promotion: 'Manual', retain: '10m' });
    await replaceIn('AwaitingPromotion');
    // The one that failed is deleted when the next one has ended.
    const loads = await scene.jobs('killed', 'load');
    expect(loads.map((job) => [job.metadata.annotations?.[ANNOTATION.attempt], ended(job)])).to.deep.equal([
      ['1', 'succeeded'],
    ]);
    expect(colors()).to.deep.equal(['green']);
    expect(await scene.mdw('promote')).to.equal('Reload killed is promoted\n');
    await replaceIn('Retaining');
    await scene.eventually('the new copy answers', () => witness!.turns.at(-1) === 'loaded');
    const { promotedAt } = await scene.phase('killed', 'Retaining');
    expect(await scene.mdw('promote')).to.equal('Reload killed already serves\n');
    expect(await scene.mdw('rollback')).to.equal('The copy before reload killed serves again\n');
    await replaceIn('RollingBack');
    expect(await scene.phase('killed', 'RolledBack')).to.include({ promotedAt });

    expect(seen).to.include.members(['Loading', 'CatchingUp', 'Verifying', 'Starting', 'AwaitingPromotion']);
    await expectServed(before);
    await expectCopies('marked', 'loaded', 'marked');
    expect(colors()).to.deep.equal(['green', 'blue', 'green']);
  });

  it('fails when the new copy differs from the chain, reports where, and leaves the copy that serves unchanged', async () => {
    witness = await copies.watch(LIGHT_MS);
    const colors = startColors();
    const before = await served();

    await scene.reload({ id: 'differs' });
    const { schema } = await scene.phase('differs', 'Loading', 'CatchingUp');
    // Pause the operator while the loaded data is corrupted.
    await scene.change({ paused: true });
    await scene.eventually('all is loaded', async () =>
      (await scene.jobs('differs', 'load')).map(ended).includes('succeeded'),
    );
    const [spoilt] = await scene.sql<{ height: number; hash: string }>(
      `UPDATE ${schema}.transactions SET body = left(body, -1) || ',"spoilt":true}'
       WHERE position = (SELECT min(position) FROM ${schema}.transactions WHERE position >> 33 >= 5)
       RETURNING (position >> 33)::int AS height, hash`,
    );
    await scene.change({ paused: false });
    const failed = await scene.phase('differs', 'Failed');

    const { height, hash } = spoilt!;
    expect(failed.differing).to.equal(String(height));
    expect(failed.message).to.contain(`height ${height}: transaction ${hash} differs from the node's`);
    expect(await scene.condition('Reloading')).to.equal('False Failed');
    await expectServed(before);
    await expectCopies('marked');
    expect(colors()).to.deep.equal(['green']);
  });

  it('is aborted while it loads, and leaves the copy that serves unchanged', async () => {
    witness = await copies.watch(LIGHT_MS);
    const colors = startColors();
    const before = await served();
    await scene.chain('/misbehave', SLOW);

    await scene.reload({ id: 'aborted' });
    await scene.running('aborted', 'load');
    expect(await scene.mdw('abort')).to.equal('Reload aborted is aborted\n');
    await scene.phase('aborted', 'Aborted');
    await scene.chain('/misbehave', null);

    await expectServed(before);
    await expectCopies('marked');
    expect(colors()).to.deep.equal(['green']);
  });
});
