import type { Rule } from 'eslint';
import { dirname, join, relative, sep } from 'node:path';

/** Holds the direction of imports between the folders of src: see lint/arrows.ts. */
export const importArrows: Rule.RuleModule = {
  meta: {
    type: 'problem',
    schema: [{ type: 'object' }],
    messages: {
      arrow: 'src/{{from}} may not import src/{{to}}, only: {{allowed}}.',
      unlisted: 'src/{{from}} is not in the table of arrows: enter it in lint/arrows.ts.',
    },
  },
  create(context) {
    const arrows = context.options[0] as Record<string, readonly string[]>;
    const from = placeOf(context.cwd, context.filename);
    if (from === undefined) return {};
    const scope = scopeOf(arrows, from);
    if (scope === undefined) {
      return { Program: (node) => context.report({ node, messageId: 'unlisted', data: { from } }) };
    }
    const check = (node: Rule.Node): void => {
      const target = 'source' in node ? node.source : undefined;
      if (target?.type !== 'Literal' || typeof target.value !== 'string' || !target.value.startsWith('.')) return;
      const to = placeOf(context.cwd, join(dirname(context.filename), target.value));
      // What lies in a folder itself puts together what its inner folders bring.
      if (to === undefined || isUnder(scope, to)) return;
      const allowed = arrows[scope]!;
      if (allowed.some((place) => isUnder(place, to))) return;
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

/** Path below src without its ending; undefined for what lies elsewhere. */
export function placeOf(cwd: string, file: string): string | undefined {
  const path = relative(join(cwd, 'src'), file).split(sep).join('/');
  return path.startsWith('..') ? undefined : path.replace(/\.[jt]s$/, '');
}

export const isUnder = (place: string, path: string): boolean => path === place || path.startsWith(`${place}/`);

/** The longest entry of the table that a file lies under. */
const scopeOf = (arrows: object, file: string): string | undefined =>
  Object.keys(arrows)
    .filter((place) => isUnder(place, file))
    .sort((a, b) => b.length - a.length)[0];
