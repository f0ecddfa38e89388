/** What the operator makes of a resource with a node of a hyperchain. The programs of its Jobs and Deployments run on this machine. */
import { expect } from 'chai';
import pg from 'pg';
import type { Devnode } from '../../devtools/devnode/start.js';
import type { ReloadPhase } from '../../src/operator/schema/status.js';
import { readHead } from '../../src/store/chain-state.js';
import { closeDevnodes, open } from '../support/devnode.js';
import { logicalDump } from '../support/dump.js';
import { describeWith } from '../support/kube-tools.js';
import { mdw } from '../support/mdw.js';
import { chainDump, cleanDump } from '../support/populating.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { openAs } from '../support/roles.js';
import { watchService } from './support/endpoints.js';
import type { Watcher } from './support/endpoints.js';
import { eventually } from './support/eventually.js';
import { missingPlane } from './support/plane.js';
import { RealPrograms } from './support/real-programs.js';
import { openScene } from './support/scene.js';
import type { Scene } from './support/scene.js';

const NETWORK = 'hc_mine';
const OTHER = 'hc_other';
/** What makes a load last, so that the chain changes while it runs. */
const SLOW = { slowMs: 8 };

describeWith(missingPlane, 'a resource of a hyperchain', function () {
  this.bail(true);
  let scene: Scene;
  let server: TestDatabase;
  let [devnode, other] = [] as unknown as [Devnode, Devnode];
  let programs: RealPrograms;
  let watcher: Watcher | undefined;

  const chain = (networkId: string): Promise<Devnode> =>
    open({
      networkId,
      source: {
        generate: { seed: 'cluster', generations: 45, txsPerGeneration: 4, emptyShare: 0.5, consensus: 'hyperchain' },
      },
    });
  /** What happens to the chain while a Job runs. */
  const during = async ([command]: readonly string[]): Promise<void> => {
    if (command !== '-H' && command !== '-v') return;
    await devnode.grow(2);
    await devnode.fork({ depth: 4, grow: 6, retainTxs: 'some' });
  };

  before(async () => {
    scene = await openScene();
    server = await testDatabase();
    [devnode, other] = await Promise.all([chain(NETWORK), chain(OTHER)]);
    programs = new RealPrograms(server.url, during);
    await scene.secret('db', server.url);
    scene.operator({ programs, reach: programs.reach, probeMs: 300 });
  });
  after(async () => {
    await watcher?.stop();
    await scene.close();
    await programs.close();
    await closeDevnodes();
    await server.drop();
  });

  const schemas = async (): Promise<string[]> => {
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    const { rows } = await client.query<{ name: string }>(
      `SELECT nspname AS name FROM pg_namespace WHERE nspname LIKE 'mdw%' ORDER BY 1`,
    );
    await client.end();
    return rows.map(({ name }) => name);
  };
  const inSchema = async <T>(schema: string, read: (database: ReturnType<typeof openAs>) => Promise<T>): Promise<T> => {
    const database = openAs(server.url, schema);
    return read(database).finally(() => database.close());
  };
  const follows = (schema: string): Promise<void> =>
    inSchema(schema, (database) =>
      eventually(async () => {
        const head = await readHead(database);
        expect(head?.microHashes.at(-1) ?? head?.hash).to.equal(devnode.top().hash);
      }),
    );
  const answer = async (deployment: string, path: string): Promise<unknown> =>
    (await fetch((await programs.server(deployment)) + path)).json();
  const phase = (wanted: ReloadPhase): Promise<unknown> =>
    eventually(async () => expect((await scene.status('a')).reload?.phase).to.equal(wanted));
  const argsOf = (...commands: string[]): string[] =>
    programs.ended.map(({ args }) => args).filter((args) => commands.includes(args.split(' ')[0]!));

  it('is refused before anything is written if its node is of another network than the one that it names', async () => {
    await scene.create('a', {
      node: { urls: [devnode.externalUrl] },
      network: { id: OTHER, blockTime: '3s' },
      server: { replicas: 1 },
      reload: { retain: '1s' },
    });
    const { message } = await scene.condition('a', 'Stalled', 'True', 'WrongNetwork');
    expect(message).to.contain(`is on network ${NETWORK}, not ${OTHER}`).and.to.contain('spec.network.id');
    expect(await schemas()).to.deep.equal([]);
    expect(await scene.list('Deployment', 'app.kubernetes.io/instance=a')).to.deep.equal([]);
  });

  it('is loaded and served once it names the network of the node', async () => {
    await scene.change('a', { network: { id: NETWORK } });
    await scene.settled('a');
    await follows('mdw');
    expect(await answer('a-server-blue', '/middleware/network')).to.include({
      network_id: NETWORK,
      consensus: 'hyperchain',
    });
  });

  it('is reloaded while the chain grows and forks: the second copy is loaded, verified and switched to, and the first one dropped', async () => {
    watcher = watchService(scene.plane.client, scene.namespace, 'a');
    await eventually(() => expect(watcher!.colors).to.deep.equal(['blue']));
    devnode.misbehave(SLOW);
    const { status, stdout } = await mdw(['reload', 'a', '--id', 'one', '--watch', '-n', scene.namespace], {
      KUBECONFIG: scene.plane.kubeconfig,
    });
    devnode.misbehave(null);
    expect(status, stdout).to.equal(0);
    await phase('Complete');

    expect(watcher.colors).to.deep.equal(['blue', 'green']);
    expect(watcher.faults).to.deep.equal([]);
    expect(argsOf('-H')[0]).to.match(/^-H 0-\d+$/);
    expect(argsOf('-v')[0]).to.match(/^-v 0-\d+ --quiet --against mdw$/);
    const verified = programs.ended.filter(({ args }) => args.startsWith('-v'));
    expect(verified.at(-1)!.message, 'the verification after which it was switched').to.include({ ok: true });
    expect(await schemas()).to.deep.equal(['mdw_green']);

    await devnode.fork({ depth: 3, grow: 5 });
    await follows('mdw_green');
    expect(await answer('a-server-green', '/middleware/network')).to.include({
      network_id: NETWORK,
      consensus: 'hyperchain',
    });
    const clean = await cleanDump(server, 'clean', devnode.externalUrl);
    expect(await inSchema('mdw_green', chainDump)).to.deep.equal(clean);
  });

  for (const [what, spec, named] of [
    ['its nodes are of another network', () => ({ node: { urls: [other.externalUrl] } }), /is on network hc_\w+, not/],
    ['it names another network than its copy holds', () => ({ network: { id: OTHER } }), /holds network hc_mine, and/],
  ] as const) {
    it(`leaves its copy as it is, which is still followed and served, if ${what}`, async () => {
      const before = await inSchema('mdw_green', logicalDump);
      await scene.change('a', spec());
      const { message } = await scene.condition('a', 'Stalled', 'True', 'WrongNetwork');
      expect(message).to.match(named);
      expect(await inSchema('mdw_green', logicalDump)).to.deep.equal(before);
      expect(await schemas()).to.deep.equal(['mdw_green']);
      await devnode.grow(1);
      await follows('mdw_green');

      await scene.change('a', { node: { urls: [devnode.externalUrl] }, network: { id: NETWORK } });
      await scene.settled('a');
    });
  }
});
