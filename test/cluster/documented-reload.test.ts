/** Runs the commands of docs/reload.md, unchanged, on a resource `sample`. */
import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import type { Reach } from '../../src/operator/observe/prober.js';
import type { ReloadPhase } from '../../src/operator/schema/status.js';
import { codeOf, commandsOf, namedIn } from '../support/documents.js';
import { describeWith, missingTools, tool } from '../support/kube-tools.js';
import { OF_SYSTEM, installIn } from '../support/mdw.js';
import { eventually } from './support/eventually.js';
import { missingPlane } from './support/plane.js';
import { openScene } from './support/scene.js';
import type { Scene } from './support/scene.js';

const DOCUMENT = 'docs/reload.md';
const BIN = fileURLToPath(new URL('../../bin', import.meta.url));

/** Commands that the document names and this test does not run, with the reason. */
const ELSEWHERE: Record<string, string> = {
  'mdw -H 0-<head>': 'what a Job runs: test/cluster/reload.test.ts looks at its arguments',
  'mdw -v': 'the same',
  'mdw reload --watch': 'the heading of what the command returns; the test runs it with the name of the resource',
  'mdw copies --other mdw_green': 'what a Job runs: test/commands/copies',
  'mdw drop SCHEMA': 'test/commands/drop',
  'kubectl mdw …': 'the test runs some of the commands like that',
};

/** Answers of simulated pods to /readyz. */
const reach: Reach = ({ metadata }) => {
  const isJob = metadata.labels?.['batch.kubernetes.io/job-name'] !== undefined;
  const words = isJob
    ? { ready: true, done: 40, total: 101 }
    : { ready: true, height: 300, node_height: 300, node_state: 'ok', lag: 0, loading: false };
  return Promise.resolve({ status: 200, body: JSON.stringify(words) });
};

/** Each command as one line, without its comment. */
const LINES = commandsOf(DOCUMENT).flatMap((block) =>
  block
    .trim()
    .split('\n')
    .map((line) => line.replace(/ +#.*/, '')),
);
const NAMED = namedIn(DOCUMENT, /^(mdw|kubectl|helm) /);

describeWith(missingPlane || missingTools('kubectl'), 'the documented reload, word for word', function () {
  this.bail(true);
  let scene: Scene;
  let folder: string;
  const ran = new Set<string>();

  before(async () => {
    scene = await openScene();
    folder = mkdtempSync(join(tmpdir(), 'mdw-documented-reload-'));
    installIn(folder);
    symlinkSync(join(BIN, 'kubectl-mdw'), join(folder, 'kubectl-mdw'));
    symlinkSync(tool('kubectl')!, join(folder, 'kubectl'));
    await scene.secret();
    scene.operator({ reach, probeMs: 300 });
    await scene.create('sample', { reload: { retain: '1h' }, server: { replicas: 1 } });
    await scene.settled('sample');
  });
  after(async () => {
    await scene.close();
    rmSync(folder, { recursive: true });
  });

  /** Runs a command of the document, in the namespace of the suite. */
  const runs = async (command: string, as = command.replace(/^mdw /, 'npx mdw ')): Promise<void> => {
    expect([...LINES, ...NAMED], 'of the document').to.include(command);
    ran.add(command);
    const line = `${as.replaceAll('NAME', 'sample')} -n ${scene.namespace}`;
    const env = { ...OF_SYSTEM, PATH: folder + delimiter + OF_SYSTEM.PATH, KUBECONFIG: scene.plane.kubeconfig };
    const child = spawn('bash', ['-euo', 'pipefail', '-c', line], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output = Promise.all([text(child.stdout), text(child.stderr)]);
    const [status] = (await once(child, 'exit')) as [number | null];
    expect(status, `${line}\n${(await output).join('')}`).to.equal(0);
  };
  const phase = (wanted: ReloadPhase) =>
    eventually(async () => expect((await scene.status('sample')).reload?.phase).to.equal(wanted));
  /** The patches of the document, by number. */
  const writes = (number: number): Promise<void> =>
    scene.patch('Middleware', 'sample', parse(codeOf(DOCUMENT, ['yaml'])[number]!.text));

  it('lets a new copy serve, and rolls back', async () => {
    await runs('npx mdw reload sample --watch');
    await phase('Retaining');
    await runs('mdw rollback NAME', 'kubectl mdw rollback NAME');
    await phase('RolledBack');
  });

  it('waits for a promotion', async () => {
    await runs('npx mdw reload sample --promotion Manual');
    await phase('AwaitingPromotion');
    await runs('mdw promote NAME');
    await phase('Retaining');
    await runs('mdw rollback NAME');
    await phase('RolledBack');
  });

  it('does the same by changes of the resource', async () => {
    await writes(0);
    await phase('AwaitingPromotion');
    await writes(1);
    await phase('Retaining');
    await runs('mdw rollback NAME');
    await phase('RolledBack');
  });

  it('is paused, resumed and aborted', async () => {
    await scene.change('sample', { reload: { promotion: 'Manual' } });
    await runs('mdw reload NAME');
    await runs('mdw pause NAME');
    await eventually(async () => expect((await scene.status('sample')).phase).to.equal('Paused'));
    await runs('mdw resume NAME', 'kubectl mdw resume NAME');
    await phase('AwaitingPromotion');
    await runs('mdw abort NAME');
    await phase('Aborted');
  });

  it('replaces some heights', async () => {
    await runs('mdw reload NAME --heights 1,3-4,6,100-200');
    await phase('Complete');
  });

  it('runs all commands of the document, except those that other tests run', () => {
    const all = [...LINES, ...NAMED];
    expect(all.filter((command) => !ran.has(command) && !(command in ELSEWHERE))).to.deep.equal([]);
    expect(Object.keys(ELSEWHERE).filter((command) => !all.includes(command))).to.deep.equal([]);
  });
});
