import { expect } from 'chai';
import { populatorDeployment, serverDeployment } from '../../src/operator/desired/workloads.js';
import type { CopyPlan } from '../../src/operator/types.js';
import { OperatorModel } from '../support/operator-model.js';

interface Container {
  env: { name: string; value: string }[];
  volumeMounts: { name: string; mountPath: string }[];
}

const COPY: CopyPlan = { color: 'blue', schema: 'mdw', populates: true, servers: 2 };

/** Variables, mounts and Secrets of databases in a pod. */
function given(database: object, deployment = serverDeployment): unknown {
  const world = new OperatorModel({ spec: { database } }).basis();
  const { spec } = deployment(world, COPY).spec.template;
  const [container] = spec['containers'] as unknown as Container[];
  const files = Object.fromEntries(container!.volumeMounts.map(({ name, mountPath }) => [name, mountPath]));
  const volumes = spec['volumes'] as {
    name: string;
    secret?: { secretName: string; items: { key: string; path: string }[] };
  }[];
  return {
    env: Object.fromEntries(
      container!.env.filter(({ name }) => /_URLS?(_FILE)?$/.test(name)).map(({ name, value }) => [name, value]),
    ),
    files: volumes.flatMap(({ name, secret }) =>
      (secret?.items ?? []).map(({ key, path }) => `${secret?.secretName}/${key} at ${files[name]}/${path}`),
    ),
  };
}

const FOLDER = '/var/run/secrets/mdw';

describe('read replicas of a resource', () => {
  const secret = { name: 'db' };
  const ofPrimary = { DATABASE_URL_FILE: `${FOLDER}/database/url` };

  it('do not exist by default', () => {
    expect(given({ secret })).to.deep.equal({
      env: ofPrimary,
      files: [`db/url at ${FOLDER}/database/url`],
    });
  });

  it('are those of readSecret, besides the primary, for servers only', () => {
    const database = { secret, readSecret: { name: 'replicas', key: 'urls' } };
    expect(given(database)).to.deep.equal({
      env: { ...ofPrimary, DATABASE_REPLICA_URLS_FILE: `${FOLDER}/replicas/urls` },
      files: [`db/url at ${FOLDER}/database/url`, `replicas/urls at ${FOLDER}/replicas/urls`],
    });
    expect(given(database, populatorDeployment)).to.deep.equal({
      env: ofPrimary,
      files: [`db/url at ${FOLDER}/database/url`],
    });
  });

  it('are the standbys of a Cluster, with the login of its Secret', () => {
    for (const cluster of [{ name: 'pg' }, { name: 'pg', create: true }]) {
      expect(given({ cluster })).to.deep.equal({
        env: { ...ofPrimary, DATABASE_REPLICA_URLS: 'postgres://pg-ro' },
        files: [`pg-app/uri at ${FOLDER}/database/url`],
      });
    }
  });

  it('do not exist for a created Cluster of one server', () => {
    const cluster = { name: 'pg', create: true, instances: 1 };
    expect(given({ cluster })).to.deep.equal({
      env: ofPrimary,
      files: [`pg-app/uri at ${FOLDER}/database/url`],
    });
  });
});
