import { maskLogins, maskPassword } from './masks.js';
import type { Setting } from './settings.js';

/** The value of a setting, or why its text is not valid: a message without secrets. */
export function checkSetting(setting: Setting, variable: string, text: string): { value: unknown } | { fault: string } {
  const result = setting.check.safeParse(text.trim());
  if (result.success) return { value: result.data };
  const shown = JSON.stringify(setting.secret ? maskPassword(text) : maskLogins(text));
  return { fault: `${variable}=${shown} is not ${result.error.issues[0]?.message ?? 'valid'}` };
}

/** Why a second opinion cannot be asked for; undefined if it can be, or if none is wanted. Whether two addresses are one node shows when they answer. */
export function secondOpinionFault(share: number, nodeUrls: readonly string[]): string | undefined {
  if (share === 0 || new Set(nodeUrls).size > 1) return undefined;
  return `SECOND_OPINION_SHARE=${share} needs a second node: add its address to NODE_URL, or set it to 0`;
}
