import { cpSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { output } from './kube-tools.js';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));

const WHO = { NAME: 'Somebody', EMAIL: 'somebody@example.test', DATE: '2020-01-01T00:00:00Z' };
const IDENTITY = Object.fromEntries(
  ['AUTHOR', 'COMMITTER'].flatMap((role) =>
    Object.entries(WHO).map(([field, value]): [string, string] => [`GIT_${role}_${field}`, value]),
  ),
);

export interface Clone {
  folder: string;
  commit: string;
  /** Runs a command in the clone, with these variables and this umask. */
  run(command: string): string;
}

/** Copies the current source, with uncommitted changes, to a new folder and commits it to a new repository. */
export function cloneSource(name: string, umask: string, env: Record<string, string>): Clone {
  const folder = mkdtempSync(join(tmpdir(), `mdw-${name}-`));
  const git = (args: string[], cwd = folder): string =>
    output('git', args, { cwd, env: { ...process.env, ...IDENTITY, GIT_CONFIG_GLOBAL: '/dev/null' } });
  const listed = git(['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'], PROJECT);
  const deleted = new Set(git(['ls-files', '-z', '--deleted'], PROJECT).split('\0'));
  for (const file of listed.split('\0').filter((path) => path !== '' && !deleted.has(path))) {
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    cpSync(join(PROJECT, file), join(folder, file));
  }
  git(['init', '--quiet']);
  symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, '.git/info/exclude'), 'node_modules\n');
  git(['add', '--all']);
  git(['commit', '--quiet', '--no-gpg-sign', '--message', 'All of it']);
  return {
    folder,
    commit: git(['rev-parse', 'HEAD']).trim(),
    run: (command) =>
      output('sh', ['-c', `umask ${umask}; ${command}`], { cwd: folder, env: { ...process.env, ...env } }),
  };
}
