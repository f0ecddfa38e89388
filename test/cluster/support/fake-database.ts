import type { KubeClient, KubeRequest } from '../../../src/operator/kube/client.js';
import { endsWith } from './job-end.js';
import { tampered } from './tamper.js';

interface Row {
  step: string;
  reload: string;
  result: string | null;
  schema: string;
  work: string;
  at: string;
}

interface FakeCopy {
  height: number;
  live: boolean;
  serving: Row[];
}

interface Workload {
  kind: string;
  spec: {
    template: {
      metadata: { annotations?: Record<string, string> };
      spec: { containers: { args?: string[]; env?: { name: string; value?: string }[] }[] };
    };
  };
}

/** Height of the head in the suites. */
const HEAD = 100;

/**
 * What the programs in simulated pods would do to a database: it follows from the Jobs and Deployments that the operator makes. The answer
 * of a Job becomes the termination message of its simulated pod, unless a test lets the pod fail.
 */
export class FakeDatabase {
  readonly copies = new Map<string, FakeCopy>();

  /** A client whose Jobs and Deployments have their effects here. */
  behind(client: KubeClient): KubeClient {
    return tampered(client, { before: (_path, request) => this.see(request) });
  }

  private see({ method, body }: KubeRequest): void {
    const { kind, spec } = (body ?? {}) as Partial<Workload>;
    if (method === 'DELETE' || spec === undefined || (kind !== 'Job' && kind !== 'Deployment')) return;
    const [container] = spec.template.spec.containers;
    const schema = container?.env?.find(({ name }) => name === 'DATABASE_SCHEMA')?.value;
    if (container?.args === undefined || schema === undefined) return;
    if (kind === 'Deployment') {
      if (container.args[0] === '-p') Object.assign(this.copy(schema), { height: HEAD, live: true });
      return;
    }
    const annotations = (spec.template.metadata.annotations ??= {});
    const isSurvey = container.args[0] === 'copies';
    // A test lets the pod of the migration wait, not that of the survey before it.
    if (isSurvey) delete annotations['sim/hold'];
    if (![undefined, '0'].includes(annotations['sim/exit-code'])) return;
    // A survey that waits answers when the test lets it end.
    if (annotations['sim/complete'] === 'false' && !isSurvey) return;
    const answer = this.run(container.args, schema);
    if (answer === undefined) return;
    endsWith(spec.template, answer);
  }

  private run(args: string[], schema: string): { ok: boolean } | undefined {
    const flag = (name: string): string | undefined => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
    const copy = this.copies.get(schema);
    switch (args[0]) {
      case 'copies':
        return this.survey([schema, flag('--other')!]);
      case 'migrate':
        this.copy(schema);
        return undefined;
      case '-H':
        Object.assign(this.copy(schema), { height: HEAD });
        return undefined;
      case 'record':
        this.record(schema, args[1]!, flag('--reload')!, null);
        return undefined;
      case 'drop': {
        const serving = flag('--serving')!;
        const isAhead = (copy?.height ?? -1) > (this.copies.get(serving)?.height ?? -1);
        if (isAhead && !args.includes('--any-work')) {
          return { ok: false, ...{ code: 'copy_ahead', message: `The copy in schema ${schema} has more proven work` } };
        }
        this.copies.delete(schema);
        if (flag('--reload') !== undefined) this.record(serving, 'done', flag('--reload')!, flag('--result')!);
        else if (this.copies.get(serving)?.serving.length === 0) this.record(serving, 'switched', '', null);
        return undefined;
      }
      default:
        return undefined;
    }
  }

  private copy(schema: string): FakeCopy {
    const copy = this.copies.get(schema) ?? { height: -1, live: false, serving: [] };
    this.copies.set(schema, copy);
    return copy;
  }

  private survey(schemas: string[]) {
    const found = schemas.filter((schema) => this.copies.has(schema));
    const copies = found.map((schema) => {
      const { height, live } = this.copy(schema);
      return { schema, live, height, provenHeight: height, work: String(height + 1) };
    });
    const rows = found.map((schema) => this.copy(schema).serving).sort((a, b) => b.length - a.length);
    return { ok: true, copies, serving: rows[0] ?? [] };
  }

  private record(schema: string, step: string, reload: string, result: string | null): void {
    const { height } = this.copy(schema);
    const row = { step, reload, result, schema, work: String(height + 1), at: new Date().toISOString() };
    const known = [...this.copies.values()].map(({ serving }) => serving).sort((a, b) => b.length - a.length)[0]!;
    const rows = [...known, row];
    for (const copy of this.copies.values()) copy.serving = rows;
  }
}
