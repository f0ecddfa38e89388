import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../../../migrations', import.meta.url));

/** The migrations of this version, oldest first. */
export async function migrationNames(): Promise<string[]> {
  const files = await readdir(FOLDER);
  return files
    .filter((file) => file.endsWith('.up.sql'))
    .map((file) => file.slice(0, -'.up.sql'.length))
    .sort();
}

/** Whether programs that do not know the migration work on beside it. Its name says so, for they do not have its file. */
export const isExpansion = (name: string): boolean => /^\d{4}_expand_/.test(name);

export const migrationText = (name: string, way: 'up' | 'down'): Promise<string> =>
  readFile(join(FOLDER, `${name}.${way}.sql`), 'utf8');

/** Script that divides the large tables of an empty copy into partitions. */
export const partitionedLayout = (): Promise<string> => readFile(join(FOLDER, 'partitioned.sql'), 'utf8');

/** Kind and name of what a script takes away again: `DROP TABLE a, b;`. That is what its migration has made. Triggers and indexes go by their tables. */
export function namesOf(down: string): string[] {
  return [...down.matchAll(/^DROP (?!TRIGGER |INDEX )(\w+) (?:IF EXISTS )?([^;]+);/gm)].flatMap(
    ([, kind = '', names = '']) => names.split(',').map((name) => `${kind.toLowerCase()} ${name.trim()}`),
  );
}
