import { PORT } from '../../config/ports.js';
import { durationMs } from '../schema/parts.js';
import type { Component } from '../names.js';
import type { Color } from '../schema/status.js';
import type { Job, Basis } from '../types.js';
import { TERMINATION_LOG_ONLY } from '../names.js';
import { copyMetadata, podTemplate } from './pod.js';
import type { PodOptions } from './pod.js';
import type { Fields } from './merge.js';

/** A Job to make. */
export interface JobOptions {
  name: string;
  component: Component;
  color: Color;
  schema: string;
  args: string[];
  /** Time limit of the whole Job; no limit if absent. */
  timeout?: string;
  annotations?: Record<string, string>;
  labels?: Record<string, string>;
  env?: { name: string; value: string }[];
  container?: Fields;
  /** Image, if it is not the one of the other pods. */
  image?: string;
}

/** File for the termination message of the container. The kubelet reads it. */
const TERMINATION_LOG = '/dev/termination-log';

/** Address at which the program of a Job reports its progress, or what it waits for. The operator reads it. */
export const PROGRESS = {
  env: [{ name: 'PROGRESS_ADDRESS', value: `0.0.0.0:${PORT.metrics}` }],
  container: { ports: [{ name: 'metrics', containerPort: PORT.metrics }] },
};

/** The Job of a fault that the program could write completes: the conditions report it, so that no alert about Jobs fires, too. */
const WRITTEN_ONLY = { name: TERMINATION_LOG_ONLY, value: 'true' };

/** What every Job has: it reports its progress, and its fault by its message alone. */
export const REPORTED = { ...PROGRESS, env: [...PROGRESS.env, WRITTEN_ONLY] };

/** A Job of one pod. Kubernetes replaces only an evicted pod; after a failure the operator decides whether to retry. */
export function middlewareJob(basis: Basis, options: JobOptions): Job {
  const { name, component, color, annotations, labels } = options;
  const metadata = copyMetadata(basis.resource, name, component, color);
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      ...metadata,
      labels: { ...metadata.labels, ...labels },
      annotations: { ...metadata.annotations, ...annotations },
    },
    spec: jobSpec(basis, options),
  };
}

/** What a Job does. Names that are hashes of it do not need the rest. */
export function jobSpec(basis: Basis, options: Omit<JobOptions, 'name'>) {
  const { timeout, image = basis.image } = options;
  return {
    backoffLimit: 0,
    completions: 1,
    parallelism: 1,
    ...(timeout !== undefined && { activeDeadlineSeconds: Math.ceil(durationMs(timeout) / 1000) }),
    podFailurePolicy: {
      rules: [{ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] }],
    },
    podReplacementPolicy: 'Failed',
    template: podTemplate({ ...basis, image }, jobPod(options)),
  };
}

type JobPodOptions = Pick<JobOptions, 'component' | 'color' | 'schema' | 'args' | 'env' | 'container'>;

/** The pod of a Job. */
export const jobPod = ({ component, color, schema, args, env = [], container }: JobPodOptions): PodOptions => ({
  ...{ role: 'migration', component, color, schema, args },
  env: [{ name: 'TERMINATION_LOG', value: TERMINATION_LOG }, ...env],
  container: { terminationMessagePath: TERMINATION_LOG, ...container },
  pod: { restartPolicy: 'Never', terminationGracePeriodSeconds: 30 },
});
