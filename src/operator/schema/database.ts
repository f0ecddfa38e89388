import { z } from 'zod';
import { RESERVED_SCHEMA } from '../../config/checks.js';
import { settings } from '../../config/settings.js';
import {
  anyKeys,
  authority,
  described,
  imageName,
  isQuantity,
  objectName,
  passedThrough,
  quantity,
  rules,
  secretKey,
  matching,
} from './parts.js';
import { resources } from './pod-fields.js';
import { integerField } from './setting-fields.js';

const cluster = z.object({
  name: described(objectName(), 'Name of the Cluster of CloudNativePG.'),
  create: described(
    z.boolean().default(false),
    'Make the Cluster; otherwise it is somebody else’s and only used. It outlives the resource when retention says so.',
  ),
  instances: described(z.int().min(1).max(9).default(2), 'Servers of a Cluster that is made.'),
  storage: described(
    z
      .object({
        size: described(quantity().default('100Gi'), 'Size of the volume of each server.', {
          'x-kubernetes-int-or-string': true,
          ...isQuantity,
        }),
        storageClass: described(objectName().optional(), 'Storage class of the volumes; the default one unless given.'),
      })
      .prefault({}),
    'Volumes of a Cluster that is made.',
  ),
  spec: described(
    passedThrough().optional(),
    'All else of the spec of a Cluster that is made, for example resources, postgresql.parameters, backup, monitoring and affinity; the other fields of database.cluster win.',
    anyKeys,
  ),
  backups: described(
    z
      .object({
        schedule: described(
          matching(/^\S+( \S+){5}$/, 'must be six fields such as 0 0 2 * * *, of which the first are seconds').max(128),
          'When, in six fields of which the first are seconds: 0 0 2 * * * is each night at two.',
        ),
        immediate: described(z.boolean().default(true), 'Make the first one at once.'),
      })
      .optional(),
    'Backups of a Cluster that is made, by a ScheduledBackup; spec.backup says where they are put and how long they are retained. None unless given.',
  ),
});

const trial = z.object({
  image: described(
    imageName().default('docker.io/library/postgres:18'),
    'Image of PostgreSQL; it must take POSTGRES_USER, POSTGRES_PASSWORD_FILE and PGDATA as the public one does.',
  ),
  storage: described(
    z
      .object({
        size: described(quantity().default('10Gi'), 'Size of the volume.', {
          'x-kubernetes-int-or-string': true,
          ...isQuantity,
        }),
        storageClass: described(objectName().optional(), 'Storage class of the volume; the default one unless given.'),
      })
      .prefault({}),
    'The volume; it is kept when the resource is deleted, unless retention says otherwise.',
  ),
  resources: described(
    resources.prefault({ requests: { cpu: '100m', memory: '256Mi' }, limits: { memory: '1Gi' } }),
    'Requests and limits of the container; giving one replaces the defaults of all.',
  ),
});

const schema = z.object({
  secret: described(
    secretKey('the URL of the database, postgres://user:password@host/database', 'url').optional(),
    'Secret that holds the URL of the database; PostgreSQL 11.2 or newer.',
  ),
  readSecret: described(
    secretKey('the URLs of read replicas, separated by commas', 'url').optional(),
    'Secret that holds the URLs of standbys, over which servers spread what clients read; of a Cluster it is the service of its standbys unless given.',
  ),
  ca: described(
    authority().optional(),
    'Certificates (PEM) of the authorities that the database must be signed by, read replicas included; means sslmode=verify-full.',
  ),
  cluster: described(cluster.optional(), 'A Cluster of CloudNativePG in place of a Secret.'),
  trial: described(
    trial.optional(),
    'A PostgreSQL of one pod that is made for the resource, to try it: without backups, without a standby, without TLS.',
  ),
  schema: described(
    matching(
      /^[a-z_][a-z0-9_]{0,33}$/,
      'must be a name such as mdw: up to 34 small letters, digits and _, and no digit at its beginning',
    )
      .max(34)
      .default('mdw'),
    'Schema of the first copy of the chain; copies that are loaded later get an ending.',
  ),
  poolSize: integerField(settings.databasePoolSize),
});

export const database = {
  schema,
  rules: rules(
    {
      rule: '[has(self.secret), has(self.cluster), has(self.trial)].filter(given, given).size() == 1',
      message: 'database needs exactly one of secret, cluster and trial',
    },
    {
      rule: `!has(self.schema) || !self.schema.matches('${RESERVED_SCHEMA}')`,
      message:
        'database.schema must name a schema of its own: neither public nor information_schema, and nothing that begins with pg_',
      fieldPath: '.schema',
    },
    {
      rule: 'self.schema == oldSelf.schema',
      message: 'database.schema cannot be changed; make another resource for another copy',
      fieldPath: '.schema',
    },
    {
      rule:
        'has(self.secret) == has(oldSelf.secret) && ' +
        '(!has(self.secret) || self.secret.name == oldSelf.secret.name && self.secret.key == oldSelf.secret.key)',
      message:
        'database.secret cannot be changed; change the password in the Secret, or make another resource for another database',
    },
    {
      rule:
        'has(self.cluster) == has(oldSelf.cluster) && ' +
        '(!has(self.cluster) || self.cluster.name == oldSelf.cluster.name && self.cluster.create == oldSelf.cluster.create)',
      message: 'database.cluster cannot be changed; make another resource for another database',
    },
    {
      rule: 'has(self.trial) == has(oldSelf.trial) && (!has(self.trial) || self.trial.storage == oldSelf.trial.storage)',
      message:
        'database.trial cannot be added or removed, and its storage cannot be changed; make another resource for another database',
    },
    {
      rule: '!has(self.trial) || !has(self.ca) && !has(self.readSecret)',
      message: 'database.trial has no TLS and no replicas: remove database.ca and database.readSecret',
    },
    {
      rule: '!has(self.cluster) || self.cluster.create || !has(self.cluster.spec) && !has(self.cluster.backups)',
      message: 'database.cluster.spec and backups are for a Cluster that is made: set create',
      fieldPath: '.cluster',
    },
  ),
};
