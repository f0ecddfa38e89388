import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { areCertificates } from './config/certificates.js';
import { checkSetting, secondOpinionFault } from './config/check-setting.js';
import { maskFile, maskLogins, maskPassword } from './config/masks.js';
import { lacksAuthority, pgSslModeFault, uncheckedBy, verified } from './config/postgres-url.js';
import { settings } from './config/settings.js';
import type { Config, Role, Setting, SettingName } from './config/settings.js';
import { MiddlewareError } from './observe/errors.js';

export type { Config, Role } from './config/settings.js';
export { formatHeights, parseHeights } from './config/heights.js';
export type { HeightRange } from './config/heights.js';

export type Environment = Record<string, string | undefined>;

/**
 * Reads the settings of `roles` from `env`, never from `process.env`. All settings that are present are checked, even those that these roles
 * do not use. Throws one `invalid_config` with all faults.
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
    const result = checkSetting(setting, variable, text);
    if ('fault' in result) faults.push(result.fault);
    else values[name] = result.value;
  }
  if (roles.includes('populate')) faults.push(...lacksSecondNode(values as Partial<Config>));
  faults.push(...withAuthority(values as Partial<Config>, env['PGSSLMODE']));
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
    const { certificates, secret, variables } = setting;
    const given = certificates && env[variables[0]];
    if (isSet(given)) mustHoldCertificates(variables[0], given);
    if (secret === undefined) continue;
    for (const variable of variables) {
      const file = env[`${variable}_FILE`];
      if (!isSet(env[variable]) && isSet(file)) env[variable] = readSecret(variable, file);
    }
  }
  return env;
}

/** The settings for the log, by variable, with secrets masked. */
export function describeConfig(config: Config): Record<string, unknown> {
  return Object.fromEntries(
    (Object.entries(settings) as [SettingName, Setting][]).map(([name, setting]) => [
      setting.variables[0],
      setting.secret ? maskPasswords(config[name] as string | string[] | undefined) : maskLogins(config[name]),
    ]),
  );
}

/**
 * Adds the authority's certificate to the database URL. Returns the faults: a URL that turns certificate checks off or needs that
 * certificate, a PGSSLMODE that the driver does not know.
 */
function withAuthority(
  values: { -readonly [Name in SettingName]?: Config[Name] },
  pgSslMode: string | undefined,
): string[] {
  const { databaseCaFile, databaseUrl, databaseReplicaUrls = [] } = values;
  const urls = [databaseUrl ?? '', ...databaseReplicaUrls];
  if (databaseCaFile === undefined) {
    const mode = isSet(pgSslMode) && isSet(databaseUrl) ? pgSslModeFault(pgSslMode, databaseUrl) : undefined;
    const authority = urls.some(lacksAuthority)
      ? 'sslmode=verify-ca with uselibpqcompat=true of a URL needs sslrootcert or DATABASE_CA_FILE'
      : undefined;
    return [mode, authority].filter((fault) => fault !== undefined);
  }
  const unchecked = urls.map(uncheckedBy).find((one) => one !== undefined);
  if (unchecked !== undefined) {
    return [
      `DATABASE_CA_FILE is set, but ${unchecked} of a URL turns the check of certificates off: use sslmode=verify-full`,
    ];
  }
  if (isSet(databaseUrl)) values.databaseUrl = verified(databaseUrl, databaseCaFile);
  return [];
}

/** The fault of a second opinion with one node. */
function lacksSecondNode({ secondOpinionShare: share, nodeUrls = [] }: Partial<Config>): string[] {
  const fault = share === undefined ? undefined : secondOpinionFault(share, nodeUrls);
  return fault === undefined ? [] : [fault];
}

function isSet(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== '';
}

function maskPasswords(value: string | string[] | undefined): string | string[] | undefined {
  if (value === undefined) return undefined;
  return Array.isArray(value) ? value.map(maskPassword) : maskPassword(value);
}

function readDotEnv(file: string): Environment {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new MiddlewareError('invalid_config', `Cannot read ${file}: ${(cause as Error).message}`, {
      cause,
    });
  }
  if (text.includes('\0')) {
    throw new MiddlewareError('invalid_config', `${file} is not text in UTF-8: save it in UTF-8`);
  }
  // Editors on Windows begin a file with a byte order mark, which would belong to the first variable.
  return parseEnv(text.replace(/^\uFEFF/, ''));
}

const readSecret = (variable: string, file: string): string => readSettingFile(`${variable}_FILE`, file).trim();

/** The text of the file that a setting names. Throws `invalid_config`. */
export function readSettingFile(variable: string, file: string): string {
  try {
    // A line of a file written on Windows ends with a carriage return.
    return readFileSync(file.trim(), 'utf8');
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const message = `Wrong settings:\n  ${variable}=${JSON.stringify(maskFile(file))} cannot be read: ${code}`;
    // The error is no cause: it repeats the name.
    throw new MiddlewareError('invalid_config', message);
  }
}

/** Throws if the file contains no certificates. Without this check the database or the node would seem to be away. */
function mustHoldCertificates(variable: string, file: string): void {
  if (areCertificates(readSettingFile(variable, file))) return;
  const message = `Wrong settings:\n  ${variable}=${JSON.stringify(maskFile(file))} contains no certificates in PEM format`;
  throw new MiddlewareError('invalid_config', message);
}
