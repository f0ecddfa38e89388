/** Reloads in random orders of events. ORDERS=200 for the full count; SEED and ORDERS name the same orders again. */
import { expect } from 'chai';
import { ANNOTATION, LABEL } from '../../src/operator/names.js';
import { GROUP } from '../../src/operator/schema/group.js';
import { FINAL_PHASES } from '../../src/operator/schema/reload-phases.js';
import type { Deployment, Job, KubeObject, Service } from '../../src/operator/types.js';
import { choices } from '../support/histories.js';
import type { Choices } from '../support/histories.js';
import { OperatorModel } from '../support/operator-model.js';
import type { JobEnd } from '../support/operator-model.js';

const { SEED = '37', ORDERS = '50' } = process.env;
const EVENTS = 40;
const RELOAD = ANNOTATION.reload;

const pick = <T>(random: Choices, some: readonly T[]): T => some[random.int(0, some.length - 1)]!;
const schemaOf = (color: string | undefined): string => (color === 'green' ? 'mdw_green' : 'mdw');
const argsOf = (job: Job): string[] =>
  ((job.spec as Deployment['spec']).template.spec.containers[0] as unknown as { args: string[] }).args;
const schemaIn = (job: Job): string =>
  (
    (job.spec as Deployment['spec']).template.spec.containers[0] as unknown as {
      env: { name: string; value: string }[];
    }
  ).env.find(({ name }) => name === 'DATABASE_SCHEMA')!.value;
const isUnderWay = ({ status }: Job): boolean => status?.conditions === undefined;

/** A model that looks after each write, and after each thing that the cluster does, whether what must never be is. */
class Watched extends OperatorModel {
  /** Reloads whose new copy a verification has found without differences. */
  readonly clean = new Set<string>();
  /** Reloads that asked for no verification, and those that wait for a person before they serve. */
  readonly unverified = new Set<string>();
  readonly manual = new Set<string>();
  /** Actions that the resource had, each with the reload that it named. */
  readonly asked = new Set<string>();
  /** The resource was created again: what its earlier reload left is not known to it. */
  isRecreated = false;
  readonly broken: string[] = [];
  private migrations = new Set<string>();
  private selectedNow: string | undefined;

  constructor(random: Choices, calm: () => boolean) {
    super({
      job: (args, _schema, job) => (calm() ? undefined : jobEnd(random, args, job)),
      serves: (schema) => calm() || schema === schemaOf(this.live()) || random.chance(0.7),
    });
  }

  override apply(object: KubeObject): void {
    super.apply(object);
    if (object.kind === 'Job') this.lookAtJob(object as Job);
    this.look();
  }

  override remove(ref: string): void {
    super.remove(ref);
    this.look();
  }

  override act(): boolean {
    const changed = super.act();
    for (const job of this.jobs('verify')) {
      const end = job.status?.conditions?.[0];
      const id = job.metadata.labels?.[RELOAD] ?? '';
      if (end?.type === 'Complete' && argsOf(job).includes('--against')) this.clean.add(id);
    }
    this.look();
    return changed;
  }

  override pass(): ReturnType<OperatorModel['pass']> {
    const result = super.pass();
    const { id, message } = this.status.reload ?? {};
    if (message === 'Aborted on request' && !this.asked.has(`Abort ${id}`))
      this.broken.push(`reload ${id} is aborted, which nobody asked for`);
    return result;
  }

  override recreate(): void {
    const before = this.generation;
    super.recreate();
    this.isRecreated = true;
    this.generation = before;
    this.selectedNow = undefined;
  }

  /** The copy that serves is not migrated again: its servers would read half-made tables. */
  private lookAtJob(job: Job): void {
    const [what] = argsOf(job);
    if (what !== 'migrate') return;
    // All attempts at one migration have the same revision.
    const revision = job.metadata.labels?.[`${GROUP}/revision`] ?? '';
    const isNew = !this.migrations.has(revision);
    this.migrations.add(revision);
    const isServing = this.live() !== undefined && schemaIn(job) === schemaOf(this.live());
    if (isNew && isServing && this.served.length > 0)
      this.broken.push(`${job.metadata.name} migrates the copy that serves`);
  }

  private look(): void {
    const service = this.objects.get('Service/sample') as Service | undefined;
    if (service === undefined) return;
    const color = service.spec.selector?.[LABEL.color];
    const { annotations = {} } = service.metadata;
    if (annotations[ANNOTATION.live] !== color) this.broken.push('two copies serve: one is selected, one is recorded');
    for (const job of this.jobs('drop'))
      if (isUnderWay(job) && argsOf(job)[1] === schemaOf(color)) this.broken.push('the copy that serves is dropped');
    if (this.served.length > 0 && !this.schemas.has(schemaOf(color)))
      this.broken.push('the copy that serves has no data');
    if (this.selectedNow !== undefined && this.selectedNow !== color) {
      const { [RELOAD]: id = '', [ANNOTATION.rolledBack]: back } = annotations;
      if (back !== undefined && !this.asked.has(`Rollback ${back}`))
        this.broken.push(`reload ${back} is rolled back, which nobody asked for`);
      if (back === undefined && !this.clean.has(id) && !this.unverified.has(id))
        this.broken.push(`${color} serves after reload ${id}, which no verification has found clean`);
      if (back === undefined && this.manual.has(id) && !this.asked.has(`Promote ${id}`))
        this.broken.push(`reload ${id} is promoted, which nobody asked for`);
    }
    this.selectedNow = color;
  }
}

/** How a Job ends while things go wrong. */
function jobEnd(random: Choices, [what]: string[], { metadata }: Job): JobEnd | undefined {
  if (random.chance(0.2)) return 'hang';
  if (what === '-v' && random.chance(0.3)) {
    // A difference near the head is gone when it is compared again, or it stays.
    const report = { ok: false, code: 'differs', differing: '7', message: 'height 7 differs' };
    return { exitCode: 1, report };
  }
  const isFirst = metadata.annotations?.[ANNOTATION.attempt] === '0';
  return isFirst && random.chance(0.2) ? { exitCode: 137 } : undefined;
}

/** One random event, as text for the story. */
function happen(model: Watched, random: Choices): string {
  const { reload = {} } = model.spec as { reload?: { id?: string; verify?: string } };
  switch (random.int(0, 15)) {
    case 0: {
      const isWorking = reload.id !== undefined && !FINAL_PHASES.has(model.status.reload?.phase);
      if (isWorking && random.chance(0.7)) return 'nothing';
      const id = `r${model.generation}`;
      const verify = pick(random, ['all', 'all', '1-50', 'none']);
      if (verify === 'none') model.unverified.add(id);
      const promotion = pick(random, ['Automatic', 'Manual']);
      if (promotion === 'Manual') model.manual.add(id);
      const retain = pick(random, ['20s', '1h']);
      model.reload({ id, verify, promotion, retain, heights: random.chance(0.15) ? '3-4,9' : 'all' });
      return `reload ${id}, verify ${verify}, ${promotion}`;
    }
    case 1: {
      const { id: actionFor, phase } = model.status.reload ?? {};
      if (actionFor === undefined) return 'nothing';
      const fitting = phase === 'Retaining' ? 'Rollback' : 'Promote';
      const action = random.chance(0.7) ? fitting : pick(random, ['Promote', 'Rollback', 'Abort']);
      model.reload({ action, actionFor });
      model.asked.add(`${action} ${actionFor}`);
      return `${action} ${actionFor}`;
    }
    case 2: {
      if (!random.chance(0.3)) return 'nothing';
      model.reload({ id: undefined });
      return 'the id is removed';
    }
    case 3: {
      model.spec = { ...model.spec, paused: random.chance(0.3) };
      model.generation++;
      return `paused: ${String(model.spec['paused'])}`;
    }
    case 4: {
      model.crashAt = model.writes + random.int(0, 4);
      return `the operator ends before write ${model.crashAt}`;
    }
    case 5: {
      const [ref, object] = pick(random, [...model.objects]) ?? [];
      if (object === undefined) return 'nothing';
      const isOfServing = object.metadata.labels?.[LABEL.color] === (model.live() ?? model.selected);
      if (!['Job', 'Deployment', 'Service'].includes(object.kind) || (isOfServing && object.kind === 'Deployment'))
        return 'nothing';
      model.remove(ref);
      return `somebody deletes ${ref}`;
    }
    case 6:
    case 7: {
      const ms = pick(random, [1_000, 15_000, 60_000, 3_600_000]);
      model.now += ms;
      return `${ms / 1000} s later`;
    }
    case 8:
      if (random.chance(0.6)) return 'nothing';
      model.recreate();
      return 'the resource is deleted and applied again';
    default: {
      const { id, phase } = model.status.reload ?? {};
      const isBack = phase === 'Retaining' && random.chance(0.5);
      if (isBack) {
        model.reload({ action: 'Rollback', actionFor: id });
        model.asked.add(`Rollback ${id}`);
      }
      for (let i = random.int(2, 8); i > 0; i--) {
        model.pass();
        model.act();
      }
      return `${isBack ? `Rollback ${id}, ` : ''}passes, and the cluster acts`;
    }
  }
}

/** Nothing of another copy is left, and no Job works. */
function leftOf(model: Watched): string[] {
  const other = model.live() === 'blue' ? 'green' : 'blue';
  const objects = [...model.objects.values()].flatMap((object) => {
    const { labels = {}, name } = object.metadata;
    const isOther = object.kind !== 'Job' && labels[LABEL.color] === other;
    return isOther || (object.kind === 'Job' && isUnderWay(object as Job)) ? [`${object.kind}/${name}`] : [];
  });
  const message = model.status.reload?.message ?? '';
  const isTold = /could not be dropped|more proven work/.test(
    message + (model.status.conditions ?? []).map((one) => one.message).join(),
  );
  const isLeft = model.schemas.has(schemaOf(other)) && !isTold && !model.isRecreated;
  return [...objects, ...(isLeft ? [`schema ${schemaOf(other)}`] : [])];
}

/** Lets the reload end, and aborts one that waits for a person. */
function finish(model: Watched): void {
  model.settle();
  if (FINAL_PHASES.has(model.status.reload?.phase)) return;
  const { id } = model.status.reload ?? {};
  model.reload({ action: 'Abort', actionFor: id });
  model.asked.add(`Abort ${id}`);
  model.settle();
}

describe('Reloads', () => {
  it(`keep what they promise in ${ORDERS} random orders of events`, () => {
    const ends = new Map<string, number>();
    for (let order = 0; order < Number(ORDERS); order++) {
      const random = choices(Number(SEED) * 1_000_003 + order);
      let calm = true;
      const model = new Watched(random, () => calm);
      model.settle();
      const story: string[] = [];
      try {
        calm = false;
        for (let event = 0; event < EVENTS && model.broken.length === 0; event++) story.push(happen(model, random));
        calm = true;
        model.spec = { ...model.spec, paused: false };
        model.crashAt = Infinity;
        if (model.broken.length === 0) finish(model);
        expect([...model.broken, ...model.faults].join('; ')).to.equal('');
        const { phase } = model.status.reload ?? {};
        if (phase !== undefined) expect(FINAL_PHASES, phase).to.include(phase);
        expect(leftOf(model).join(), 'left after the end').to.equal('');
        ends.set(phase ?? 'none', (ends.get(phase ?? 'none') ?? 0) + 1);
      } catch (cause) {
        throw new Error(`order ${order} of SEED=${SEED}: ${(cause as Error).message}\n${story.join('\n')}`, { cause });
      }
    }
    if (Number(ORDERS) >= 50)
      expect([...ends.keys()], JSON.stringify([...ends])).to.include.members([
        'Complete',
        'Aborted',
        'Failed',
        'RolledBack',
      ]);
  }).timeout(1_200_000);
});
