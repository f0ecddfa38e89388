import { expect } from 'chai';
import { variables } from '../../src/operator/desired/config.js';
import { httpRoute } from '../../src/operator/desired/http-route.js';
import { ingress } from '../../src/operator/desired/ingress.js';
import { networkPolicy } from '../../src/operator/desired/network-policy.js';
import { liveService } from '../../src/operator/desired/services.js';
import { serverPod } from '../../src/operator/desired/workloads.js';
import { OperatorModel } from '../support/operator-model.js';

const HOST = 'mdw.chain.example';
const PARENTS = [{ name: 'public' }];

/** What is made for a resource that may have a port for the compatible API. */
function made(spec: object) {
  const basis = new OperatorModel({ spec: { networkPolicy: { enabled: true }, ...spec } }).basis();
  const { resource } = basis;
  const ports = (of: unknown): number[] => (of as { port: number }[]).map(({ port }) => port);
  const service = liveService(resource, 'blue').spec as { ports: { port: number }[] };
  const [policy] = networkPolicy(basis).map((one) => one.spec as { ingress: { ports: { port: number }[] }[] });
  const [rules] = ingress(resource).map((one) => one.spec as { tls?: { hosts: string[] }[]; rules: object[] });
  return {
    address: variables(resource)['COMPAT_ADDRESS'],
    service: ports(service.ports),
    policy: ports(policy!.ingress[0]!.ports),
    pod: (serverPod(resource, { color: 'blue', schema: 'mdw' }).container!['ports'] as { containerPort: number }[]).map(
      (one) => one.containerPort,
    ),
    ingress: rules,
    routes: httpRoute({ ...basis, kinds: new Set(['HTTPRoute']) }),
  };
}

describe('The compatible API of a resource', () => {
  it('has no port by default', () => {
    const { address, service, policy, pod } = made({});
    expect(address).to.equal(undefined);
    for (const ports of [service, policy, pod]) expect(ports).to.not.include(4000);
  });

  for (const [how, spec] of Object.entries({
    'its field': { server: { compatibleApi: true } },
    'a host in an Ingress': { ingress: { host: 'chain.example', compatibleHost: HOST } },
    'hosts in an HTTPRoute': { httpRoute: { parentRefs: PARENTS, compatibleHostnames: [HOST] } },
  }))
    it(`has a port of servers, Service and NetworkPolicy by ${how}`, () => {
      const { address, service, policy, pod } = made(spec);
      expect(address).to.equal('0.0.0.0:4000');
      for (const ports of [service, policy, pod]) expect(ports).to.include(4000);
    });

  it('has a host of its own in the Ingress, which the certificate is for, too', () => {
    const { ingress } = made({ ingress: { host: 'chain.example', compatibleHost: HOST, tls: { secretName: 'tls' } } });
    expect(ingress?.tls?.[0]?.hosts).to.deep.equal(['chain.example', HOST]);
    expect(ingress?.rules[1]).to.deep.equal({
      host: HOST,
      http: {
        paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'sample', port: { name: 'compat' } } } }],
      },
    });
  });

  it('has a route of its own, because hosts are those of all rules of a route', () => {
    const { routes } = made({
      httpRoute: { parentRefs: PARENTS, hostnames: ['chain.example'], compatibleHostnames: [HOST] },
    });
    expect(
      routes.map(({ metadata, spec }) => [metadata.name, (spec as { hostnames: string[] }).hostnames]),
    ).to.deep.equal([
      ['sample', ['chain.example']],
      ['sample-compatible', [HOST]],
    ]);
    expect((routes[1]!.spec as { rules: object[] }).rules).to.deep.equal([
      { matches: [{ path: { type: 'PathPrefix', value: '/' } }], backendRefs: [{ name: 'sample', port: 4000 }] },
    ]);
  });
});
