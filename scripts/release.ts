/** Writes all that a release consists of into a folder; docs/releasing.md says what each file is. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { output, tool } from '../test/support/kube-tools.js';
import { ARCHITECTURES } from './image/pins.js';
import { platformImages } from './image/build.js';
import { inFolder } from './image/folder.js';
import { sha256 } from './image/hash.js';
import { imageArchive } from './image/oci.js';
import { CONFIG, makeApp } from './image/root.js';
import { tarOfContents } from './image/tar.js';
import { manifests } from './manifests.js';
import { ABOUT, PREFIX } from './release/about.js';
import type { Places } from './release/about.js';
import { bundleFiles } from './release/bundle.js';
import { packagedChart } from './release/chart.js';
import { pluginArchives, pluginManifest } from './release/plugin.js';
import { provenance } from './release/provenance.js';
import { billOfMaterials } from './sbom.js';
import { stringify } from 'yaml';
import { gzipSync } from 'node:zlib';

const { out, builder, ...places } = parseArgs({
  options: {
    out: { type: 'string', default: 'dist/release' },
    image: { type: 'string', default: ABOUT.image },
    downloads: { type: 'string', default: `https://localhost/${ABOUT.name}` },
    builder: { type: 'string', default: `urn:${ABOUT.name}:by-hand` },
  },
}).values;

const json = (value: unknown): Buffer => Buffer.from(`${JSON.stringify(value, null, 2)}\n`);

async function filesOf(
  { image, downloads }: Places,
  helm: string,
): Promise<{ files: Record<string, Buffer>; digest: string }> {
  const { images, plugins } = await inFolder(async (folder) => {
    makeApp(folder);
    return { images: await platformImages(folder, ARCHITECTURES), plugins: await pluginArchives(join(folder, 'app')) };
  });
  const { archive, digest } = imageArchive(image, images, CONFIG);
  const rendered = manifests(helm, image);
  const bundle = Object.entries(bundleFiles(rendered, image)).map(([path, text]) => [path, Buffer.from(text)]);
  const files = {
    [`${PREFIX}-image.tar`]: archive,
    [`${PREFIX}.tgz`]: await packagedChart(image),
    [`${PREFIX}-olm-bundle.tar.gz`]: gzipSync(tarOfContents(Object.fromEntries(bundle) as Record<string, Buffer>)),
    'install.yaml': Buffer.from(rendered),
    'mdw.yaml': Buffer.from(stringify(pluginManifest(plugins, downloads))),
    ...Object.fromEntries(plugins.map(({ file, content }) => [file, content])),
    ...Object.fromEntries(
      ARCHITECTURES.map((architecture) => [
        `${PREFIX}-linux-${architecture}.cdx.json`,
        json(billOfMaterials(architecture)),
      ]),
    ),
  };
  return { files, digest };
}

const helm = tool('helm');
if (helm === undefined) throw new Error('Needs helm in PATH');
const git = (...args: string[]): string => output('git', args).trim();
if (git('status', '--porcelain') !== '')
  throw new Error('A release is made of a commit: there are changes that are in none');

const { files, digest } = await filesOf(places, helm);
const subjects = [
  ...Object.entries(files).map(([name, content]) => ({ name, digest: { sha256: sha256(content) } })),
  { name: places.image, digest: { sha256: digest.replace('sha256:', '') } },
];
const origin = { commit: git('rev-parse', 'HEAD'), builder, lock: readFileSync('package-lock.json') };
files['provenance.json'] = json(provenance(subjects, places, origin));
const sums = Object.entries(files).map(([name, content]) => `${sha256(content)}  ${name}\n`);
files['SHA256SUMS'] = Buffer.from(sums.sort().join(''));

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
for (const [name, content] of Object.entries(files)) writeFileSync(join(out, name), content);
process.stdout.write(`${out} holds ${PREFIX} with the image ${places.image}@${digest}\n`);
