import { trialName } from '../names.js';
import type { Allowed, Middleware } from '../types.js';
import type { World } from '../world/world.js';

/** A value of the resource that only some values are allowed for. `at` is its field. */
interface Given {
  at: string;
  value: string;
}

/** A blocker for which nothing at all is made, changed or removed. */
interface Refusal {
  reason: string;
  message: string;
  refused: true;
}

type Lists = Omit<Allowed, 'trial'>;

/** Flag of the operator for each list, which the message names. */
const FLAGS: Record<keyof Lists, string> = {
  ingressAnnotations: 'allowed-ingress-annotations',
  serviceTypes: 'allowed-service-types',
  images: 'allowed-images',
  ingressClasses: 'allowed-ingress-classes',
  gateways: 'allowed-gateways',
  storageClasses: 'allowed-storage-classes',
};

/**
 * Why nothing may be made for the resource: it asks for what the operator was not allowed to make. Nothing that exists is changed
 * or removed either, so a list that becomes shorter ends no server.
 */
export function refusalOf(world: World): Refusal | undefined {
  const { resource, allowed, children, defaultImage } = world;
  const hasDatabase = children.get('StatefulSet', trialName(resource.metadata.name)) !== undefined;
  if (resource.spec.database.trial !== undefined && !allowed.trial && !hasDatabase) {
    const message =
      'spec.database.trial is turned off: use spec.database.secret or spec.database.cluster, ' +
      'or start the operator with --trial (value trial.enabled of the chart)';
    return { reason: 'TrialDisabled', message, refused: true };
  }
  const faults = [
    ...annotationFaults(resource, allowed.ingressAnnotations),
    ...faultsOf('serviceTypes', serviceTypes(resource), allowed, isSame, 'ClusterIP'),
    ...faultsOf('images', images(resource), allowed, isImage, defaultImage),
    ...faultsOf('ingressClasses', ingressClasses(resource), allowed, isSame),
    ...faultsOf('gateways', gateways(resource), allowed, isSame),
    ...faultsOf('storageClasses', storageClasses(resource), allowed, isSame),
  ];
  return faults.length === 0 ? undefined : { reason: 'NotAllowed', message: faults.join('; '), refused: true };
}

/** `always` is allowed without being in the list. */
function faultsOf(
  name: keyof Lists,
  given: readonly Given[],
  allowed: Lists,
  isOf: (item: string, value: string) => boolean,
  always?: string,
): string[] {
  const items = allowed[name];
  if (items.length === 0) return [];
  const use = [...new Set(always === undefined ? items : [...items, always])];
  return given
    .filter(({ value }) => value !== always && !items.some((item) => isOf(item, value)))
    .map(({ at, value }) => refused(`${at} ${value} is not allowed`, `use one of ${use.join(', ')}`, name));
}

const refused = (what: string, todo: string, name: keyof Lists): string =>
  `${what}: ${todo}, or extend --${FLAGS[name]} of the operator (value allowed.${name} of the chart)`;

const isSame = (item: string, value: string): boolean => item === value;

/**
 * Annotations that are pieces of the configuration of a controller. All Ingresses of the cluster share it, and the controller may
 * read all their Secrets, so who writes a piece may read them, too.
 */
const isSnippet = (name: string): boolean => /snippet|\/config-/i.test(name);

/** An empty list allows all but snippets. A snippet is allowed only by its whole name. */
function annotationFaults({ spec }: Middleware, list: readonly string[]): string[] {
  if (spec.ingress === undefined) return [];
  const isAllowed = (name: string): boolean =>
    list.includes(name) ||
    (!isSnippet(name) &&
      (list.length === 0 || list.some((one) => one.endsWith('*') && name.startsWith(one.slice(0, -1)))));
  const use = list.length === 0 ? 'use any annotation but snippets' : `use one of ${list.join(', ')}`;
  return Object.entries({ 'spec.annotations': spec.annotations, 'spec.ingress.annotations': spec.ingress.annotations })
    .flatMap(([at, annotations]) => Object.keys(annotations ?? {}).map((name) => ({ at, name })))
    .filter(({ name }) => !isAllowed(name))
    .map(({ at, name }) => {
      const what = `${at} ${name} is not allowed`;
      return refused(
        isSnippet(name) ? `${what}, because a snippet must be listed by its whole name` : what,
        use,
        'ingressAnnotations',
      );
    });
}

/** An item is a registry, a repository or an image: after it, the name of the image ends, or a part, a tag or a digest follows. */
const isImage = (item: string, image: string): boolean =>
  image.startsWith(item) &&
  // A port is none of these: host:5000/name is on another registry than host/name.
  (item.endsWith('/') || /^($|\/|@|:[^/]*$)/.test(image.slice(item.length)));

const PASSED_THROUGH = ['server', 'populator', 'migration'] as const;

/** What the resource passes through to other objects without a schema of its own. */
const passedThrough = ({ spec }: Middleware): [at: string, value: unknown][] => [
  ...PASSED_THROUGH.map((role): [string, unknown] => [`spec.${role}.podTemplate.spec`, spec[role].podTemplate?.spec]),
  ['spec.database.cluster.spec', spec.database.cluster?.spec],
];

const serviceTypes = (resource: Middleware): Given[] => [
  { at: 'spec.server.service.type', value: resource.spec.server.service.type },
  // Services that CloudNativePG makes.
  ...passedThrough(resource)
    .flatMap(([at, value]) => textsIn(value, at))
    .filter(({ at }) => /\.serviceTemplate\.spec\.type$/.test(at)),
];

const images = (resource: Middleware): Given[] => [
  ...some('spec.image', resource.spec.image),
  ...some('spec.database.trial.image', resource.spec.database.trial?.image),
  // Containers, volumes of images, images and catalogs of images of a Cluster.
  ...passedThrough(resource)
    .flatMap(([at, value]) => textsIn(value, at))
    .filter(({ at }) => /\.(image|imageName|image\.reference|imageCatalogRef\.name)$/.test(at)),
];

const ingressClasses = ({ spec: { ingress, annotations } }: Middleware): Given[] => [
  ...some('spec.ingress.className', ingress?.className),
  ...(ingress === undefined ? [] : some(`spec.annotations[${OLD_CLASS}]`, annotations?.[OLD_CLASS])),
  ...some(`spec.ingress.annotations[${OLD_CLASS}]`, ingress?.annotations?.[OLD_CLASS]),
];

/** The name of the class before it had a field. Controllers still read it. */
const OLD_CLASS = 'kubernetes.io/ingress.class';

/** As NAMESPACE/NAME; what is no Gateway has its kind before that. */
const gateways = ({ spec, metadata }: Middleware): Given[] =>
  (spec.httpRoute?.parentRefs ?? []).map(({ kind = 'Gateway', namespace = metadata.namespace, name }, i) => ({
    at: `spec.httpRoute.parentRefs[${i}]`,
    value: `${kind === 'Gateway' ? '' : `${String(kind)} `}${String(namespace)}/${String(name)}`,
  }));

const storageClasses = (resource: Middleware): Given[] => {
  const { cluster, trial } = resource.spec.database;
  return [
    ...some('spec.database.cluster.storage.storageClass', cluster?.storage.storageClass),
    ...some('spec.database.trial.storage.storageClass', trial?.storage.storageClass),
    ...passedThrough(resource)
      .flatMap(([at, value]) => textsIn(value, at))
      // The annotation is the name of the class before it had a field. Kubernetes still reads it.
      .filter(({ at }) => /\.(storageClass(Name)?|volume\.beta\.kubernetes\.io\/storage-class)$/.test(at)),
  ];
};

const some = (at: string, value: string | undefined): Given[] => (value === undefined ? [] : [{ at, value }]);

/** All texts in a value, each with its field. */
function textsIn(value: unknown, at: string): Given[] {
  if (typeof value === 'string') return [{ at, value }];
  if (Array.isArray(value)) return value.flatMap((item, i) => textsIn(item, `${at}[${i}]`));
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, item]) => textsIn(item, `${at}.${name}`));
}
