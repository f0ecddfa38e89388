import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';
import { importArrows } from './lint/import-arrows.js';

/** From which parts of src a folder may import, besides itself. Folders that are not here wire the parts together. */
const ARROWS = {
  chain: [],
  config: ['observe'],
  observe: [],
  node: ['chain', 'observe', 'config'],
  // The compiler service is reached by the same HTTP exchange as the node.
  compiler: ['chain', 'node', 'observe', 'config'],
  store: ['chain', 'observe', 'config'],
  populate: ['chain', 'node', 'compiler', 'store', 'observe', 'config'],
  events: ['chain', 'store', 'observe', 'config'],
  api: ['chain', 'node', 'compiler', 'store', 'observe', 'config'],
  doctor: ['chain', 'node', 'compiler', 'store', 'observe', 'config'],
  devnode: ['chain', 'observe'],
  operator: ['observe', 'config'],
  // Walks flows against any node as its clients do.
  flow: ['chain', 'observe', 'config'],
};

export default defineConfig(
  globalIgnores(['dist/', '.data/', 'types/']),
  tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: { parserOptions: { project: './tsconfig.test.json', tsconfigRootDir: import.meta.dirname } },
    plugins: { mdw: { rules: { 'import-arrows': importArrows } } },
    rules: {
      'mdw/import-arrows': ['error', ARROWS],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true, allowNullish: true },
      ],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      // Parts are made by factories whose methods are closures: they may be handed on alone.
      '@typescript-eslint/unbound-method': 'off',
      'no-console': 'error',
    },
  },
  {
    // chai's assertions are properties.
    files: ['test/**/*.ts'],
    rules: { '@typescript-eslint/no-unused-expressions': 'off' },
  },
  {
    // What a benchmark measured is for the one who runs it.
    files: ['bench/**'],
    rules: { 'no-console': 'off' },
  },
  {
    files: ['**/*.{js,cjs,mjs}'],
    extends: [tseslint.configs.disableTypeChecked],
    rules: { '@typescript-eslint/no-require-imports': 'off' },
  },
);
