import { readFileSync } from 'node:fs';
import { stringify } from 'yaml';
import { image, version } from '../src/observe/version.js';
import { allAlerts } from '../src/operator/desired/alerts.js';
import { asYaml, customResourceDefinition } from '../src/operator/schema/crd.js';
import { dashboards } from './chart/dashboards.js';
import { valuesSchema } from './chart/values-schema.js';
import { valuesTable } from './chart/values-table.js';

const CHART = 'charts/chain-middleware';
const GENERATED = 'Made by `make docs`.';

/** The generated files of the chart: path from the root of the repository, and content. */
export function chartFiles(): Record<string, string> {
  const values = read('values.yaml').replace(/^( {2}repository: ).*$/m, `$1${image.split(':')[0]}`);
  return {
    [`${CHART}/templates/crds.yaml`]: crdTemplate(),
    [`${CHART}/Chart.yaml`]: nameImage(read('Chart.yaml')).replace(/^(appVersion: ).*$/m, `$1${version}`),
    [`${CHART}/values.yaml`]: values,
    [`${CHART}/values.schema.json`]: `${JSON.stringify(valuesSchema(), null, 2)}\n`,
    [`${CHART}/files/middleware-alerts.yaml`]: `# ${GENERATED}\n${stringify(
      { name: 'chain-middleware', rules: allAlerts() },
      { lineWidth: 0 },
    )}`,
    ...Object.fromEntries(
      Object.entries(dashboards()).map(([file, content]) => [`${CHART}/files/dashboards/${file}`, content]),
    ),
    [`${CHART}/README.md`]: read('README.md').replace(
      /(<!-- values -->\n)[^]*?(\n<!-- \/values -->)/,
      (_, start: string, end: string) => start + valuesTable(values) + end,
    ),
  };
}

/** Sets the current version wherever a text names the image, at localhost or in a registry. */
export const nameImage = (text: string): string =>
  text.replace(/(\/chain-middleware(?:\/devnode)?):\w+(?:\.\w+)*/g, `$1:${version}`);

/** The definition of the resource as a template, because `helm upgrade` never updates the files in `crds/`. */
function crdTemplate(): string {
  const definition = asYaml(customResourceDefinition())
    // Escape braces of the definition, which Helm would read as template actions.
    .replaceAll('{{', '{{ "{{" }}')
    .replace(
      /^metadata:\n {2}name: (.*)$/m,
      [
        'metadata:',
        '  name: $1',
        '  labels:',
        '    {{- include "mdw.labels" . | nindent 4 }}',
        '  {{- if .Values.crds.keep }}',
        '  annotations:',
        '    helm.sh/resource-policy: keep',
        '  {{- end }}',
      ].join('\n'),
    );
  return `{{- /* ${GENERATED} */}}\n{{- if .Values.crds.install }}\n${definition}{{- end }}\n`;
}

function read(file: string): string {
  return readFileSync(new URL(`../${CHART}/${file}`, import.meta.url), 'utf8');
}
