import { fileURLToPath } from 'node:url';
import { refuseUnknownCommand } from './cli/mistyped.js';
import { reportFault } from './cli/plain-command.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Runs `mdw` with the arguments after the program's name and ends the process with the status they lead to. */
export async function main(argv: string[]): Promise<void> {
  // What a library will have to change is nothing that an operator of this service can act on.
  process.noDeprecation = true;
  // oclif asks the system for the shell of the user otherwise, which fails where a platform chose a user that has no entry.
  process.env.SHELL ??= '/bin/sh';
  // A reader that has seen enough (`mdw -v | head`) is no fault.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  try {
    await dispatch(argv);
  } catch (error) {
    process.exitCode = reportFault(error, process.env);
  }
  process.exit();
}

async function dispatch(argv: string[]): Promise<void> {
  const [first, second] = argv;
  if (first === 'help' && second !== undefined) return dispatch([second, '--help']);
  if (first !== undefined && first !== 'help' && !first.startsWith('-')) {
    const { Config, run: runSubcommand } = await import('@oclif/core');
    const config = await Config.load(ROOT);
    refuseUnknownCommand(argv, config);
    await runSubcommand(argv, config);
  } else if (first === 'help' || argv.includes('--help') || argv.includes('-h')) {
    const { rootHelp } = await import('./cli/help.js');
    process.stdout.write(rootHelp());
  } else {
    const { default: Run } = await import('./commands/run.js');
    await Run.run(argv, ROOT);
  }
}
