import { readFileSync, writeFileSync } from 'node:fs';
import openapiTS, { astToString } from 'openapi-typescript';
import type { OpenAPI3 } from 'openapi-typescript';
import { endpoints } from '../src/api/endpoints.js';
import { createOpenApi } from '../src/api/descriptions/openapi.js';
import { rootHelp } from '../src/cli/help.js';
import { settingsTable } from '../src/cli/settings-text.js';
import { createMetrics } from '../src/observe/metrics.js';
import { version } from '../src/observe/version.js';
import { createOperatorMetrics } from '../src/operator/metrics.js';
import { asYaml, customResourceDefinition } from '../src/operator/schema/crd.js';
import { chartFiles, nameImage } from './chart.js';
import { developmentTable, licencesTable, optionalTable, productionTable } from './dependencies.js';
import { errorsTable } from './errors-table.js';
import { kindsTable, topicsTable } from './events-tables.js';
import { httpTable } from './http-table.js';
import { contentsList } from './guide/render.js';
import { metricsTable } from './metrics-table.js';
import { moneyKindsTable } from './money-kinds-table.js';
import { movementsTable } from './movements-table.js';
import { projectionsTable } from './projections-table.js';
import { proofLevelsTable, trustedMembersTable } from './trust-tables.js';

const ROOT = new URL('..', import.meta.url);

const TYPES = 'types/api.d.ts';
const CRD = 'crds/middlewares.chain-middleware.io.yaml';
/** The package for development has the version of the program. */
const DEVTOOLS = 'devtools/package.json';

const PARTS: Record<string, (types: string) => string> = {
  contents: contentsList,
  settings: settingsTable,
  help: () => `\`\`\`text\n${rootHelp()}\`\`\``,
  endpoints: httpTable,
  moneyKinds: moneyKindsTable,
  movements: movementsTable,
  projections: projectionsTable,
  proofLevels: proofLevelsTable,
  trustedMembers: trustedMembersTable,
  errors: errorsTable,
  topics: topicsTable,
  kinds: kindsTable,
  metrics: () => metricsTable(createMetrics()),
  dependencies: productionTable,
  licences: licencesTable,
  optionalDependencies: optionalTable,
  developmentDependencies: developmentTable,
  operatorMetrics: () => metricsTable(createOperatorMetrics()),
};

/** Files that name the image, or have generated sections between `<!-- name -->` and `<!-- /name -->`. */
const FILES = [
  'README.md',
  'docs/README.md',
  'docs/architecture.md',
  'docs/configuration.md',
  'docs/commands.md',
  'docs/events.md',
  'docs/http.md',
  'docs/errors.md',
  'docs/kubernetes.md',
  'docs/metrics.md',
  'docs/dependencies.md',
  'docs/protocol/money.md',
  'docs/trust.md',
  'docs/releasing.md',
  'docs/samples/node.yaml',
  'Containerfile',
];

export interface Made {
  file: string;
  /** Current content. */
  text: string;
  /** Content that the source generates. */
  wanted: string;
}

/** All generated files. */
export async function documents(): Promise<Made[]> {
  const types = await typesOfApi();
  const files = FILES.map((file) => {
    const text = read(file);
    const wanted = nameImage(text).replace(
      /(<!-- (\w+) -->\n)[^]*?(\n<!-- \/\2 -->)/g,
      (whole, start: string, name: string, end: string) => {
        const part = PARTS[name];
        return part === undefined ? whole : `${start}\n${part(types)}\n${end}`;
      },
    );
    return { file, text, wanted };
  });
  return [
    ...files,
    { file: TYPES, text: read(TYPES), wanted: types },
    { file: DEVTOOLS, text: read(DEVTOOLS), wanted: read(DEVTOOLS).replace(/("version": ")[^"]*/, `$1${version}`) },
    { file: CRD, text: read(CRD), wanted: asYaml(customResourceDefinition()) },
    ...Object.entries(chartFiles()).map(([file, wanted]) => ({ file, text: read(file), wanted })),
  ];
}

/** The API as TypeScript types. They do not contain the version, so a new version alone changes nothing. */
async function typesOfApi(): Promise<string> {
  const document = JSON.parse(JSON.stringify(createOpenApi(endpoints))) as OpenAPI3;
  const types = await openapiTS(document, { alphabetize: false });
  return `/** The HTTP API, made from its schemas by \`npm run docs\`. */\n${astToString(types)}`;
}

function read(file: string): string {
  try {
    return readFileSync(new URL(file, ROOT), 'utf8');
  } catch {
    return '';
  }
}

if (process.argv[1]?.endsWith('docs.ts')) {
  for (const { file, text, wanted } of await documents()) {
    if (text !== wanted) writeFileSync(new URL(file, ROOT), wanted);
  }
}
