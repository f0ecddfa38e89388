import { maskLogins, maskPassword } from './masks.js';
import type { Setting } from './settings.js';

/** The value of a setting, or why its text is not valid: a message without secrets. */
export function checkSetting(setting: Setting, variable: string, text: string): { value: unknown } | { fault: string } {
  const result = setting.check.safeParse(text.trim());
  if (result.success) return { value: result.data };
  const shown = JSON.stringify(setting.secret ? maskPassword(text) : maskLogins(text));
  return { fault: `${variable}=${shown} is not ${result.error.issues[0]?.message ?? 'valid'}` };
}
