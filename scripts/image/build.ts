import { fetchBase } from './fetch.js';
import { inFolder } from './folder.js';
import type { PlatformImage } from './oci.js';
import { PINS } from './pins.js';
import type { Architecture } from './pins.js';
import { makeSystem } from './system.js';
import { tarOf } from './tar.js';

const isPackage = (path: string): boolean => path === 'app' || path.startsWith('app/node_modules');
const isApp = (path: string): boolean => path.startsWith('app/') && !isPackage(path);

/** An image for each architecture. The layers with the program, from `root`, are the same for all. */
export async function platformImages(root: string, architectures: readonly Architecture[]): Promise<PlatformImage[]> {
  // Layers that change rarely are below layers that change often.
  const program = [isPackage, isApp].map((under) => tarOf(root, under));
  const images: PlatformImage[] = [];
  for (const architecture of architectures) {
    const base = await fetchBase(PINS[architecture]);
    const system = await inFolder(async (folder) => {
      await makeSystem(folder, base);
      return tarOf(folder);
    });
    images.push({ architecture, layers: [system, ...program] });
  }
  return images;
}
