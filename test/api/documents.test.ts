import { Validator } from '@seriousme/openapi-schema-validator';
import { Router } from '@koa/router';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { readdirSync, readFileSync } from 'node:fs';
import { createOpenApi } from '../../src/api/schemas/openapi.js';
import { endpoints } from '../../src/api/schemas/endpoints.js';
import { createSwagger } from '../../src/api/schemas/swagger.js';
import { withIntegersAsText } from '../../src/api/schemas/integers-as-text.js';
import { testApi } from '../support/api.js';
import type { TestApi } from '../support/api.js';
import { mdw } from '../support/mdw.js';
import { emptyDatabase } from '../support/seed.js';
import type { SeededDatabase } from '../support/seed.js';

type Json = Record<string, unknown>;
const plain = (document: unknown): Json => JSON.parse(JSON.stringify(document)) as Json;

const OPERATIONS =
  `getActiveChannels getChannelTx getAllContracts getContractCreationTx getContractTx getContractAddressCalls
  verifyContract getCompilers getGenerationsByRange getHeightByTime getAllNames searchName getActiveNames
  getActiveNameAuctions getActiveNameAuctionsCount getNameAuctionsBidsbyAddress getNameAuctionsBidsbyName getNameByAddress
  getAuctionInfo getNameForHash getAllOracles getOracleData getRewardAtHeight getChainSize getSizeAtHeight
  getTxCountByAddress getTxBetweenAddress getTxByAccount getTxByGenerationRange getTxRateByDateRange getMdwStatus
  getCurrentTxCount`.split(/\s+/);

describe('the description of the API', () => {
  for (const [name, document] of Object.entries({
    'OpenAPI 3.1': createOpenApi(),
    'OpenAPI 3.1 with integers as text': withIntegersAsText(createOpenApi()),
    'Swagger 2.0': createSwagger(),
  })) {
    it(`is valid ${name}`, async () => {
      const { valid, errors } = await new Validator().validate(plain(document));
      expect(errors).to.equal(undefined);
      expect(valid).to.equal(true);
    });

    it(`names each operation once (${name})`, () => {
      const ids = operations(plain(document)).map(({ operationId }) => operationId);
      expect(new Set(ids).size).to.equal(ids.length);
    });
  }

  it('has exactly the operations from which wallets build their clients, in Swagger 2.0', () => {
    const swagger = plain(createSwagger());
    const ids = operations(swagger).map(({ operationId }) => operationId as string);
    expect(ids.sort()).to.deep.equal([...OPERATIONS].sort());
    expect(swagger).to.include({ basePath: '/middleware' });
    for (const path of Object.keys(swagger['paths'] as Json)) expect(path).not.to.match(/^\/middleware|:|[^/]\{/);
  });

  it('tells of every route, and of no other', async () => {
    const routes = await allRoutes();
    expect(routes.filter((route) => !route.includes('/docs/'))).to.have.members(
      endpoints.map(({ method, path }) => `${method.toUpperCase()} ${path.replaceAll('{', ':').replaceAll('}', '')}`),
    );
  });

  it('has examples that are what it says', () => {
    const document = plain(createOpenApi());
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ ...document, $id: 'api' });
    let checked = 0;
    const walk = (value: unknown, pointer: string): void => {
      if (typeof value !== 'object' || value === null) return;
      const example = (value as Json)['example'] as string | undefined;
      if (example !== undefined && !pointer.includes('/example')) {
        const validate = ajv.compile({ $ref: `api#${pointer}` });
        // Parameters are text in a URL, whatever their type.
        const numbers = pointer.includes('/parameters/') ? [example, String(example)] : [example];
        expect(
          numbers.some((one) => validate(one)),
          `${pointer} ${ajv.errorsText(validate.errors)}`,
        ).to.equal(true);
        checked += 1;
      }
      for (const [key, inside] of Object.entries(value)) {
        if (key !== 'example')
          walk(inside, `${pointer}/${encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))}`);
      }
    };
    walk(document, '');
    expect(checked).to.be.above(80);
  });

  it('is printed by mdw openapi', async () => {
    for (const [args, document] of [
      [['openapi'], createOpenApi()],
      [['openapi', '--swagger'], createSwagger()],
    ] as const) {
      const { status, stdout } = await mdw([...args]);
      expect(status).to.equal(0);
      expect(JSON.parse(stdout)).to.deep.equal(plain(document));
    }
  });
});

describe('the description of the API, served', () => {
  let seeded: SeededDatabase;
  let api: TestApi;
  before(async () => {
    seeded = await emptyDatabase();
    api = await testApi(seeded.database);
  });
  after(async () => {
    await api.close();
    await seeded.drop();
  });

  it('comes as OpenAPI and as Swagger 2.0, which int-as-string leaves alone', async () => {
    expect(await api.json('/openapi.json')).to.deep.equal(plain(createOpenApi()));
    expect(await api.json('/openapi.json?int-as-string=true')).to.deep.equal(
      plain(withIntegersAsText(createOpenApi())),
    );
    for (const query of ['', '?int-as-string=true']) {
      expect(await api.json(`/middleware/api${query}`)).to.deep.equal(plain(createSwagger()));
    }
  });

  it('comes as a page whose pieces all come from the service', async () => {
    const page = await api.get('/docs');
    expect([page.status, page.headers['content-type']]).to.deep.equal([200, 'text/html; charset=utf-8']);
    const pieces = [...page.body.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, path]) => path!);
    expect(pieces).to.have.length(4);
    for (const path of pieces) {
      expect(path).to.match(/^\/docs\/[\w.-]+$/);
      const piece = await api.get(path);
      expect(piece.status, path).to.equal(200);
      expect(piece.headers['x-content-type-options']).to.equal('nosniff');
    }
    expect(page.headers['content-security-policy'])
      .to.contain(`default-src 'none'`)
      .and.not.match(/https?:/);
    const { body } = await api.get('/docs/start.js');
    expect(body)
      .to.contain('validatorUrl: null')
      .and.not.match(/https?:/);
    for (const path of ['/docs/package.json', '/docs/..%2f..%2fpackage.json', '/docs/nothing']) {
      expect((await api.get(path)).status, path).to.be.oneOf([400, 404]);
    }
  });
});

const operations = (document: Json): Json[] =>
  Object.values(document['paths'] as Record<string, Record<string, Json>>).flatMap((path) => Object.values(path));

/** What all files of routes put into a router, as `METHOD path`. */
async function allRoutes(): Promise<string[]> {
  const router = new Router();
  const folder = new URL('../../src/api/routes/', import.meta.url);
  const files = [...readdirSync(folder).map((file) => new URL(file, folder)), new URL('../health.ts', folder)];
  for (const file of files) {
    const routes = (await import(file.href)) as Record<string, (router: Router, deps: unknown) => void>;
    const deps = { events: {}, config: {} };
    for (const [name, add] of Object.entries(routes)) if (name.endsWith('Routes')) add(router, deps);
  }
  expect(readFileSync(new URL('../app.ts', folder), 'utf8').match(/Routes\(router/g)?.length).to.be.at.least(
    files.length,
  );
  return router.stack.flatMap(({ methods, path }) =>
    methods.filter((method) => method !== 'HEAD').map((method) => `${method} ${String(path)}`),
  );
}
