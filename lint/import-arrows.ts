import type { Rule } from 'eslint';
import { dirname, join, relative, sep } from 'node:path';

/** Checks the direction of imports between the folders of src, and between src and the package `devtools`: see lint/arrows.ts. */
export const importArrows: Rule.RuleModule = {
  meta: {
    type: 'problem',
    schema: [{ type: 'object' }],
    messages: {
      arrow: '{{from}} may not import {{to}}, only: {{allowed}}.',
      unlisted: '{{from}} is not in the table of arrows: add it to lint/arrows.ts.',
    },
  },
  create(context) {
    const arrows = context.options[0] as Record<string, readonly string[]>;
    const from = sourcePath(context.cwd, context.filename);
    if (from === undefined) return {};
    const scope = scopeOf(arrows, from);
    if (scope === undefined) {
      return { Program: (node) => context.report({ node, messageId: 'unlisted', data: { from } }) };
    }
    const check = (node: Rule.Node): void => {
      const target = 'source' in node ? node.source : undefined;
      if (target?.type !== 'Literal' || typeof target.value !== 'string' || !target.value.startsWith('.')) return;
      const to = sourcePath(context.cwd, join(dirname(context.filename), target.value));
      // Files directly in a folder may import its subfolders.
      if (to === undefined || isUnder(scope, to)) return;
      const allowed = arrows[scope]!;
      if (allowed.some((path) => isUnder(path, to))) return;
      context.report({ node, messageId: 'arrow', data: { from: scope, to, allowed: allowed.join(', ') || 'itself' } });
    };
    return {
      ImportDeclaration: check,
      ImportExpression: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
    };
  },
};

/** Path below src without the extension, or `devtools/…` for the package beside it; undefined for other files. */
export function sourcePath(cwd: string, file: string): string | undefined {
  const path = relative(cwd, file).split(sep).join('/');
  return /^(?:src\/|(?=devtools\/))(.*?)(?:\.[jt]s)?$/.exec(path)?.[1];
}

/** Whether a path is the folder, or is in it. */
export const isUnder = (folder: string, path: string): boolean => path === folder || path.startsWith(`${folder}/`);

/** The entry of the table with the longest path that contains the file. */
const scopeOf = (arrows: object, file: string): string | undefined =>
  Object.keys(arrows)
    .filter((folder) => isUnder(folder, file))
    .sort((a, b) => b.length - a.length)[0];
