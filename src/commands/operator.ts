import { Flags } from '@oclif/core';
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { BaseCommand } from '../cli/base-command.js';
import { surviveWithoutReader } from '../cli/output.js';
import { address as addressCheck, integer } from '../config/checks.js';
import { maskLogins } from '../config/masks.js';
import { PORT } from '../config/ports.js';
import { MiddlewareError } from '../observe/errors.js';
import { keepHeapSmall } from '../runtime/heap.js';
import { createLifecycle } from '../runtime/lifecycle.js';
import { createLogger } from '../observe/logger.js';
import { createScreen } from '../observe/screen.js';
import { image, version } from '../observe/version.js';
import type { Allowed } from '../operator/types.js';

const allowed = (env: string, what: string) =>
  Flags.string({ env, default: '', summary: `${what}, separated by commas` });

const ALLOWED_FLAGS = {
  'allowed-ingress-annotations': allowed(
    'ALLOWED_INGRESS_ANNOTATIONS',
    'Annotations that an Ingress may have, or their beginnings with *; a snippet only by its whole name; all but snippets unless given',
  ),
  'allowed-service-types': allowed(
    'ALLOWED_SERVICE_TYPES',
    'Types that a Service may have: NodePort, LoadBalancer, and always ClusterIP; all unless given',
  ),
  'allowed-images': allowed(
    'ALLOWED_IMAGES',
    'Registries, repositories or images that resources may name, for example registry.example/team/; all unless given',
  ),
  'allowed-ingress-classes': allowed(
    'ALLOWED_INGRESS_CLASSES',
    'Classes that an Ingress may name, besides the default one; all unless given',
  ),
  'allowed-gateways': allowed(
    'ALLOWED_GATEWAYS',
    'Gateways that an HTTPRoute may name, as NAMESPACE/NAME; all unless given',
  ),
  'allowed-storage-classes': allowed(
    'ALLOWED_STORAGE_CLASSES',
    'Storage classes that a database may name, besides the default one; all unless given',
  ),
};

const listOf = (text = ''): string[] => text.split(',').flatMap((one) => one.trim() || []);

const SERVICE_TYPES = ['ClusterIP', 'NodePort', 'LoadBalancer'];

/** Reads what resources may ask for. */
function allowedBy(flags: { [name in keyof typeof ALLOWED_FLAGS]: string } & { trial: boolean }): Allowed {
  const serviceTypes = listOf(flags['allowed-service-types']);
  const wrong = serviceTypes.find((type) => !SERVICE_TYPES.includes(type));
  if (wrong !== undefined)
    throw new MiddlewareError('usage', `--allowed-service-types ${wrong} is not one of ${SERVICE_TYPES.join(', ')}`);
  return {
    ingressAnnotations: listOf(flags['allowed-ingress-annotations']),
    serviceTypes,
    images: listOf(flags['allowed-images']),
    ingressClasses: listOf(flags['allowed-ingress-classes']),
    gateways: listOf(flags['allowed-gateways']),
    storageClasses: listOf(flags['allowed-storage-classes']),
    trial: flags.trial,
  };
}

export default class Operator extends BaseCommand {
  static override summary = 'Run the operator: reconcile the Middleware resources of a Kubernetes cluster';
  static override description =
    'Several operators may run: one is active, the others wait. Without --kubeconfig, the account of the pod is used, or KUBECONFIG.';
  static override flags = {
    namespaces: Flags.string({
      env: 'OPERATOR_NAMESPACES',
      summary: 'Namespaces, separated by commas; all unless given',
    }),
    image: Flags.string({
      env: 'MIDDLEWARE_IMAGE',
      default: image,
      summary: 'Image of resources that do not name one',
    }),
    ...ALLOWED_FLAGS,
    trial: Flags.boolean({
      env: 'OPERATOR_TRIAL',
      default: false,
      summary: 'Make the databases of spec.database.trial; needs the right to create Secrets and StatefulSets',
    }),
    'runbook-base': Flags.string({
      env: 'RUNBOOK_BASE',
      default: '',
      summary: 'Address before docs/runbooks/… in the links of alerts, with a slash at the end; no links unless given',
    }),
    'metrics-address': Flags.string({
      env: 'METRICS_ADDRESS',
      default: `127.0.0.1:${PORT.metrics}`,
      summary: 'Address of /metrics, /healthz and /readyz; 0.0.0.0:9090 in container images',
    }),
    'lease-namespace': Flags.string({
      env: 'POD_NAMESPACE',
      summary: 'Namespace of the lease; that of the context unless given',
    }),
    'lease-name': Flags.string({
      env: 'LEASE_NAME',
      default: 'chain-middleware-operator',
      summary: 'Name of the lease',
    }),
    identity: Flags.string({
      env: 'POD_NAME',
      summary: 'Name of this process in the lease; the host and a random text unless given',
    }),
    concurrency: Flags.string({
      env: 'CONCURRENCY',
      default: '4',
      summary: 'Max resources that are reconciled at a time',
    }),
    reach: Flags.string({
      env: 'REACH',
      options: ['direct', 'proxy'],
      summary:
        'How the health of pods is read: directly or through a proxy of the API server; direct in a cluster and proxy elsewhere unless given',
    }),
    kubeconfig: Flags.string({ summary: 'Path of a kubeconfig' }),
    context: Flags.string({ summary: 'Context of the kubeconfig' }),
    'log-level': Flags.string({
      env: 'LOG_LEVEL',
      default: 'info',
      options: ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
      summary: 'Min level of the log lines to write',
    }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(Operator);
    const address = read('metrics-address', flags['metrics-address'], addressCheck);
    const concurrency = read('concurrency', flags.concurrency, integer(1, 64));
    const namespaces = listOf(flags.namespaces);
    const allowed = allowedBy(flags);
    const logger = createLogger({ level: flags['log-level'], screen: createScreen({ env: process.env }) });
    const lifecycle = createLifecycle({ logger });
    surviveWithoutReader();
    keepHeapSmall();
    const [{ startOperator }, { createOperatorMetrics }, { serveHealth }, { findAccess, isInCluster }, kube, probing] =
      await Promise.all([
        import('../operator/loop/operator.js'),
        import('../operator/metrics.js'),
        import('../operator/loop/server.js'),
        import('../operator/kube/kubeconfig.js'),
        import('../operator/kube/client.js'),
        import('../operator/observe/prober.js'),
      ]);
    const env = this.environment();
    const access = findAccess({ kubeconfig: flags.kubeconfig, context: flags.context, env });
    const metrics = createOperatorMetrics();
    const client = kube.createKubeClient(access, (verb, code) => metrics.apiRequests.inc({ verb, code: String(code) }));
    lifecycle.onClose('kubernetes client', () => client.close());
    const reach = flags.reach ?? (isInCluster(env) && flags.kubeconfig === undefined ? 'direct' : 'proxy');
    const identity = flags.identity ?? `${hostname()}-${randomBytes(4).toString('hex')}`;
    const leaseNamespace = flags['lease-namespace'] ?? access.namespace;
    try {
      logger.info(
        { version, server: maskLogins(access.server), namespaces, identity, reach, image: flags.image, allowed },
        'Started',
      );
      const operator = startOperator({
        client,
        namespaces: namespaces.length > 0 ? namespaces : undefined,
        lease: { namespace: leaseNamespace, name: flags['lease-name'], identity },
        defaultImage: flags.image,
        allowed,
        runbookBase: flags['runbook-base'],
        reach: reach === 'direct' ? probing.reachDirectly : probing.reachByProxy(client),
        concurrency,
        logger,
        metrics,
      });
      lifecycle.onClose('operator', () => operator.stop());
      const health = await serveHealth(address, () => operator, metrics);
      lifecycle.onClose('health server', () => health.close());
      logger.info({ address: health.address }, 'Listening');
      await new Promise<void>((resolve) => lifecycle.signal.addEventListener('abort', () => resolve(), { once: true }));
    } finally {
      await lifecycle.close();
    }
  }
}

interface Check<T> {
  safeParse(text: string): { success: true; data: T } | { success: false; error: { issues: { message: string }[] } };
}

function read<T>(flag: string, text: string, check: Check<T>): T {
  const result = check.safeParse(text);
  if (result.success) return result.data;
  throw new MiddlewareError('usage', `--${flag} ${text} is not ${result.error.issues[0]?.message}`);
}
