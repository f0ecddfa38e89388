import { cpSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { inFolder } from '../image/folder.js';
import { tarOf } from '../image/tar.js';
import { repositoryAndTag } from '../manifests.js';
import { ABOUT } from './about.js';

const CHART = fileURLToPath(new URL('../../charts/chain-middleware', import.meta.url));

/** The chart as `helm package` would make it, but with the same bytes each time, and with `image` wherever it names its image. */
export function packagedChart(image: string): Promise<Buffer> {
  return inFolder((folder) => {
    const chart = join(folder, ABOUT.name);
    cpSync(CHART, chart, { recursive: true });
    for (const ignored of ignoredOf(CHART)) rmSync(join(chart, ignored), { recursive: true, force: true });
    const [own] = repositoryAndTag(ABOUT.image);
    const [repository, tag] = repositoryAndTag(image);
    for (const file of readdirSync(chart, { recursive: true, withFileTypes: true })) {
      if (!file.isFile()) continue;
      const path = join(file.parentPath, file.name);
      const text = readFileSync(path, 'utf8');
      writeFileSync(path, text.replaceAll(ABOUT.image, image).replaceAll(own, repository));
    }
    if (tag !== ABOUT.version) {
      const values = join(chart, 'values.yaml');
      writeFileSync(values, readFileSync(values, 'utf8').replace(/^( {2}tag: )''$/m, `$1'${tag}'`));
    }
    return gzipSync(tarOf(folder));
  });
}

/** Files and folders in .helmignore, which has no patterns. */
const ignoredOf = (chart: string): string[] =>
  readFileSync(join(chart, '.helmignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '');
