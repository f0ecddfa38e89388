import type { Authenticator } from '@kubernetes/client-node/dist/auth.js';
import { newClusters, newContexts, newUsers } from '@kubernetes/client-node/dist/config_types.js';
import type { Cluster, Context, User } from '@kubernetes/client-node/dist/config_types.js';
import type { RequestOptions } from 'node:https';
import { existsSync, readFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parse } from 'yaml';
import { MiddlewareError } from '../../observe/errors.js';

/** Address of an API server, and credentials for it. */
export interface Access {
  server: string;
  /** Namespace of the context; `default` unless it names one. */
  namespace: string;
  /** Credentials may change while the process runs, because tokens expire. Set `renew` if the last ones were refused. */
  credentials(renew?: boolean): Promise<Credentials>;
}

interface Credentials {
  /** Authorization and impersonation. */
  headers: Record<string, string>;
  /** Options of the connection: authority, client certificate, name of the server. */
  tls: Pick<RequestOptions, 'ca' | 'cert' | 'key' | 'rejectUnauthorized' | 'servername'>;
}

export interface AccessOptions {
  /** Path of a kubeconfig. */
  kubeconfig?: string | undefined;
  context?: string | undefined;
  env: Record<string, string | undefined>;
}

/** The content of a kubeconfig, with absolute paths. */
interface KubeConfig {
  current: string | undefined;
  clusters: Cluster[];
  contexts: Context[];
  users: User[];
}

const ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';
const TOKEN = `${ACCOUNT}/token`;
/** Min time between two reads of credentials from files and plugins, ms. */
const FRESH_MS = 10_000;

const wrong = (message: string, cause?: unknown): MiddlewareError =>
  new MiddlewareError('invalid_config', message, { cause });

export const isInCluster = (env: AccessOptions['env']): boolean =>
  env['KUBERNETES_SERVICE_HOST'] !== undefined && existsSync(TOKEN);

/** Access by the given kubeconfig, else by the service account of the pod, else by ~/.kube/config. */
export function findAccess(options: AccessOptions): Access {
  const config = load(options);
  const named = (name: string | undefined) => (one: { name: string }) => one.name === name;
  const context = config.contexts.find(named(options.context ?? config.current));
  if (context === undefined && options.context !== undefined)
    throw wrong(`The kubeconfig has no context ${options.context}`);
  const cluster = config.clusters.find(named(context?.cluster));
  if (cluster === undefined) throw wrong('The kubeconfig names no cluster: choose a context with --context');
  return {
    server: cluster.server.replace(/\/+$/, ''),
    namespace: context?.namespace ?? 'default',
    credentials: credentialsOf(cluster, config.users.find(named(context?.user))),
  };
}

function load({ kubeconfig, env }: AccessOptions): KubeConfig {
  const usual = join(homedir(), '.kube', 'config');
  const named = kubeconfig ?? env['KUBECONFIG'];
  try {
    if (named !== undefined && named !== '') {
      const files = named.split(':').filter((path) => path !== '');
      return merged(files.map(readKubeConfig));
    }
    if (isInCluster(env)) return ofPod(env);
    if (existsSync(usual)) return readKubeConfig(usual);
  } catch (error) {
    throw wrong(`${named ?? usual} is not a valid kubeconfig: ${(error as Error).message.split('\n')[0]}`, error);
  }
  throw wrong('No cluster: set KUBECONFIG or --kubeconfig, or run in a pod with a service account');
}

function readKubeConfig(file: string): KubeConfig {
  const content = (parse(readFileSync(file, 'utf8')) ?? {}) as Record<string, unknown>;
  const absolute = (path: string | undefined): string | undefined => path && resolve(dirname(file), path);
  return {
    current: content['current-context'] as string | undefined,
    clusters: newClusters(content['clusters']).map((one) => ({ ...one, caFile: absolute(one.caFile) })),
    contexts: newContexts(content['contexts']),
    users: newUsers(content['users']).map((one) => ({
      ...one,
      certFile: absolute(one.certFile),
      keyFile: absolute(one.keyFile),
    })),
  };
}

/** Merges several files as kubectl does: the first value wins. */
const merged = (configs: KubeConfig[]): KubeConfig => ({
  current: configs.find(({ current }) => current !== undefined && current !== '')?.current,
  clusters: configs.flatMap(({ clusters }) => clusters),
  contexts: configs.flatMap(({ contexts }) => contexts),
  users: configs.flatMap(({ users }) => users),
});

/** The service account of the pod. */
function ofPod(env: AccessOptions['env']): KubeConfig {
  const { KUBERNETES_SERVICE_HOST: host = '', KUBERNETES_SERVICE_PORT: port = '443' } = env;
  const name = 'pod';
  const server = `https://${isIPv6(host) ? `[${host}]` : host}:${port}`;
  const namespace = existsSync(`${ACCOUNT}/namespace`) ? readFileSync(`${ACCOUNT}/namespace`, 'utf8') : undefined;
  return {
    current: name,
    clusters: [{ name, server, caFile: `${ACCOUNT}/ca.crt`, skipTLSVerify: false }],
    contexts: [{ name, cluster: name, user: name, ...(namespace !== undefined && { namespace }) }],
    users: [{ name, authProvider: { name: 'tokenFile', config: { tokenFile: TOKEN } } }],
  };
}

/** Caches credentials for some seconds, because reading them reads files and starts plugins. */
function credentialsOf(cluster: Cluster, user: User | undefined): Access['credentials'] {
  let cached: { value: Promise<Credentials>; until: number } | undefined;
  let authenticator: Promise<Authenticator | undefined> | undefined;
  const read = async (): Promise<Credentials> => {
    const headers: Record<string, string> = {};
    const options: RequestOptions = { headers };
    try {
      options.cert = bytesOf(user?.certFile, user?.certData);
      options.key = bytesOf(user?.keyFile, user?.keyData);
      if (user !== undefined)
        await (await (authenticator ??= authenticatorOf(user)))?.applyAuthentication(user, options);
      const ca = bytesOf(cluster.caFile, cluster.caData);
      const { cert, key } = options;
      const authorization = authorizationOf(user);
      return {
        headers: {
          ...headers,
          ...(user?.impersonateUser && { 'Impersonate-User': user.impersonateUser }),
          ...(authorization !== undefined && { Authorization: authorization }),
        },
        tls: {
          ...(ca !== undefined && { ca }),
          ...(cert !== undefined && { cert }),
          ...(key !== undefined && { key }),
          ...(cluster.skipTLSVerify && { rejectUnauthorized: false }),
          ...(cluster.tlsServerName && { servername: cluster.tlsServerName }),
        },
      };
    } catch (error) {
      throw wrong(`Could not read the credentials for the cluster: ${(error as Error).message.split('\n')[0]}`, error);
    }
  };
  return (renew = false) => {
    // The API server refused these credentials although they may not have expired: run plugins again.
    if (renew) authenticator = undefined;
    if (cached === undefined || renew || performance.now() >= cached.until) {
      cached = { value: read(), until: performance.now() + FRESH_MS };
    }
    return cached.value;
  };
}

function bytesOf(file: string | undefined, base64: string | undefined): Buffer | undefined {
  if (file) return readFileSync(file);
  return base64 ? Buffer.from(base64, 'base64') : undefined;
}

function authorizationOf(user: User | undefined): string | undefined {
  if (user?.username) return `Basic ${Buffer.from(`${user.username}:${user.password}`).toString('base64')}`;
  return user?.token ? `Bearer ${user.token}` : undefined;
}

/**
 * The plugin or provider of a user's credentials; undefined if there is none. Only these parts of the client library are
 * loaded, and only when needed: the index of the library loads a class for each Kubernetes kind, which takes longer than the
 * rest of a command.
 */
async function authenticatorOf(user: User): Promise<Authenticator | undefined> {
  if (user.exec) return new (await import('@kubernetes/client-node/dist/exec_auth.js')).ExecAuth();
  if (!user.authProvider) return undefined;
  const [{ AzureAuth }, { GoogleCloudPlatformAuth }, { ExecAuth }, { FileAuth }, { OpenIDConnectAuth }] =
    await Promise.all([
      import('@kubernetes/client-node/dist/azure_auth.js'),
      import('@kubernetes/client-node/dist/gcp_auth.js'),
      import('@kubernetes/client-node/dist/exec_auth.js'),
      import('@kubernetes/client-node/dist/file_auth.js'),
      import('@kubernetes/client-node/dist/oidc_auth.js'),
    ]);
  return [new AzureAuth(), new GoogleCloudPlatformAuth(), new ExecAuth(), new FileAuth(), new OpenIDConnectAuth()].find(
    (one) => one.isAuthProvider(user),
  );
}
