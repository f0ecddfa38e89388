import { expect } from 'chai';
import { decide } from '../../src/operator/decide/decide.js';
import { variables } from '../../src/operator/desired/config.js';
import { networkPolicy } from '../../src/operator/desired/network-policy.js';
import { populatorDeployment, serverDeployment } from '../../src/operator/desired/workloads.js';
import type { CopyPlan } from '../../src/operator/types.js';
import { version } from '../../src/observe/version.js';
import { OperatorModel } from '../support/operator-model.js';

const COPY: CopyPlan = { color: 'blue', schema: 'mdw', populates: true, servers: 2 };

describe('The pods of a resource', () => {
  it('do not change with the version of the operator, nor with its image where the resource names one', () => {
    const model = new OperatorModel({ spec: { image: 'example.test/mdw:7' } });
    model.settle();
    const own = (defaultImage: string) => decide({ ...model.observed(), defaultImage }).want;

    const children = own('localhost/chain-middleware:1');
    expect(children.map(({ kind }) => kind)).to.include.members(['Job', 'Deployment', 'Service', 'ConfigMap']);
    expect(own('localhost/chain-middleware:2')).to.deep.equal(children);
    expect(JSON.stringify(children)).to.not.contain(version);
  });

  describe('are ready', () => {
    const probed = (server: object, copy: CopyPlan = COPY): unknown => {
      const world = new OperatorModel({ spec: { server } }).basis();
      const [container] = serverDeployment(world, copy).spec.template.spec.containers;
      return (container?.['readinessProbe'] as { httpGet: { path: string } }).httpGet.path;
    };

    it('when the first load is done, unless firstLoad is Serve', () => {
      expect(probed({})).to.equal('/readyz?loaded=true');
      expect(probed({ firstLoad: 'Serve' })).to.equal('/readyz');
      expect(probed({ firstLoad: 'Serve', maxLag: 3 })).to.equal('/readyz?max-lag=3');
    });

    it('only when the load is done, if a reload made the copy', () => {
      expect(probed({ firstLoad: 'Serve' }, { ...COPY, reload: 'one' })).to.equal('/readyz?loaded=true');
    });
  });
});

describe('The Rosetta interface of the node', () => {
  const NODE = { urls: ['http://node:3013'] };
  const of = (node: object) =>
    new OperatorModel({ spec: { node: { ...NODE, ...node }, networkPolicy: { enabled: true } } }).basis();
  const portsOf = (node: object): number[] => {
    const [policy] = networkPolicy(of(node));
    const { egress } = policy!.spec as { egress: { ports: { port: number }[] }[] };
    return egress[1]!.ports.map(({ port }) => port);
  };
  interface Pod {
    containers: { env: { name: string; value: string }[]; volumeMounts: { name: string }[] }[];
    volumes: { name: string; secret?: { secretName: string } }[];
  }
  const podOf = (deployment: { spec: { template: { spec: unknown } } }): Pod => deployment.spec.template.spec as Pod;

  it('may be reached by its port', () => {
    expect(portsOf({})).to.not.include(3213);
    expect(portsOf({ rosettaUrl: 'http://node:3214' })).to.include(3214);
    expect(portsOf({ rosettaUrl: 'http://node:3214,https://other:3215/x' })).to.include.members([3214, 3215]);
    expect(portsOf({ rosettaSecret: { name: 'rosetta', key: 'url' } })).to.include(3213);
  });

  it('is a setting, or a file of a Secret that only populators have', () => {
    expect(variables(of({ rosettaUrl: 'http://node:3214' }).resource)).to.include({ ROSETTA_URL: 'http://node:3214' });
    const basis = of({ rosettaSecret: { name: 'rosetta', key: 'address' } });
    expect(variables(basis.resource)).to.not.have.any.keys('ROSETTA_URL');
    const { containers, volumes } = podOf(populatorDeployment(basis, COPY));
    expect(containers[0]!.env).to.deep.include({ name: 'ROSETTA_URL_FILE', value: '/var/run/secrets/mdw/rosetta/url' });
    expect(containers[0]!.volumeMounts.map(({ name }) => name)).to.include('rosetta');
    expect(volumes.find(({ name }) => name === 'rosetta')?.secret).to.deep.include({
      secretName: 'rosetta',
      items: [{ key: 'address', path: 'url' }],
    });
    expect(podOf(serverDeployment(basis, COPY)).volumes.map(({ name }) => name)).to.not.include('rosetta');
  });
});

describe('The coins of the genesis block', () => {
  interface Pod {
    containers: { env: { name: string; value: string }[]; volumeMounts: { name: string; mountPath: string }[] }[];
    volumes: { name: string; configMap?: object }[];
  }
  const podOf = (deployment: { spec: { template: { spec: unknown } } }): Pod => deployment.spec.template.spec as Pod;

  it('are a file of a ConfigMap that only populators have', () => {
    const network = { id: 'ae_own', genesisAccounts: { name: 'genesis-of-mine', key: 'own.json' } };
    const basis = new OperatorModel({ spec: { network } }).basis();
    const { containers, volumes } = podOf(populatorDeployment(basis, COPY));
    const folder = '/var/run/mdw/genesis';
    expect(containers[0]!.env).to.deep.include({ name: 'GENESIS_ACCOUNTS_FILE', value: `${folder}/accounts.json` });
    expect(containers[0]!.volumeMounts).to.deep.include({ name: 'genesis', mountPath: folder, readOnly: true });
    expect(volumes.find(({ name }) => name === 'genesis')?.configMap).to.deep.include({
      name: 'genesis-of-mine',
      items: [{ key: 'own.json', path: 'accounts.json' }],
    });
    expect(podOf(serverDeployment(basis, COPY)).volumes.map(({ name }) => name)).to.not.include('genesis');
    const without = new OperatorModel({ spec: { network: { id: 'ae_own' } } }).basis();
    expect(podOf(populatorDeployment(without, COPY)).volumes.map(({ name }) => name)).to.not.include('genesis');
  });
});

describe('The NetworkPolicy of a resource', () => {
  const of = (policy?: object) =>
    networkPolicy(new OperatorModel({ spec: policy && { networkPolicy: policy } }).basis()).map(
      ({ spec }) => spec as { ingress: { from?: unknown; ports: { port: number }[] }[] },
    )[0];
  const prometheus = { podSelector: { matchLabels: { app: 'prometheus' } } };

  it('does not exist by default, because it cannot know the ports of pods behind a Service', () => {
    expect(of()).to.equal(undefined);
    expect(of({ monitors: [prometheus] })).to.equal(undefined);
  });

  it('always lets the operator read the health of pods', () => {
    const [, metrics] = of({ enabled: true, monitors: [prometheus] })?.ingress ?? [];
    const operator = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'operators' } } };
    expect(metrics).to.deep.equal({ ports: [{ port: 9090, protocol: 'TCP' }], from: [operator, prometheus] });
    expect(of({ enabled: true })?.ingress[1]?.from).to.deep.equal([{ namespaceSelector: {} }]);
  });
});
