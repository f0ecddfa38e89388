import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { PINS } from '../../scripts/image/pins.js';
import { commandsOf } from '../support/documents.js';
import { run } from '../support/kube-tools.js';

interface Workflow {
  on: { push: { tags: string[] } };
  jobs: { release: { steps: { uses?: string; with?: Record<string, string>; run?: string }[] } };
}

describe('the release workflow', () => {
  const text = readFileSync(new URL('../../.github/workflows/release.yaml', import.meta.url), 'utf8');
  const { on, jobs } = parse(text) as Workflow;
  const { steps } = jobs.release;

  it('builds, signs and publishes as docs/releasing.md says', () => {
    const commands = steps.map((step) => step.run ?? '').join('\n');
    const program = (line: string): string => line.split(' ').slice(0, 2).join(' ');
    const documented = commandsOf('docs/releasing.md')
      .flatMap((block) => block.trim().split('\n'))
      .filter((line) => /^(make release|skopeo copy|ssh-keygen -q -Y sign)/.test(line));

    expect(documented).to.have.length(3);
    for (const line of documented) expect(commands).to.contain(program(line));
    expect(commands).to.contain('--all --preserve-digests').and.contain('-n chain-middleware dist/release/SHA256SUMS');
    expect(on.push.tags).to.deep.equal(['v*']);
  });

  it('uses the pinned Node.js', () => {
    const node = steps.find(({ uses }) => uses?.startsWith('actions/setup-node') === true)!;

    expect(node.with!['node-version']).to.equal(PINS.amd64.node.version);
  });

  it('names one secret, contains none, and has complete scripts', () => {
    expect([...text.matchAll(/secrets\.(\w+)/g)].map(([, name]) => name)).to.deep.equal(['RELEASE_KEY']);
    expect(text).not.to.contain('PRIVATE KEY');
    for (const step of steps) {
      const { status, stderr } = run('bash', ['-n', '-c', (step.run ?? '').replace(/\$\{\{.*?\}\}/g, 'x')]);
      expect([status, stderr]).to.deep.equal([0, '']);
    }
  });
});

describe('the workflow for pull requests', () => {
  const workflow = parse(readFileSync(new URL('../../.github/workflows/checks.yaml', import.meta.url), 'utf8')) as {
    on: object;
    permissions: object;
    jobs: { checks: { strategy: { matrix: { node: number[] } }; container: string; steps: { run?: string }[] } };
  };
  const { strategy, container, steps } = workflow.jobs.checks;

  it('runs all checks on each line of Node.js, and may only read', () => {
    const { engines } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
      engines: { node: string };
    };

    expect(Object.keys(workflow.on)).to.deep.equal(['pull_request']);
    expect(workflow.permissions).to.deep.equal({ contents: 'read' });
    expect(steps.at(-1)!.run).to.equal('.ci/run');
    expect(container).to.contain('${{ matrix.node }}');
    expect(strategy.matrix.node).to.deep.equal([20, 22, 24]);
    expect(engines.node).to.contain(`>=${strategy.matrix.node[0]}.`);
  });
});
