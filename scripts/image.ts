import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { image } from '../src/observe/version.js';
import { fetchBase } from './image/fetch.js';
import { imageArchive } from './image/oci.js';
import { PINS, ownArchitecture } from './image/pins.js';
import { CONFIG, addDevelopment, makeRoot } from './image/root.js';
import { tarOf } from './image/tar.js';

const { root, archive, development, name } = parseArgs({
  options: {
    root: { type: 'string' },
    archive: { type: 'string' },
    // With what is for development: the simulated node, the flows and the demo.
    development: { type: 'boolean', default: false },
    name: { type: 'string' },
  },
}).values;

const developmentImage = image.replace(':', '/devnode:');

// What changes rarely is below what changes often.
const isPackage = (path: string): boolean => path.startsWith('app/node_modules');
const isApp = (path: string): boolean => path.startsWith('app/') && !isPackage(path);
const isSystem = (path: string): boolean => !isApp(path) && !isPackage(path);

const base = await fetchBase(PINS[ownArchitecture()]);
if (root !== undefined) makeRoot(root, base);
else if (archive !== undefined) {
  const folder = mkdtempSync(join(tmpdir(), 'mdw-image-'));
  try {
    makeRoot(folder, base);
    if (development) addDevelopment(folder);
    const wanted = name ?? (development ? developmentImage : image);
    const layers = [isSystem, isPackage, isApp].map((under) => tarOf(folder, under));
    mkdirSync(dirname(archive), { recursive: true });
    writeFileSync(archive, imageArchive(wanted, layers, CONFIG));
    process.stdout.write(`${archive} holds ${wanted}\n`);
  } finally {
    rmSync(folder, { recursive: true });
  }
} else throw new Error('usage: image --root FOLDER | --archive FILE [--development] [--name HOST/REPOSITORY:TAG]');
