import { expect } from 'chai';
import { readFileSync, readdirSync } from 'node:fs';
import { exposedMetrics } from './exposed-metrics.js';
import { metricsIn } from './promql.js';

interface Dashboard {
  uid: string;
  title: string;
  panels: { title: string; type: string; targets?: { expr: string; legendFormat: string }[] }[];
  templating: { list: { name: string; definition?: string }[] };
}

const FOLDER = new URL('../../charts/chain-middleware/files/dashboards/', import.meta.url);
const dashboards = readdirSync(FOLDER).map(
  (file) => JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')) as Dashboard,
);

describe('the dashboards of the chart', () => {
  const exposed = exposedMetrics();

  for (const { title, panels, templating } of dashboards) {
    it(`${title} uses only metrics and labels that the programs have`, () => {
      const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
      const chosen = templating.list.flatMap(
        ({ definition }) => /^label_values\((.*), \w+\)$/.exec(definition ?? '')?.[1] ?? [],
      );

      expect(queries).to.have.length.above(10);
      for (const query of [...queries, ...chosen]) {
        const asked = metricsIn(query);
        expect(asked, query).to.have.length.above(0);
        for (const { name, labels } of asked) {
          expect(exposed, query).to.have.property(name);
          expect(exposed[name], query).to.include.members(labels);
        }
      }
    });

    it(`${title} uses only labels in its legends that its queries return`, () => {
      for (const { expr, legendFormat } of panels.flatMap(({ targets = [] }) => targets)) {
        const shown = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label!);
        const kept = /\bby \(([^)]*)\)/.exec(expr)?.[1]?.split(/,\s*/);
        const labels = kept ?? exposed[metricsIn(expr)[0]!.name];
        expect(labels, `${expr} ${legendFormat}`).to.include.members(shown);
      }
    });
  }
});
