import type { Config } from '@oclif/core';
import { fileURLToPath } from 'node:url';
import { devtoolsFolder } from './cli/devtools.js';
import { refuseUnknownCommand } from './cli/mistyped.js';
import { flushOutputs, watchOutputs } from './cli/output.js';
import { reportFault } from './cli/plain-command.js';
import { print } from './observe/print.js';
import { ROOT } from './observe/root.js';

/** Where oclif finds the program. Plugins in the home of the user are not looked for. */
const PROGRAM = { root: fileURLToPath(ROOT), userPlugins: false, devPlugins: false };

/** Runs `mdw` with the arguments after the name of the program, and ends the process with the exit status. */
export async function main(argv: string[]): Promise<void> {
  // Deprecation warnings are about libraries, and an administrator of the service cannot act on them.
  process.noDeprecation = true;
  // Without this, oclif asks the system for the shell of the user. That fails if a platform runs it as a user without an entry.
  process.env.SHELL ??= '/bin/sh';
  watchOutputs();
  try {
    await dispatch(argv);
  } catch (error) {
    process.exitCode = reportFault(error, process.env);
  }
  await flushOutputs();
  process.exit();
}

async function dispatch(argv: string[]): Promise<void> {
  const [first, second] = argv;
  if (first === 'help' && second !== undefined) return dispatch([second, '--help']);
  if (first !== undefined && first !== 'help' && !first.startsWith('-')) {
    const { run: runSubcommand } = await import('@oclif/core');
    const config = await loadProgram();
    refuseUnknownCommand(argv, config);
    await runSubcommand(argv, config);
  } else if (first === 'help' || argv.includes('--help') || argv.includes('-h')) {
    const { rootHelp } = await import('./cli/help.js');
    print('stdout', rootHelp().trimEnd());
  } else {
    const { default: Run } = await import('./commands/run.js');
    await Run.run(argv, PROGRAM);
  }
}

/** The commands of the program, and those of the package for development if it is installed. */
async function loadProgram(): Promise<Config> {
  const { Config, Plugin } = await import('@oclif/core');
  const plugins = [new Plugin({ root: PROGRAM.root, isRoot: true })];
  if (devtoolsFolder !== undefined) plugins.push(new Plugin({ root: devtoolsFolder }));
  await Promise.all(plugins.map((plugin) => plugin.load()));
  return Config.load({ ...PROGRAM, plugins: new Map(plugins.map((plugin) => [plugin.name, plugin])) });
}
