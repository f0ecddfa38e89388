import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { settings } from './config/settings.js';
import type { Config, Role, Setting, SettingName } from './config/settings.js';
import { MiddlewareError } from './observe/errors.js';

export type { Config, Role } from './config/settings.js';
export { formatHeights, parseHeights } from './config/heights.js';
export type { HeightRange } from './config/heights.js';

export type Environment = Record<string, string | undefined>;

/**
 * Reads the settings that `roles` use from `env`, never from the process itself. Every setting that is present is
 * checked, whether used or not; all faults are reported in one error.
 */
export function readConfig(env: Environment, roles: readonly Role[]): Config {
  const values: Partial<Record<SettingName, unknown>> = {};
  const faults: string[] = [];
  for (const [name, setting] of Object.entries(settings) as [SettingName, Setting][]) {
    const variable = setting.variables.find((one) => isSet(env[one])) ?? setting.variables[0];
    const text = isSet(env[variable]) ? env[variable] : setting.fallback;
    if (text === undefined) {
      if (setting.optional === undefined && roles.some((role) => setting.roles.includes(role))) {
        faults.push(`${variable} is not set: ${setting.help}`);
      }
      values[name] = setting.empty;
      continue;
    }
    const result = setting.check.safeParse(text.trim());
    if (result.success) values[name] = result.data;
    else faults.push(`${variable}=${shown(setting, text)} is not ${result.error.issues[0]?.message ?? 'valid'}`);
  }
  if (faults.length > 0) {
    const list = faults.map((fault) => `\n  ${fault}`).join('');
    throw new MiddlewareError('invalid_config', `Wrong settings:${list}`, { details: { faults } });
  }
  return Object.freeze(values) as unknown as Config;
}

/**
 * The environment of a process: its variables, then those of `.env` in `folder`, then the contents of the files that
 * `<variable>_FILE` names for secrets.
 */
export function readEnvironment(processEnv: Environment, folder: string): Environment {
  const env: Environment = { ...readDotEnv(join(folder, '.env')), ...processEnv };
  for (const setting of Object.values(settings) as Setting[]) {
    if (setting.secret === undefined) continue;
    for (const variable of setting.variables) {
      const file = env[`${variable}_FILE`];
      if (!isSet(env[variable]) && isSet(file)) env[variable] = readSecret(variable, file);
    }
  }
  return env;
}

/** The settings as they may be logged: by variable, secrets masked. */
export function describeConfig(config: Config): Record<string, unknown> {
  return Object.fromEntries(
    (Object.entries(settings) as [SettingName, Setting][]).map(([name, setting]) => [
      setting.variables[0],
      setting.secret ? maskPasswords(config[name] as string | string[] | undefined) : maskLogins(config[name]),
    ]),
  );
}

function isSet(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== '';
}

function shown(setting: Setting, text: string): string {
  return JSON.stringify(setting.secret ? maskPassword(text) : maskLogins(text));
}

/** `postgres://user:***@host/db`; text of another form is masked whole, as it is not known where its secret is. */
function maskPassword(text: string): string {
  const match = /^([a-z]+:\/\/)(?:(.*)@)?([^?]*)(\?.*)?$/s.exec(text);
  if (match === null) return '***';
  const [, scheme, login, rest, query] = match;
  const user = login?.split(':')[0];
  return `${scheme}${user === undefined ? '' : `${user}:***@`}${rest}${query === undefined ? '' : '?***'}`;
}

function maskPasswords(value: string | string[] | undefined): string | string[] | undefined {
  if (value === undefined) return undefined;
  return Array.isArray(value) ? value.map(maskPassword) : maskPassword(value);
}

/** Node and compiler addresses may carry a user and password too. */
function maskLogins<T>(value: T): T {
  if (Array.isArray(value)) return value.map(maskLogins) as T;
  return typeof value === 'string' ? (value.replace(/[^\s/,]*@/g, '***@') as T) : value;
}

function readDotEnv(file: string): Environment {
  try {
    return parseEnv(readFileSync(file, 'utf8'));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new MiddlewareError('invalid_config', `Cannot read ${file}: ${(cause as Error).message}`, {
      cause,
    });
  }
}

function readSecret(variable: string, file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (cause) {
    throw new MiddlewareError(
      'invalid_config',
      `Wrong settings:\n  ${variable}_FILE=${JSON.stringify(file)} cannot be read: ${(cause as Error).message}`,
      { cause },
    );
  }
}
