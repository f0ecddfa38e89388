/** Command: writes the pages of the guide, as servers show them, into a folder. */
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PICTURES, guideFiles } from './guide/render.js';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: guide FOLDER');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const [name, text] of guideFiles()) writeFileSync(join(folder, name), text);
cpSync(new URL(`../docs/${PICTURES}`, import.meta.url), join(folder, PICTURES), { recursive: true });
