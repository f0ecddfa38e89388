import { expect } from 'chai';
import { EVERYTHING, OperatorModel } from '../support/operator-model.js';
import type { Allowed } from '../../src/operator/types.js';

const ingress = (more: object) => ({ ingress: { host: 'chain.example', ...more } });
const cluster = (more: object) => ({ database: { cluster: { name: 'pg', create: true, ...more } } });
const container = (image: string) => ({
  server: { podTemplate: { spec: { containers: [{ name: 'side', image }] } } },
});

function modelOf(spec: object, allowed: Partial<Allowed> = {}): OperatorModel {
  const model = new OperatorModel({ spec: spec as Record<string, unknown> });
  model.allowed = { ...EVERYTHING, ...allowed };
  return model;
}

function stalled(model: OperatorModel) {
  model.settle();
  const { status, reason, message } = model.status.conditions!.find(({ type }) => type === 'Stalled')!;
  return { status, reason, message };
}

const REFUSED: [what: string, spec: object, allowed: Partial<Allowed>, words: string[]][] = [
  [
    'a snippet by default',
    ingress({ annotations: { 'nginx.ingress.kubernetes.io/configuration-snippet': 'x' } }),
    {},
    [
      'spec.ingress.annotations nginx.ingress.kubernetes.io/configuration-snippet',
      'any annotation but snippets',
      'allowed.ingressAnnotations',
    ],
  ],
  [
    'a snippet among the annotations of everything',
    { ...ingress({}), annotations: { 'nginx.org/server-snippets': 'x' } },
    {},
    ['spec.annotations nginx.org/server-snippets'],
  ],
  [
    'a snippet under another prefix',
    ingress({ annotations: { 'ingress.example/config-backend': 'x' } }),
    {},
    ['ingress.example/config-backend'],
  ],
  [
    'a snippet of which only the beginning is allowed',
    ingress({ annotations: { 'haproxy-ingress.github.io/config-backend': 'x' } }),
    { ingressAnnotations: ['haproxy-ingress.github.io/*', '*'] },
    ['haproxy-ingress.github.io/config-backend', 'by its whole name', 'haproxy-ingress.github.io/*'],
  ],
  [
    'another annotation of the Ingress',
    ingress({ annotations: { 'a.example/b': 'x' } }),
    { ingressAnnotations: ['cert-manager.io/*', 'a.example/bc'] },
    ['spec.ingress.annotations a.example/b is', 'cert-manager.io/*, a.example/bc', 'allowed.ingressAnnotations'],
  ],
  [
    'another type of the Service',
    { server: { service: { type: 'LoadBalancer' } } },
    { serviceTypes: ['NodePort'] },
    ['spec.server.service.type LoadBalancer', 'use one of NodePort, ClusterIP,', '--allowed-service-types'],
  ],
  [
    'another type of a Service of a Cluster',
    cluster({
      spec: { managed: { services: { additional: [{ serviceTemplate: { spec: { type: 'LoadBalancer' } } }] } } },
    }),
    { serviceTypes: ['ClusterIP'] },
    ['spec.database.cluster.spec.managed.services.additional[0].serviceTemplate.spec.type LoadBalancer'],
  ],
  [
    'another image',
    { image: 'evil.example/x:1' },
    { images: ['ok.example'] },
    ['spec.image evil.example/x:1', 'ok.example'],
  ],
  [
    'an image whose registry only begins alike',
    { image: 'ok.example.evil/x:1' },
    { images: ['ok.example'] },
    ['spec.image'],
  ],
  ['what only begins as the image of the operator', { image: 'mdw:1/x' }, { images: ['ok.example'] }, ['spec.image']],
  ['an image of another port', { image: 'ok.example:5000/x:1' }, { images: ['ok.example'] }, ['spec.image']],
  [
    'another image of a container that a template adds',
    container('evil.example/x'),
    { images: ['ok.example'] },
    ['spec.server.podTemplate.spec.containers[0].image evil.example/x'],
  ],
  [
    'another image of a Cluster',
    cluster({ spec: { imageName: 'evil.example/pg' } }),
    { images: ['ok.example'] },
    ['spec.database.cluster.spec.imageName evil.example/pg'],
  ],
  [
    'a catalog of images',
    cluster({ spec: { imageCatalogRef: { kind: 'ImageCatalog', name: 'own', major: 17 } } }),
    { images: ['ok.example'] },
    ['spec.database.cluster.spec.imageCatalogRef.name own'],
  ],
  [
    'another image of a trial database',
    { database: { trial: {} } },
    { images: ['ok.example'] },
    ['spec.database.trial.image docker.io/library/postgres:18'],
  ],
  [
    'another class of the Ingress',
    ingress({ className: 'internal' }),
    { ingressClasses: ['public'] },
    ['spec.ingress.className internal', 'public'],
  ],
  [
    'another class by annotation',
    ingress({ annotations: { 'kubernetes.io/ingress.class': 'internal' } }),
    { ingressClasses: ['public'] },
    ['spec.ingress.annotations[kubernetes.io/ingress.class] internal'],
  ],
  [
    'another Gateway',
    { httpRoute: { parentRefs: [{ name: 'public', namespace: 'edge' }, { name: 'public' }] } },
    { gateways: ['edge/public'] },
    ['spec.httpRoute.parentRefs[1] test/public', 'edge/public'],
  ],
  [
    'what is no Gateway',
    { httpRoute: { parentRefs: [{ kind: 'Service', name: 'public', namespace: 'edge' }] } },
    { gateways: ['edge/public'] },
    ['spec.httpRoute.parentRefs[0] Service edge/public'],
  ],
  [
    'another storage class by annotation of a volume',
    {
      populator: {
        podTemplate: {
          spec: {
            volumes: [
              {
                name: 'scratch',
                ephemeral: {
                  volumeClaimTemplate: {
                    metadata: { annotations: { 'volume.beta.kubernetes.io/storage-class': 'gold' } },
                  },
                },
              },
            ],
          },
        },
      },
    },
    { storageClasses: ['fast'] },
    ['spec.populator.podTemplate.spec.volumes[0].ephemeral', 'storage-class gold'],
  ],
  [
    'another storage class',
    { database: { trial: { storage: { storageClass: 'gold' } } } },
    { storageClasses: ['fast'] },
    ['spec.database.trial.storage.storageClass gold', 'fast'],
  ],
  [
    'another storage class of the log of a Cluster',
    cluster({ spec: { walStorage: { storageClass: 'gold' } } }),
    { storageClasses: ['fast'] },
    ['spec.database.cluster.spec.walStorage.storageClass gold'],
  ],
];

describe('What the operator was not allowed to make', () => {
  for (const [what, spec, allowed, words] of REFUSED) {
    it(`is refused by name, and nothing is made: ${what}`, () => {
      const model = modelOf(spec, allowed);
      const { message, ...state } = stalled(model);
      expect(state).to.deep.equal({ status: 'True', reason: 'NotAllowed' });
      for (const word of words) expect(message).to.contain(word);
      expect([...model.objects.keys()]).to.deep.equal([]);
    });
  }

  it('changes and removes nothing that exists, and is made when the resource is corrected', () => {
    const model = modelOf({});
    model.settle();
    const before = JSON.stringify([...model.objects]);
    model.allowed = { ...EVERYTHING, images: ['ok.example'] };
    model.spec = { ...model.spec, image: 'evil.example/x:1', ...ingress({}), monitoring: { enabled: false } };
    model.generation++;
    expect(stalled(model)).to.include({ status: 'True', reason: 'NotAllowed' });
    expect(JSON.stringify([...model.objects])).to.equal(before);
    expect(model.faults).to.deep.equal([]);

    model.spec = { ...model.spec, image: 'ok.example/x:1' };
    model.generation++;
    expect(stalled(model).status).to.equal('False');
    expect(model.objects.has('Ingress/sample')).to.equal(true);
    expect(model.status.image).to.equal('ok.example/x:1');
  });
});

describe('What the operator was allowed to make', () => {
  const SOME: Partial<Allowed> = {
    ingressAnnotations: ['cert-manager.io/*', 'nginx.ingress.kubernetes.io/configuration-snippet'],
    serviceTypes: ['NodePort'],
    images: ['ok.example/team/', 'ok.example/one', 'ok.example:5000'],
    ingressClasses: ['public'],
    storageClasses: ['fast'],
  };
  for (const [what, spec, allowed] of [
    [
      'anything but snippets without lists',
      { ...ingress({ className: 'x', annotations: { a: 'b' } }), image: 'x' },
      {},
    ],
    [
      'annotations by name and by beginning',
      ingress({
        annotations: { 'cert-manager.io/issuer': 'x', 'nginx.ingress.kubernetes.io/configuration-snippet': 'y' },
      }),
      SOME,
    ],
    ['a listed type of the Service', { server: { service: { type: 'NodePort' } } }, SOME],
    ['a resource that names nothing', ingress({}), SOME],
    ['annotations of everything without an Ingress', { annotations: { 'a.example/b': 'c' } }, SOME],
    ['a listed class', ingress({ className: 'public' }), SOME],
    ['the image of the operator', { image: 'mdw:1' }, SOME],
    ['an image below a listed one', container('ok.example/team/a/b:1'), SOME],
    ['a listed image with a tag', container('ok.example/one:1'), SOME],
    ['a listed image with a digest', container('ok.example/one@sha256:00'), SOME],
    ['an image of a listed port', container('ok.example:5000/x:2'), SOME],
  ] as [string, object, Partial<Allowed>][]) {
    it(`is made: ${what}`, () => {
      const model = modelOf(spec, allowed);
      expect(stalled(model).status).to.equal('False');
      expect(model.status.phase).to.equal('Serving');
    });
  }
});

describe('A trial database that is turned off', () => {
  const TRIAL = { database: { trial: {} } };

  it('is refused, with what to do, and nothing is made', () => {
    const model = modelOf(TRIAL, { trial: false });
    const { message, ...state } = stalled(model);
    expect(state).to.deep.equal({ status: 'True', reason: 'TrialDisabled' });
    expect(message).to.contain('spec.database.trial').and.to.contain('trial.enabled');
    expect([...model.objects.keys()]).to.deep.equal([]);
  });

  it('stays in use if it exists', () => {
    const model = modelOf(TRIAL);
    model.settle();
    expect(model.objects.has('StatefulSet/sample-postgres')).to.equal(true);
    model.allowed = { ...EVERYTHING, trial: false };
    expect(stalled(model).status).to.equal('False');
    expect(model.status.phase).to.equal('Serving');
  });
});
