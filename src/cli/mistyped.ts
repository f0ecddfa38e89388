/** Errors for commands and flags that do not exist, with the name that was probably meant. */
import type { Config } from '@oclif/core';
import { didYouMean } from '../config/did-you-mean.js';
import { MiddlewareError } from '../observe/errors.js';
import { devtoolsFolder } from './devtools.js';

/**
 * Throws a usage error if the arguments name no command. It must run before the library, whose message would join the
 * arguments to a name that the user did not write.
 */
export function refuseUnknownCommand(argv: readonly string[], { commands }: Config): void {
  const [first = '', second] = argv;
  const known = commands.filter(({ hidden }) => hidden !== true).map(({ id }) => id.split(':'));
  const below = known.flatMap(([topic, name]) => (topic === first && name !== undefined ? [name] : [])).sort();
  const command = commands.find(({ id }) => id === first);
  if (command === undefined && below.length === 0) {
    const names = [...new Set(known.map(([name]) => name!))];
    throw usage(`There is no command ${first}${didYouMean(first, names) || HINT}`);
  }
  if (second === undefined || second.startsWith('-') || below.includes(second)) return;
  if (below.length > 0) {
    throw usage(`${first} has no command ${second}${didYouMean(second, below) || `, but ${below.join(', ')}`}`);
  }
  if (command !== undefined && Object.keys(command.args ?? {}).length === 0) {
    throw usage(`${first} takes no argument: ${second}`);
  }
}

/** Replaces an error of the library about an unknown flag by a usage error with a suggestion. Returns others unchanged. */
export function unknownFlag(error: Error, command: string | undefined, flags: readonly string[]): Error {
  const [, list] = /^Nonexistent flags?: (.+)/.exec(error.message) ?? [];
  const [first] = list?.split(', ') ?? [];
  if (first === undefined) return error;
  const suggestion = first.startsWith('--')
    ? didYouMean(
        first,
        flags.map((name) => `--${name}`),
      )
    : '';
  return usage(`${command === undefined ? 'There is' : `${command} has`} no flag ${first}${suggestion}`);
}

/** For somebody who looks for a command for development where there is none. */
const HINT = devtoolsFolder === undefined ? '. Commands for development are in the npm package: npx mdw' : '';

const usage = (message: string): MiddlewareError => new MiddlewareError('usage', message);
