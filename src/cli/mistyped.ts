/** Commands and flags that do not exist, and which ones were probably meant. */
import type { Config } from '@oclif/core';
import { didYouMean } from '../config/did-you-mean.js';
import { MiddlewareError } from '../observe/errors.js';
import { isLeftOut } from './development.js';

/** Refuses words that name no command, before the library joins them to names that nobody wrote. */
export function refuseUnknownCommand(argv: readonly string[], { commands }: Config): void {
  const [first = '', second] = argv;
  if (isLeftOut(first)) {
    throw usage(
      `${first} is for development and not in container images: run it from the npm package, npx mdw ${first}`,
    );
  }
  const known = commands.filter(({ hidden }) => hidden !== true).map(({ id }) => id.split(':'));
  const below = known.flatMap(([topic, name]) => (topic === first && name !== undefined ? [name] : [])).sort();
  const command = commands.find(({ id }) => id === first);
  if (command === undefined && below.length === 0) {
    const names = [...new Set(known.map(([name]) => name!))];
    throw usage(`There is no command ${first}${didYouMean(first, names)}`);
  }
  if (second === undefined || second.startsWith('-') || below.includes(second)) return;
  if (below.length > 0) {
    throw usage(`${first} has no command ${second}${didYouMean(second, below) || `, but ${below.join(', ')}`}`);
  }
  if (command !== undefined && Object.keys(command.args ?? {}).length === 0) {
    throw usage(`${first} takes no argument: ${second}`);
  }
}

/** The error to report instead of the library's, if that is about flags that `command` does not have. */
export function unknownFlag(error: Error, command: string | undefined, flags: readonly string[]): Error {
  const [, list] = /^Nonexistent flags?: (.+)/.exec(error.message) ?? [];
  const [first] = list?.split(', ') ?? [];
  if (first === undefined) return error;
  const asked = first.startsWith('--')
    ? didYouMean(
        first,
        flags.map((name) => `--${name}`),
      )
    : '';
  return usage(`${command === undefined ? 'There is' : `${command} has`} no flag ${first}${asked}`);
}

const usage = (message: string): MiddlewareError => new MiddlewareError('usage', message);
