import { ERRORS, FAULTS, httpStatusOf } from '../src/observe/errors.js';
import type { ErrorCode, ErrorRow } from '../src/observe/errors.js';
import { statusOf } from '../src/observe/exit.js';

/** The table of `docs/errors.md`: every error that is raised on purpose. */
export function errorsTable(): string {
  const codes = Object.keys(ERRORS) as ErrorCode[];
  const lines = codes.map((code) => {
    const { fault, origin, when, outage, remedy = '' }: ErrorRow = ERRORS[code];
    const again = outage ? 'waits' : FAULTS[fault].retry ? 'later' : 'no';
    return `| \`${code}\` | ${origin} | ${when} | ${httpStatusOf(ERRORS[code])} | ${statusOf(code)} | ${again} | ${remedy} |`;
  });
  return [
    '| Code | From | When | HTTP | Exit | Again | What to do |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...lines,
  ].join('\n');
}
