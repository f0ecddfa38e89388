import { dirname, join, relative, sep } from 'node:path';

/** Holds the direction of imports between the folders of src: see the table in eslint.config.js. */
export const importArrows = {
  meta: {
    type: 'problem',
    schema: [{ type: 'object' }],
    messages: {
      arrow: 'src/{{from}} may not import from src/{{to}}, only from: {{allowed}}.',
      pure: 'src/{{from}} is pure: no {{to}}.',
    },
  },
  create(context) {
    const source = join(context.cwd, 'src');
    const from = partOf(relative(source, context.filename));
    const allowed = context.options[0][from];
    if (allowed === undefined) return {};
    const check = (node) => {
      const target = node.source?.value;
      if (typeof target !== 'string') return;
      if (!target.startsWith('.')) {
        if (from === 'chain' && target.startsWith('node:')) {
          context.report({ node, messageId: 'pure', data: { from, to: target } });
        }
        return;
      }
      const to = partOf(relative(source, join(dirname(context.filename), target)));
      if (to !== from && !allowed.includes(to)) {
        context.report({ node, messageId: 'arrow', data: { from, to, allowed: allowed.join(', ') || 'itself' } });
      }
    };
    return {
      ImportDeclaration: check,
      ImportExpression: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
    };
  },
};

/** First folder below src, or the name of a file there without its ending. */
const partOf = (path) => path.split(sep)[0].replace(/\.[jt]s$/, '');
