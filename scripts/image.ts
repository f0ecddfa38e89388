import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { image } from '../src/observe/version.js';
import { platformImages } from './image/build.js';
import { fetchBase } from './image/fetch.js';
import { inFolder } from './image/folder.js';
import { imageArchive } from './image/oci.js';
import { PINS, ownArchitecture } from './image/pins.js';
import { CONFIG, addDevelopment, makeApp } from './image/root.js';
import { makeSystem } from './image/system.js';

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

if (root !== undefined) {
  rmSync(root, { recursive: true, force: true });
  await makeSystem(root, await fetchBase(PINS[ownArchitecture()]));
  makeApp(root);
} else if (archive !== undefined) {
  const wanted = name ?? (development ? developmentImage : image);
  const images = await inFolder((folder) => {
    makeApp(folder);
    if (development) addDevelopment(folder);
    return platformImages(folder, [ownArchitecture()]);
  });
  mkdirSync(dirname(archive), { recursive: true });
  writeFileSync(archive, imageArchive(wanted, images, CONFIG).archive);
  process.stdout.write(`${archive} holds ${wanted}\n`);
} else throw new Error('usage: image --root FOLDER | --archive FILE [--development] [--name HOST/REPOSITORY:TAG]');
