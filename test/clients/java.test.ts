/** A client that openapi-generator makes for Java, with its own way to read integers of any length. */
import { expect } from 'chai';
import { copyFileSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { served } from './served.js';
import type { Served } from './served.js';
import { mavenJar, run } from './tools.js';

const PROGRAM = fileURLToPath(new URL('programs/Read.java', import.meta.url));

/** An integer without a format has any number of digits. */
const INTEGERS = ['--type-mappings=integer=BigInteger', '--import-mappings=BigInteger=java.math.BigInteger'];
const PROPERTIES = {
  openApiNullable: false,
  disallowAdditionalPropertiesIfNotPresent: false,
  useOneOfDiscriminatorLookup: true,
  containerDefaultToNull: true,
};

describe('a client made by openapi-generator for Java', function () {
  this.timeout(900_000);
  let service: Served;
  let generator: string;
  before(async () => {
    generator = await mavenJar('org.openapitools:openapi-generator-cli:7.15.0');
    service = await served();
  });
  after(() => service.close());

  it('reads the answers of every operation, transactions by their types, with all digits', async () => {
    const properties = Object.entries(PROPERTIES).map(([name, value]) => `${name}=${value}`);
    const input = ['-i', 'openapi.json', '-g', 'java', '--library=native', '-o', 'client'];
    const args = ['generate', ...input, ...INTEGERS, `--additional-properties=${properties.join(',')}`];
    await run('java', ['-jar', generator, ...args], service.folder);
    const client = join(service.folder, 'client');
    copyFileSync(PROGRAM, join(client, 'src', 'main', 'java', 'Read.java'));
    await run(
      'mvn',
      ['--batch-mode', '--quiet', 'compile', 'dependency:build-classpath', '-Dmdep.outputFile=path'],
      client,
    );
    const path = [join(client, 'target', 'classes'), readFileSync(join(client, 'path'), 'utf8').trim()].join(delimiter);
    const read = await run('java', ['-cp', path, 'Read', service.url, 'calls.json'], service.folder);
    const all = `${service.calls.length} operations, 2\\d types of transactions, at most \\d{20,}`;
    expect(read.trim()).to.match(new RegExp(`^${all}$`));
  });
});
