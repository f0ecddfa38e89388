import { settings } from '../config/settings.js';
import type { Setting } from '../config/settings.js';

interface Row {
  variable: string;
  fallback: string;
  roles: string;
  help: string;
}

const FLAGS: Record<string, string> = { populate: '-p', heights: '-H', verify: '-v', serve: '-s' };

function rows(): Row[] {
  return (Object.values(settings) as Setting[]).map(({ variables, fallback, optional, secret, roles, help }) => ({
    variable: variables[0],
    fallback: fallback ?? (optional ? 'none' : 'required'),
    roles: roles.map((role) => FLAGS[role] ?? role).join(' '),
    help: [
      help,
      ...variables.slice(1).map((other) => `(else ${other})`),
      ...(secret ? [`(or a file named by ${variables[0]}_FILE)`] : []),
    ].join(' '),
  }));
}

/** The settings as lines of help, wrapped at `width` characters. */
export function settingsHelp(width = 110): string {
  const all = rows();
  const column = Math.max(...all.map(({ variable }) => variable.length)) + 4;
  return all
    .map(({ variable, fallback, help }) => {
      const text = fallback === 'none' || fallback === 'required' ? help : `${help} [${fallback}]`;
      const lines = wrap(fallback === 'required' ? `${help} (required)` : text, width - column);
      return `  ${variable.padEnd(column - 2)}${lines.join(`\n${' '.repeat(column)}`)}`;
    })
    .join('\n');
}

/** The settings as a Markdown table. */
export function settingsTable(): string {
  const lines = rows().map(({ variable, fallback, roles, help }) => {
    const value = fallback === 'required' ? '**required**' : fallback === 'none' ? '' : `\`${fallback}\``;
    return `| \`${variable}\` | ${value} | ${roles} | ${help} |`;
  });
  return ['| Variable | Default | Used by | Meaning |', '| --- | --- | --- | --- |', ...lines].join('\n');
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
