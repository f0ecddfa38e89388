import { KubeConfig } from '@kubernetes/client-node';
import type { RequestOptions } from 'node:https';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { MiddlewareError } from '../../observe/errors.js';

/** How an API server is reached, and as whom. */
export interface Access {
  server: string;
  /** Of the context; `default` unless it names one. */
  namespace: string;
  /** Changes while the process runs where tokens expire; `afresh` when the last ones were refused. */
  credentials(afresh?: boolean): Promise<Credentials>;
}

export interface Credentials {
  /** Authorization, and who is impersonated. */
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

const TOKEN = '/var/run/secrets/kubernetes.io/serviceaccount/token';
/** Files and plugins of credentials are asked this often at most, ms. */
const FRESH_MS = 10_000;

const wrong = (message: string, cause?: unknown): MiddlewareError =>
  new MiddlewareError('bad_request', 'invalid_config', message, { cause });

export const isInCluster = (env: AccessOptions['env']): boolean =>
  env['KUBERNETES_SERVICE_HOST'] !== undefined && existsSync(TOKEN);

/** A kubeconfig that is named, else the account of the pod, else ~/.kube/config. */
export function findAccess(options: AccessOptions): Access {
  const config = load(options);
  const { context } = options;
  if (context !== undefined) {
    if (config.getContextObject(context) === null) throw wrong(`The kubeconfig has no context ${context}`);
    config.setCurrentContext(context);
  }
  const cluster = config.getCurrentCluster();
  if (cluster === null) throw wrong('The kubeconfig names no cluster: choose a context with --context');
  return {
    server: cluster.server.replace(/\/+$/, ''),
    namespace: config.getContextObject(config.getCurrentContext())?.namespace ?? 'default',
    credentials: credentialsOf(config),
  };
}

function load({ kubeconfig, env }: AccessOptions): KubeConfig {
  const config = new KubeConfig();
  const usual = join(homedir(), '.kube', 'config');
  const named = kubeconfig ?? env['KUBECONFIG'];
  try {
    if (named !== undefined && named !== '') {
      const [first = '', ...others] = named.split(':').filter((path) => path !== '');
      config.loadFromFile(first);
      for (const path of others) {
        const next = new KubeConfig();
        next.loadFromFile(path);
        config.mergeConfig(next);
      }
    } else if (isInCluster(env)) config.loadFromCluster();
    else if (existsSync(usual)) config.loadFromFile(usual);
    else throw wrong('No cluster: set KUBECONFIG or --kubeconfig, or run in a pod with a service account');
  } catch (error) {
    if (error instanceof MiddlewareError) throw error;
    throw wrong(`${named ?? usual} is no kubeconfig: ${(error as Error).message.split('\n')[0]}`, error);
  }
  return config;
}

/** The library reads files and starts plugins whenever it is asked: not for each request, then. */
function credentialsOf(config: KubeConfig): Access['credentials'] {
  let held: { value: Promise<Credentials>; until: number } | undefined;
  const read = async (): Promise<Credentials> => {
    const options: RequestOptions = {};
    try {
      await config.applyToHTTPSOptions(options);
    } catch (error) {
      throw wrong(`Credentials of the cluster cannot be had: ${(error as Error).message.split('\n')[0]}`, error);
    }
    const { ca, cert, key, rejectUnauthorized, servername, auth } = options;
    const headers = { ...(options.headers as Record<string, string> | undefined) };
    if (typeof auth === 'string') headers['Authorization'] = `Basic ${Buffer.from(auth).toString('base64')}`;
    return {
      headers,
      tls: {
        ...(ca !== undefined && { ca }),
        ...(cert !== undefined && { cert }),
        ...(key !== undefined && { key }),
        ...(rejectUnauthorized !== undefined && { rejectUnauthorized }),
        ...(servername !== undefined && { servername }),
      },
    };
  };
  return (afresh = false) => {
    if (held === undefined || afresh || performance.now() >= held.until) {
      held = { value: read(), until: performance.now() + FRESH_MS };
    }
    return held.value;
  };
}
