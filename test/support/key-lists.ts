/** Lists of `{rows, next}`, read to their ends. */
import { expect } from 'chai';
import type { TestApi } from './api.js';
import { nextOf } from './walks.js';

export type Row = Record<string, unknown>;

/** All rows, page by page; `next` and the link name the same page. Integers are texts. */
export async function rowsOf(api: TestApi, path: string, maxPages = 100): Promise<Row[]> {
  const found: Row[] = [];
  let next: string | null = `${path}${path.includes('?') ? '&' : '?'}int-as-string=true`;
  for (let pages = 0; next !== null; pages++) {
    if (pages > maxPages) throw new Error(`${path} does not end`);
    const { status, headers, body } = await api.get(next);
    expect(status, `${next} ${body}`).to.equal(200);
    const page = JSON.parse(body) as { rows: Row[]; next: string | null };
    expect(nextOf(next, headers.link) ?? null).to.equal(page.next);
    found.push(...page.rows);
    ({ next } = page);
  }
  return found;
}

/** All rows as NDJSON. */
export async function exportedRows(api: TestApi, path: string): Promise<Row[]> {
  const { status, headers, body } = await api.get(path, { headers: { accept: 'application/x-ndjson' } });
  expect([status, headers['content-type']], `${path} ${body}`).to.deep.equal([
    200,
    'application/x-ndjson; charset=utf-8',
  ]);
  return body
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Row);
}
