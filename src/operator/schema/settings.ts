import { checkSetting, secondOpinionFault } from '../../config/check-setting.js';
import { didYouMean } from '../../config/did-you-mean.js';
import { settings } from '../../config/settings.js';
import type { Setting } from '../../config/settings.js';

const ALL = Object.values(settings) as Setting[];

/** Settings that can only be set by a field of the resource, with that field. */
export const FIELDS: Readonly<Record<string, string>> = Object.fromEntries(
  ALL.flatMap(({ variables: [name], field, fieldOnly }) => (field !== undefined && fieldOnly ? [[name, field]] : [])),
);

/** The settings that fields of the resource set, as environment variables. */
export function fieldVariables(spec: object): Record<string, string> {
  const given = ALL.flatMap(({ variables: [name], field }): [string, string][] => {
    const value = field === undefined ? undefined : valueAt(spec, field);
    return value === undefined ? [] : [[name, String(value)]];
  });
  return Object.fromEntries(given);
}

/** Value of a field by its path; all fields of settings are numbers or texts. */
function valueAt(spec: object, path: string): string | number | undefined {
  let value: unknown = spec;
  for (const part of path.split('.')) value = (value as Record<string, unknown> | undefined)?.[part];
  return value as string | number | undefined;
}

/** Settings that the operator sets itself. */
export const MANAGED = [
  ...['NODE_URL', 'NODE_API', 'NODE_TIMEOUT_MS', 'NODE_INTERNAL_URL', 'COMPILER_URL', 'AESOPHIA_URL'],
  ...['ROSETTA_URL', 'ROSETTA_URL_FILE', 'GENESIS_ACCOUNTS_FILE'],
  ...[
    'DATABASE_URL',
    'DATABASE_URL_FILE',
    'DATABASE_REPLICA_URLS',
    'DATABASE_REPLICA_URLS_FILE',
    'DATABASE_SCHEMA',
    'HTTP_ADDRESS',
    'COMPAT_ADDRESS',
    'METRICS_ADDRESS',
    'WEBSOCKET_ADDRESS',
  ],
  ...['DATABASE_CA_FILE', 'NODE_CA_FILE', 'COMPILER_CA_FILE'],
  // A copy of a resource is in a schema of a fixed name.
  'NEW_GENESIS',
  ...['PID_FILE', 'LOG_DIR', 'LOG_LEVEL', 'TERMINATION_LOG', 'PROGRESS_ADDRESS'],
];

const SETTINGS = new Map(ALL.flatMap((setting) => setting.variables.map((variable) => [variable, setting])));

/** Errors in `spec.settings`, by the settings of this version. `nodeUrls`: `spec.node.urls`. */
export function settingFaults(given: Readonly<Record<string, string>>, nodeUrls: readonly string[]): string[] {
  const faults = faultsOfEach(given);
  if (faults.length > 0) return faults;
  const fault = secondOpinionFault(Number(given['SECOND_OPINION_SHARE'] ?? 0), nodeUrls);
  return fault === undefined ? [] : [`spec.settings.${fault.replace('NODE_URL', 'spec.node.urls')}`];
}

function faultsOfEach(given: Readonly<Record<string, string>>): string[] {
  return Object.entries(given).flatMap(([variable, text]) => {
    const setting = SETTINGS.get(variable);
    if (setting === undefined) {
      const meant = didYouMean(variable, [...SETTINGS.keys()]);
      const hint = meant === '' ? ': variables of other programs belong in the podTemplate of a role' : meant;
      return [`spec.settings.${variable} is not a setting of this version${hint}`];
    }
    const result = text.trim() === '' ? undefined : checkSetting(setting, variable, text);
    return result !== undefined && 'fault' in result ? [`spec.settings.${result.fault}`] : [];
  });
}
