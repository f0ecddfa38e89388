import { copyFileSync, cpSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { fetchBase } from '../image/fetch.js';
import { inFolder } from '../image/folder.js';
import { sha256 } from '../image/hash.js';
import { ARCHITECTURES, PINS } from '../image/pins.js';
import { addNode } from '../image/system.js';
import { tarOf } from '../image/tar.js';
import { ABOUT } from './about.js';

export interface PluginArchive {
  file: string;
  content: Buffer;
  /** Labels by which krew selects the archive. */
  platform: { os: string; arch?: string };
}

const archived = (platform: string, folder: string): { file: string; content: Buffer } => ({
  file: `kubectl-mdw-${ABOUT.version}-${platform}.tar.gz`,
  content: gzipSync(tarOf(folder)),
});

/** The program as a plugin of kubectl, with Node.js for Linux and without it for macOS. `app`: folder of the program. */
export async function pluginArchives(app: string): Promise<PluginArchive[]> {
  const archives: PluginArchive[] = [{ ...archived('darwin', app), platform: { os: 'darwin' } }];
  for (const arch of ARCHITECTURES) {
    const { node } = await fetchBase(PINS[arch]);
    const withNode = await inFolder(async (folder) => {
      await addNode(join(folder, 'runtime'), node);
      const plugin = join(folder, 'plugin');
      cpSync(app, plugin, { recursive: true });
      copyFileSync(join(folder, 'runtime/usr/bin/node'), join(plugin, 'bin/node'));
      copyFileSync(join(folder, 'runtime/usr/share/doc/nodejs/LICENSE'), join(plugin, 'bin/LICENSE'));
      return archived(`linux-${arch}`, plugin);
    });
    archives.push({ ...withNode, platform: { os: 'linux', arch } });
  }
  return archives;
}

/** The manifest by which krew installs the plugin. */
export const pluginManifest = (archives: readonly PluginArchive[], downloads: string) => ({
  apiVersion: 'krew.googlecontainertools.github.com/v1alpha2',
  kind: 'Plugin',
  metadata: { name: 'mdw' },
  spec: {
    version: `v${ABOUT.version}`,
    homepage: downloads,
    shortDescription: 'Manage Middleware resources',
    description:
      'Shows Middleware resources with what is wrong with them (status, top, logs), loads their chains again (reload),\n' +
      'and chooses which copy of a chain serves (promote, rollback, abort).\n',
    caveats:
      'On macOS it needs Node.js 20.19 or newer in PATH. For Linux it brings its own, which needs glibc 2.28 or newer.\n',
    platforms: archives.map(({ file, content, platform }) => ({
      selector: { matchLabels: platform },
      uri: `${downloads}/${file}`,
      sha256: sha256(content),
      bin: 'bin/kubectl-mdw',
    })),
  },
});
