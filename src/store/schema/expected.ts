/** The schema that the migrations of this version make, in both layouts. `npm run schema` writes the file. */
import { readFile } from 'node:fs/promises';
import { ROOT } from '../../observe/root.js';

const FILE = new URL('migrations/schema.json', ROOT);

export interface ExpectedSchema {
  /** Definitions by label. */
  objects: Record<string, string>;
  /** The SELECT of each view. */
  views: Record<string, string>;
}

type Layout = 'plain' | 'partitioned';

/** Shape of the file: what the layouts have in common stands once. */
export type SchemaFile = Record<'common' | Layout, ExpectedSchema>;

export async function expectedSchema(layout: Layout): Promise<ExpectedSchema> {
  const file = JSON.parse(await readFile(FILE, 'utf8')) as SchemaFile;
  return {
    objects: { ...file.common.objects, ...file[layout].objects },
    views: { ...file.common.views, ...file[layout].views },
  };
}
