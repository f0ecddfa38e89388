import type { Rule } from 'eslint';
import { isUnder, sourcePath } from './import-arrows.js';

/** For each restricted kind of code: the folders of src that may contain it. */
const ALLOWED_IN = {
  pg: ['store'],
  sql: ['store'],
  env: ['config', 'cli', 'commands', 'main', 'devtools/cli', 'devtools/commands'],
  // The description of the API, which is longer than the buffer of a pipe, is awaited.
  output: ['observe', 'commands/openapi'],
} as const;

/** Packages that chain may use: they only compute. */
const PURE_PACKAGES = ['hash-wasm', 'lossless-json'];
/** The one file of chain that may use `node:crypto`: it only verifies signatures with it. */
const VERIFIES_SIGNATURES = 'chain/signatures/ed25519';
/** Globals whose results vary between calls, or that act outside of the code. */
const IMPURE = new Set([
  ...['process', 'console', 'fetch', 'crypto', 'performance'],
  ...['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask'],
]);
const IMPURE_MEMBERS = new Set(['Math.random', 'Date.now']);

/** The beginning of a statement. */
const SQL =
  /^\s*(?:SELECT\s|INSERT\s+INTO\s|UPDATE\s+\S+\s+(?:AS\s+)?(?:\S+\s+)?SET\s|DELETE\s+FROM\s|WITH\s+(?:RECURSIVE\s+)?\w+(?:\s*\([^)]*\))?\s+AS\s|(?:CREATE|ALTER|DROP)\s+(?:OR\s+REPLACE\s+)?(?:UNIQUE\s+)?(?:TABLE|INDEX|SCHEMA|DATABASE|ROLE|VIEW|FUNCTION|TRIGGER|TYPE)\s|TRUNCATE\s|COPY\s+\S+\s|(?:UN)?LISTEN\s|NOTIFY\s|SET\s+(?:LOCAL|SESSION|CONSTRAINTS)\s|(?:BEGIN|COMMIT|ROLLBACK)(?:;|$))/;

/** Allows PostgreSQL and SQL only in the store, output only by one function, the environment only where settings are read; checks that chain is pure. */
export const restrictedCode: Rule.RuleModule = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      pg: 'Only src/store may use PostgreSQL.',
      sql: 'Only src/store may contain SQL.',
      env: 'Only src/config, src/cli, src/commands and the commands of devtools may read the environment: pass the values as arguments.',
      output: 'Print with src/observe/print: text of others must not control the terminal.',
      pure: 'src/chain is pure: no {{what}}.',
    },
  },
  create(context) {
    const file = sourcePath(context.cwd, context.filename);
    if (file === undefined) return {};
    const isPure = isUnder('chain', file);
    const refuse = (node: Rule.Node, what: keyof typeof ALLOWED_IN): void => {
      if (!ALLOWED_IN[what].some((folder) => isUnder(folder, file))) context.report({ node, messageId: what });
    };
    const refuseImpure = (node: Rule.Node, what: string): void => {
      if (isPure) context.report({ node, messageId: 'pure', data: { what } });
    };
    const checkImport = (node: Rule.Node): void => {
      const source = 'source' in node ? node.source : undefined;
      if (source?.type !== 'Literal' || typeof source.value !== 'string' || source.value.startsWith('.')) return;
      if (/^pg(?:$|[-/])/.test(source.value)) refuse(node, 'pg');
      const isVerifier = source.value === 'node:crypto' && isUnder(VERIFIES_SIGNATURES, file);
      if (!PURE_PACKAGES.includes(source.value) && !isVerifier) refuseImpure(node, source.value);
    };
    const checkText = (node: Rule.Node, text: unknown): void => {
      if (typeof text === 'string' && SQL.test(text)) refuse(node, 'sql');
    };
    return {
      ImportDeclaration: checkImport,
      ImportExpression: checkImport,
      ExportNamedDeclaration: checkImport,
      ExportAllDeclaration: checkImport,
      Literal: (node) => checkText(node, node.value),
      TemplateLiteral: (node) => checkText(node, node.quasis[0]?.value.cooked),
      MemberExpression(node) {
        const { object, property } = node;
        const isStream =
          object.type === 'MemberExpression' && /^process\.std(out|err)$/.test(context.sourceCode.getText(object));
        if (isStream && property.type === 'Identifier' && property.name === 'write') refuse(node, 'output');
        if (object.type !== 'Identifier' || property.type !== 'Identifier') return;
        const name = `${object.name}.${property.name}`;
        if (name === 'process.env') refuse(node, 'env');
        if (IMPURE_MEMBERS.has(name)) refuseImpure(node, name);
      },
      'Program:exit'(node) {
        const { globalScope } = context.sourceCode.scopeManager ?? {};
        for (const { identifier } of globalScope?.through ?? []) {
          if (IMPURE.has(identifier.name)) refuseImpure(identifier as unknown as Rule.Node, identifier.name);
        }
        return node;
      },
    };
  },
};
