/** Checks the description of the API with two linters. */
import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOpenApi } from '../../src/api/descriptions/openapi.js';
import { withIntegersAsText } from '../../src/api/descriptions/integers-as-text.js';
import { endpoints } from '../../src/api/endpoints.js';
import { npmPackages, run } from './tools.js';

/** A finding of redocly that stays: clients have used both of these paths since 2019. */
const AMBIGUOUS = `openapi.json:
  no-ambiguous-paths:
    - '#/paths/~1middleware~1names~1auctions~1bids~1{name}'
`;

describe('the description of the API, checked by linters', () => {
  let folder: string;
  let tools: string;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'mdw-lint-'));
    tools = await npmPackages('lint', ['@redocly/cli@2.77.0', '@stoplight/spectral-cli@6.16.3']);
    writeFileSync(join(folder, 'redocly.yaml'), 'extends: [recommended]\n');
    writeFileSync(join(folder, '.redocly.lint-ignore.yaml'), AMBIGUOUS);
    writeFileSync(join(folder, 'spectral.yaml'), 'extends: ["spectral:oas"]\n');
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const program = (name: string): string => join(tools, 'node_modules', '.bin', name);

  for (const [name, document] of Object.entries({
    'OpenAPI 3.1': () => createOpenApi(endpoints),
    'OpenAPI 3.1 with integers as text': () => withIntegersAsText(createOpenApi(endpoints)),
  })) {
    it(`has no error and no warning (${name})`, async () => {
      writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document()));
      const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
      const redocly = await run(program('redocly'), ['lint', 'openapi.json', '--format=json'], folder, quiet);
      expect(redocly).to.match(/"errors": 0,\s*"warnings": 0/);
      const rules = ['lint', '--ruleset=spectral.yaml', '--fail-severity=hint', '--quiet', 'openapi.json'];
      expect((await run(program('spectral'), rules, folder)).trim()).to.match(/^(No results.*)?$/);
    });
  }
});
