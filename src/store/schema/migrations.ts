import { readdir, readFile } from 'node:fs/promises';
import { ROOT } from '../../observe/root.js';

const FOLDER = new URL('migrations/', ROOT);

/** The migrations of this version, oldest first. */
export async function migrationNames(): Promise<string[]> {
  const files = await readdir(FOLDER);
  return files
    .filter((file) => file.endsWith('.up.sql'))
    .map((file) => file.slice(0, -'.up.sql'.length))
    .sort();
}

/** Whether older programs, which do not know the migration, can still work with the schema. They do not have its file, so its name says it. */
export const isExpansion = (name: string): boolean => /^\d{4}_expand_/.test(name);

export const migrationText = (name: string, way: 'up' | 'down'): Promise<string> =>
  readFile(new URL(`${name}.${way}.sql`, FOLDER), 'utf8');

/** Script that divides the large tables of an empty copy into partitions. */
export const partitionedLayout = (): Promise<string> => readFile(new URL('partitioned.sql', FOLDER), 'utf8');

/**
 * Kinds and names of the objects that a down script drops (`DROP TABLE a, b;`), which are those that its migration created. Triggers and
 * indexes are left out: they are dropped with their tables.
 */
export function namesOf(down: string): string[] {
  return [...down.matchAll(/^DROP (?!TRIGGER |INDEX )(\w+) (?:IF EXISTS )?([^;]+);/gm)].flatMap(
    // A function is named with the types of its arguments.
    ([, kind = '', names = '']) =>
      names
        .replaceAll(/\([^)]*\)/g, '')
        .split(',')
        .map((name) => `${kind.toLowerCase()} ${name.trim()}`),
  );
}
