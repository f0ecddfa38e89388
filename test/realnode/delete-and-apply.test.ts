import { expect } from 'chai';
import type { MiddlewareStatus, ReloadPhase } from '../../src/operator/schema/status.js';
import { describeWith } from '../support/kube-tools.js';
import { clusterIp, noRealNode, startRealNode } from '../support/real-node.js';
import type { RealNode } from '../support/real-node.js';
import { ask } from '../support/steady-client.js';
import { resourcesIn } from './support/resources.js';

const NAMESPACE = 'again';
const NAME = 'chain';
const ENDS: readonly (ReloadPhase | undefined)[] = ['Complete', 'Aborted', 'RolledBack', 'Failed'];

/** States of a reload: its phase, and the fields of `spec.reload` that lead there. */
const STATES = {
  'before a reload': undefined,
  'while a reload loads': { phase: 'Loading' },
  'when the new copy is verified': { phase: 'AwaitingPromotion', promotion: 'Manual' },
  'when the Service is switched': { phase: 'Retaining', retain: '1h' },
  'while the old copy is dropped': { phase: 'Retiring', retain: '1s' },
  'when the old copy is dropped': { phase: 'Complete', retain: '1s' },
} as const;
type State = keyof typeof STATES;

/** What happens to the resource then. */
const WAYS = [
  'deleted and applied again without its status',
  'deleted and applied again with its status',
  'robbed of its status',
] as const;
type Way = (typeof WAYS)[number];

const ALL = (Object.keys(STATES) as State[]).flatMap((state) => WAYS.map((way) => ({ state, way })));
/** `make test-realnode-states` tries all of them, which takes about 20 minutes. */
const CASES: { state: State; way: Way }[] =
  process.env.STATES === 'all'
    ? ALL
    : [
        { state: 'when the new copy is verified', way: 'deleted and applied again without its status' },
        { state: 'when the old copy is dropped', way: 'deleted and applied again without its status' },
        { state: 'while the old copy is dropped', way: 'robbed of its status' },
      ];

describeWith(noRealNode(), 'the copy that serves, with real containers', function () {
  // Longer than all waits of a test together, each of which says what it has waited for.
  this.timeout(1_200_000);
  this.bail(true);
  let node: RealNode;
  let admin: string;
  const resources = resourcesIn(NAMESPACE, () => node);
  const { kubectl, apply, status, eventually, well, answer } = resources;

  const sql = async (statement: string): Promise<string> =>
    Object.values((await node.sql<Record<string, unknown>>(`SELECT ${statement}`, 'mdw'))[0]!).join();
  /** Identity of the table of a copy: another one was made again. */
  const table = (schema: string): Promise<string> => sql(`to_regclass('${schema}.chain')::oid`);
  const chain = (path: string, body: object): Promise<unknown> => ask(`${admin}${path}`, body);
  const change = (spec: object): void => {
    kubectl('patch', 'mdw', NAME, '--type=merge', '-p', JSON.stringify({ spec }));
  };
  const uid = (): string => kubectl('get', 'mdw', NAME, '-o', 'jsonpath={.metadata.uid}');
  const phase = async (id: string, isWanted: (phase: ReloadPhase | undefined) => boolean): Promise<void> =>
    eventually(
      () => status(NAME).reload ?? {},
      (seen) => {
        if (seen.id !== id) return false;
        if (!isWanted(seen.phase) && ENDS.includes(seen.phase)) throw new Error(`it ended: ${JSON.stringify(seen)}`);
        return isWanted(seen.phase);
      },
    );
  const settled = async (): Promise<void> => {
    const own = uid();
    await eventually(
      () => status(NAME).uid,
      (seen) => seen === own,
    );
    await well(NAME);
  };

  before(async () => {
    node = await startRealNode(NAMESPACE);
    resources.installOperator();
    await node.sql(`CREATE ROLE mdw LOGIN PASSWORD 'first'`);
    await node.sql('CREATE DATABASE mdw OWNER mdw');
    kubectl('create', 'secret', 'generic', 'chain-db', '--from-literal=url=postgres://mdw:first@postgres/mdw');
    admin = `http://${await node.tunnel.to(clusterIp(node.plane, 'node', NAMESPACE), 3313)}`;
    const spec = { database: { secret: { name: 'chain-db' } }, websocket: { drainMs: 500 } };
    apply(resources.resource(NAME, { ...spec, populator: { pollIntervalMs: 200 } }));
    await settled();
  });
  after(() => node?.stop());
  afterEach(async function () {
    if (this.currentTest?.state === 'failed') process.stderr.write(resources.describe());
    await chain('/misbehave', []);
  });

  /** Deletes the resource with all that is deleted with it, and applies what a user has of it. */
  const deleteAndApply = async (kept?: MiddlewareStatus): Promise<void> => {
    const { spec } = JSON.parse(kubectl('get', 'mdw', NAME, '-o', 'json')) as { spec: object };
    kubectl('delete', 'mdw', NAME, '--timeout=120s');
    await eventually(
      () => kubectl('get', 'pods,jobs,services', '-l', `app.kubernetes.io/instance=${NAME}`, '-o', 'name'),
      (left) => left === '',
    );
    apply(resources.resource(NAME, spec));
    if (kept === undefined) return;
    const patch = JSON.stringify({ status: kept });
    kubectl('patch', 'mdw', NAME, '--subresource=status', '--type=merge', '-p', patch);
  };
  const removeStatus = (): void => {
    const patch = JSON.stringify([{ op: 'remove', path: '/status' }]);
    kubectl('patch', 'mdw', NAME, '--subresource=status', '--type=json', '-p', patch);
  };
  const selected = (): string =>
    kubectl('get', 'service', NAME, '-o', `jsonpath={.spec.selector['chain-middleware\\.io/color']}`);

  /** Holds back the drop of a copy until the returned function is called. */
  const holdDrop = async (schema: string): Promise<() => Promise<void>> => {
    const reader = await node.connect('mdw');
    await reader.query(`BEGIN; SELECT FROM ${schema}.chain`);
    return () => reader.end();
  };
  const dropWaits = (schema: string): Promise<void> =>
    eventually(
      () => sql(`count(*) FROM pg_stat_activity WHERE application_name = 'mdw ${schema}' AND wait_event = 'relation'`),
      (waiting) => waiting === '1',
    );

  /** Lets the reload go on, if it still does, and ends it, so that the next one can begin. */
  const endReload = async (id: string): Promise<void> => {
    change({ reload: { action: 'Abort', actionFor: id, retain: '1s' } });
    await phase(id, (seen) => ENDS.includes(seen));
    await settled();
  };

  for (const [number, { state, way }] of CASES.entries()) {
    it(`serves again when the resource is ${way} ${state}`, async () => {
      const fields = STATES[state];
      const id = `r${number}`;
      const old = status(NAME).activeSchema!;
      const letDrop = fields?.phase === 'Retiring' ? await holdDrop(old) : undefined;
      if (fields !== undefined) {
        const { phase: wanted, ...rest } = fields;
        if (wanted === 'Loading') await chain('/misbehave', { slowMs: 1_000 });
        change({ reload: { promotion: 'Automatic', retain: '1s', action: null, actionFor: null, ...rest, id } });
        await phase(id, (seen) => seen === wanted);
      }
      if (letDrop !== undefined) await dropWaits(old);
      const before = status(NAME);
      const { activeColor, activeSchema } = before;
      const oid = await table(activeSchema!);
      expect(oid).to.match(/^\d+$/);

      if (way === 'robbed of its status') removeStatus();
      else await deleteAndApply(way.endsWith('with its status') ? before : undefined);
      await letDrop?.();
      await chain('/misbehave', []);
      await settled();

      // Without its status, a reload that is under way goes on by itself, and may have ended.
      const goesOn = way === 'robbed of its status' && fields?.phase === 'Loading';
      if (goesOn) await phase(id, (seen) => seen === 'Complete');
      const [color, schema] = goesOn
        ? [status(NAME).activeColor, status(NAME).activeSchema]
        : [activeColor, activeSchema];
      if (!goesOn) expect(await table(schema!), 'the table of the copy that served').to.equal(oid);
      expect(status(NAME)).to.include({ activeColor: color, activeSchema: schema });
      expect(selected()).to.equal(color);
      expect(status(NAME).height).to.be.at.least(before.height!);
      await eventually(
        () => answer(NAME),
        (code) => code === 200,
      );
      if (way !== 'robbed of its status') {
        // No reload began, and none went on.
        if (fields !== undefined) expect(status(NAME).reload).to.include({ id });
        expect(ENDS).to.include(status(NAME).reload?.phase ?? 'Complete');
        const ran = kubectl('get', 'jobs', '-l', `app.kubernetes.io/instance=${NAME}`, '-o', 'name');
        expect(ran).to.not.match(/-(drop|load|verify|record)-/);
      } else if (fields !== undefined) await endReload(id);
    });
  }
});
