import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { output, tool } from '../test/support/kube-tools.js';

const CHART = fileURLToPath(new URL('../charts/chain-middleware', import.meta.url));
const NAMESPACE = 'chain-middleware';

/**
 * The rendered chart as one file for `kubectl apply --server-side`, with a namespace, and without the labels and
 * annotations for Helm. `image` replaces the image of the chart, and the file `values` its default values.
 */
export function manifests(helm: string, image?: string, values?: string): string {
  const args = ['template', 'chain-middleware', CHART, '--namespace', NAMESPACE, '--skip-tests'];
  if (values) args.push('--values', values);
  if (image) {
    const [repository, tag] = repositoryAndTag(image);
    args.push('--set-string', `image.repository=${repository},image.tag=${tag}`);
  }
  const rendered = output(helm, args);
  const plain = rendered
    .replace(/^ +helm\.sh\/(chart|resource-policy): .*\n/gm, '')
    .replace(/^ +annotations:\n(?=\S)/gm, '')
    .replaceAll('app.kubernetes.io/managed-by: Helm', 'app.kubernetes.io/managed-by: kubectl');
  return `apiVersion: v1\nkind: Namespace\nmetadata:\n  name: ${NAMESPACE}\n${plain}`;
}

export function repositoryAndTag(image: string): [repository: string, tag: string] {
  const [, repository, tag] = /^(.+):([^:/]+)$/.exec(image) ?? [];
  if (repository === undefined) throw new Error(`The image ${image} has no tag: HOST/REPOSITORY:TAG is needed`);
  return [repository, tag!];
}

if (process.argv[1]?.endsWith('manifests.ts')) {
  const helm = tool('helm');
  const [, , file, image, values] = process.argv;
  if (helm === undefined || file === undefined) {
    process.stderr.write('Needs helm in PATH, and the file to write: manifests FILE [IMAGE [VALUES]]\n');
    process.exitCode = 1;
  } else {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, manifests(helm, image, values));
  }
}
