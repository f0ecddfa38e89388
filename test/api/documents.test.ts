import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { readdirSync } from 'node:fs';
import { createOpenApi } from '../../src/api/descriptions/openapi.js';
import { endpoints } from '../../src/api/endpoints.js';
import * as parameters from '../../src/api/schemas/parameters.js';
import { createSwagger } from '../../src/api/descriptions/swagger.js';
import { withIntegersAsText } from '../../src/api/descriptions/integers-as-text.js';
import { TRANSACTION_TYPES } from '../../src/chain/transactions/catalogue.js';
import { testApi } from '../support/api.js';
import type { TestApi } from '../support/api.js';
import { mdw } from '../support/mdw.js';
import { recordedGenerations } from '../support/recording.js';
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

/** Endpoints whose answers are descriptions, pages or streams. */
const WITHOUT_EXAMPLE = ['getSwagger', 'getOpenApi', 'getDocumentation'];

describe('the description of the API', () => {
  for (const [name, document] of Object.entries({
    'OpenAPI 3.1': createOpenApi(endpoints),
    'OpenAPI 3.1 with integers as text': withIntegersAsText(createOpenApi(endpoints)),
    'Swagger 2.0': createSwagger(endpoints),
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

  it('has all numbers of ledgers and tokens as texts for clients that ask for them', () => {
    const { schemas } = (plain(withIntegersAsText(createOpenApi(endpoints))) as { components: { schemas: Json } })
      .components;
    const numbers = Object.entries(schemas).filter(
      ([name, schema]) =>
        /Ledger|Token|Holder|Statement/.test(name) && /"type":"(number|integer)"/.test(JSON.stringify(schema)),
    );
    expect(numbers.map(([name]) => name)).to.deep.equal([]);
  });

  it('has exactly the operations from which wallets build their clients, in Swagger 2.0', () => {
    const swagger = plain(createSwagger(endpoints));
    const ids = operations(swagger).map(({ operationId }) => operationId as string);
    expect(ids.sort()).to.deep.equal([...OPERATIONS].sort());
    expect(swagger).to.include({ basePath: '/middleware' });
    for (const path of Object.keys(swagger['paths'] as Json)) expect(path).not.to.match(/^\/middleware|:|[^/]\{/);
  });

  it('has only examples that the parameters accept', () => {
    const refused = Object.entries(parameters).flatMap(([name, schema]) => {
      if (typeof schema === 'function') return [];
      const example = schema.meta()?.example as string | number | undefined;
      return example === undefined || schema.safeParse(String(example)).success ? [] : [name];
    });
    expect(refused).to.deep.equal([]);
  });

  it('is made from every endpoint that a file of endpoints exports', async () => {
    const folder = new URL('../../src/api/endpoints/', import.meta.url);
    const modules = await Promise.all(
      readdirSync(folder).map((file) => import(new URL(file, folder).href) as Promise<Record<string, unknown>>),
    );
    const exported = modules
      .flatMap((module) => Object.values(module).flat())
      .filter((value) => typeof value === 'object' && value !== null && 'operationId' in value);

    expect(exported).to.have.members([...endpoints]);
    expect(new Set(endpoints.map(({ operationId }) => operationId))).to.have.length(endpoints.length);
  });

  it('has examples that match their schemas', () => {
    const document = plain(createOpenApi(endpoints));
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ ...document, $id: 'api' });
    let checked = 0;
    const walk = (value: unknown, pointer: string): void => {
      if (typeof value !== 'object' || value === null) return;
      const example = (value as Json)['example'] as string | undefined;
      if (example !== undefined && !pointer.includes('/example')) {
        const schema = 'schema' in value && !pointer.includes('/parameters/') ? `${pointer}/schema` : pointer;
        const validate = ajv.compile({ $ref: `api#${schema}` });
        // In a URL, parameters of all types are text.
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

  it('describes every operation, with an example of a request and an answer', () => {
    const document = plain(createOpenApi(endpoints));
    for (const operation of operations(document)) {
      const { operationId, description, parameters = [], requestBody, responses } = operation;
      const name = operationId as string;
      expect(description, name).to.be.a('string').and.not.equal(operation['summary']);
      for (const parameter of parameters as Json[]) {
        if (parameter['required'] !== true) continue;
        expect(parameter['schema'], `${name} ${String(parameter['name'])}`).to.have.property('example');
      }
      const { content } = (responses as Record<string, Json>)['200']!;
      for (const media of [content, (requestBody as Json | undefined)?.['content'] ?? {}]) {
        for (const [type, shown] of Object.entries(media as Json)) {
          if (!WITHOUT_EXAMPLE.includes(name)) expect(shown, `${name} ${type}`).to.have.property('example');
        }
      }
    }
  });

  it('has a schema of `tx` for each type of transaction that can be in a block', () => {
    const { schemas } = plain(createOpenApi(endpoints))['components'] as { schemas: Record<string, Json> };
    const { oneOf, discriminator } = schemas['Tx'] as {
      oneOf: Json[];
      discriminator: { mapping: Record<string, string> };
    };
    const inBlocks = TRANSACTION_TYPES.filter(({ name }) => name !== 'ChannelOffchainTx');
    expect(oneOf.map(({ $ref }) => $ref)).to.deep.equal(inBlocks.map(({ name }) => `#/components/schemas/${name}`));
    expect(new Set(Object.values(discriminator.mapping))).to.have.length(inBlocks.length);
    expect(discriminator.mapping['OracleResponseTx']).to.equal('#/components/schemas/OracleRespondTx');
  });

  it('accepts every transaction of the recorded chain by the schema of its type', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ ...plain(createOpenApi(endpoints)), $id: 'api' });
    const validate = ajv.compile({ $ref: 'api#/components/schemas/Transactions' });
    const seen = new Set<string>();
    for (const { transactions } of recordedGenerations().flatMap(({ microBlocks }) => microBlocks)) {
      expect(validate(JSON.parse(transactions)), ajv.errorsText(validate.errors)).to.equal(true);
      for (const [, type = ''] of transactions.matchAll(/"type":"(\w+Tx)"/g)) seen.add(type);
    }
    expect(seen).to.have.length.above(20);
  });

  it('is printed by mdw openapi', async () => {
    for (const [args, document] of [
      [['openapi'], createOpenApi(endpoints)],
      [['openapi', '--swagger'], createSwagger(endpoints)],
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

  it('is served as OpenAPI and as Swagger 2.0, and int-as-string does not change the latter', async () => {
    expect(await api.json('/openapi.json')).to.deep.equal(plain(createOpenApi(endpoints)));
    expect(await api.json('/openapi.json?int-as-string=true')).to.deep.equal(
      plain(withIntegersAsText(createOpenApi(endpoints))),
    );
    for (const query of ['', '?int-as-string=true']) {
      expect(await api.json(`/middleware/api${query}`)).to.deep.equal(plain(createSwagger(endpoints)));
    }
  });

  it('is served as a page that loads all its files from the service', async () => {
    for (const at of ['/docs', '/docs/', '//docs//']) {
      const { body } = await api.get(at);
      for (const [, path] of body.matchAll(/(?:href|src)="([^"]*)"/g)) {
        const { pathname } = new URL(path!, `http://localhost/some/where${at}`);
        expect(pathname, at).to.match(/^\/some\/where\/docs\/[\w.-]+$/);
      }
    }
    const page = await api.get('/docs');
    expect([page.status, page.headers['content-type']]).to.deep.equal([200, 'text/html; charset=utf-8']);
    const pieces = [...page.body.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, path]) => `/${path!}`);
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
