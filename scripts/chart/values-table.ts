import { isMap, isScalar, parseDocument } from 'yaml';
import type { YAMLMap } from 'yaml';

interface Row {
  path: string;
  fallback: string;
  meaning: string;
}

/** The table of README.md: every value of values.yaml that has a comment, with its default. */
export function valuesTable(values: string): string {
  const { contents } = parseDocument(values);
  const rows = isMap(contents) ? rowsOf(contents, '') : [];
  const lines = rows.map(({ path, fallback, meaning }) => `| \`${path}\` | \`${fallback}\` | ${meaning} |`);
  return ['', '| Value | Default | Meaning |', '| --- | --- | --- |', ...lines, ''].join('\n');
}

function rowsOf(map: YAMLMap, prefix: string, above?: string): Row[] {
  return map.items.flatMap(({ key, value }, at): Row[] => {
    if (!isScalar(key)) return [];
    const path = prefix === '' ? String(key.value) : `${prefix}.${String(key.value)}`;
    // The parser assigns the comment before the first key of a map to the map.
    const comment = key.commentBefore ?? (at === 0 ? (above ?? map.commentBefore) : undefined);
    const inner = isMap(value) ? value : undefined;
    if (comment == null) {
      if (inner === undefined) throw new Error(`values.yaml does not say what ${path} is`);
      return rowsOf(inner, path);
    }
    const fallback = JSON.stringify((value as { toJSON(): unknown }).toJSON()).replaceAll('|', '\\|');
    return [{ path, fallback, meaning: comment.trim().replace(/\s+/g, ' ') }];
  });
}
