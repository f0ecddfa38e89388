import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import { SERVED_VERSIONS, GROUP, KIND } from '../../src/operator/schema/group.js';
import { asYaml, sample } from '../../src/operator/schema/crd.js';
import { ABOUT } from './about.js';

interface KubeObject {
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Record<string, string> };
}

interface Definition extends KubeObject {
  spec: { versions: { name: string; schema: { openAPIV3Schema: { description: string } } }[] };
}

interface Role extends KubeObject {
  rules: unknown[];
}

interface Deployment extends KubeObject {
  spec: {
    template: {
      spec: {
        serviceAccountName: string;
        containers: { env: { name: string; value?: string; valueFrom?: object }[] }[];
      };
    };
  };
}

const CHANNEL = 'candidate';

const ANNOTATIONS: Record<string, string> = {
  'operators.operatorframework.io.bundle.mediatype.v1': 'registry+v1',
  'operators.operatorframework.io.bundle.manifests.v1': 'manifests/',
  'operators.operatorframework.io.bundle.metadata.v1': 'metadata/',
  'operators.operatorframework.io.bundle.package.v1': ABOUT.name,
  'operators.operatorframework.io.bundle.channels.v1': CHANNEL,
  'operators.operatorframework.io.bundle.channel.default.v1': CHANNEL,
};

/**
 * The bundle by which the Operator Lifecycle Manager (OLM) installs the operator: content of its files by path. It is made
 * from the rendered chart, so that both are the same.
 */
export function bundleFiles(rendered: string, image: string): Record<string, string> {
  const objects = parseAllDocuments(rendered).flatMap((document) => (document.toJS() as KubeObject | null) ?? []);
  const ofKind = (kind: string): KubeObject[] => objects.filter((object) => object.kind === kind);
  const definition = ofKind('CustomResourceDefinition')[0] as Definition;
  const deployment = ofKind('Deployment')[0] as Deployment;
  const operator = deployment.metadata.name;
  const isOfOperator = ({ metadata }: KubeObject): boolean => metadata.name.startsWith(operator);
  const roles = [...ofKind('ClusterRole'), ...ofKind('Role')] as Role[];
  // Roles for users, who may view or edit, are separate objects. OLM creates the roles of the operator itself.
  const others = [...roles.filter((role) => !isOfOperator(role)), ...ofKind('Service')];
  const own = roles.filter(isOfOperator).flatMap(({ rules }) => rules);

  const manifests = [definition, ...others].map((object): [string, string] => [
    `manifests/${object.metadata.name}.${object.kind.toLowerCase()}.yaml`,
    asYaml(withoutNamespace(object)),
  ]);
  return {
    [`manifests/${ABOUT.name}.clusterserviceversion.yaml`]: asYaml(serviceVersion(definition, deployment, own, image)),
    ...Object.fromEntries(manifests),
    'metadata/annotations.yaml': asYaml({ annotations: ANNOTATIONS }),
    'bundle.Dockerfile': [
      'FROM scratch',
      ...Object.entries(ANNOTATIONS).map(([name, value]) => `LABEL ${name}=${value}`),
      'COPY manifests /manifests/',
      'COPY metadata /metadata/',
      '',
    ].join('\n'),
  };
}

/** The object without a namespace: OLM creates it in the namespace of the operator. */
function withoutNamespace(object: KubeObject): KubeObject {
  const { namespace, ...metadata } = object.metadata;
  return { ...object, metadata };
}

function serviceVersion(definition: Definition, deployment: Deployment, rules: unknown[], image: string) {
  const { name, version, title, description } = ABOUT;
  const { serviceAccountName } = deployment.spec.template.spec;
  return {
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'ClusterServiceVersion',
    metadata: {
      name: `${name}.v${version}`,
      annotations: {
        capabilities: 'Seamless Upgrades',
        categories: 'Database',
        containerImage: image,
        description,
        'alm-examples': JSON.stringify(
          SERVED_VERSIONS.map((served) => ({ ...sample, apiVersion: `${GROUP}/${served}` })),
          null,
          2,
        ),
      },
    },
    spec: {
      displayName: title,
      description,
      version,
      maturity: 'alpha',
      minKubeVersion: '1.30.0',
      provider: { name: title },
      keywords: ['aeternity', 'blockchain', 'indexer', 'postgresql'],
      icon: [{ base64data: iconOf(), mediatype: 'image/svg+xml' }],
      relatedImages: [{ name, image }],
      // OLM gives these rights in the namespaces of the OperatorGroup, or in all of them when it names none.
      installModes: ['OwnNamespace', 'SingleNamespace', 'MultiNamespace', 'AllNamespaces'].map((type) => ({
        type,
        supported: true,
      })),
      customresourcedefinitions: {
        owned: definition.spec.versions.map((served) => ({
          name: definition.metadata.name,
          version: served.name,
          kind: KIND,
          displayName: KIND,
          description: served.schema.openAPIV3Schema.description,
        })),
      },
      install: {
        strategy: 'deployment',
        spec: {
          permissions: [{ serviceAccountName, rules }],
          deployments: [
            {
              name: deployment.metadata.name,
              label: deployment.metadata.labels,
              spec: inItsNamespaces(deployment).spec,
            },
          ],
        },
      },
    },
  };
}

/** The Deployment, with the watched namespaces from the annotation into which OLM writes them. */
function inItsNamespaces(deployment: Deployment): Deployment {
  const copy = structuredClone(deployment);
  for (const { env } of copy.spec.template.spec.containers) {
    const named = env.find(({ name }) => name === 'OPERATOR_NAMESPACES')!;
    delete named.value;
    named.valueFrom = { fieldRef: { fieldPath: "metadata.annotations['olm.targetNamespaces']" } };
  }
  return copy;
}

const iconOf = (): string => readFileSync(new URL('../../explorer/icon.svg', import.meta.url)).toString('base64');
