import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';
import { tsImport } from 'tsx/esm/api';

const [{ ARROWS }, { importArrows }, { restrictedCode }, { whenClosedOnly }] = await Promise.all(
  ['arrows', 'import-arrows', 'restricted-code', 'when-closed'].map((name) =>
    tsImport(`./lint/${name}.ts`, import.meta.url),
  ),
);

export default defineConfig(
  globalIgnores(['dist/', '.data/', 'types/']),
  tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        project: ['./tsconfig.test.json', './explorer/tsconfig.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    plugins: {
      mdw: {
        rules: { 'import-arrows': importArrows, 'restricted-code': restrictedCode, 'when-closed': whenClosedOnly },
      },
    },
    rules: {
      'mdw/import-arrows': ['error', ARROWS],
      'mdw/restricted-code': 'error',
      'mdw/when-closed': 'error',
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
    files: ['src/operator/**/*.ts'],
    rules: { 'max-lines-per-function': ['error', 80] },
  },
  {
    // Factories: their methods share connections, queues or caches. Their state is not a value yet (decision 34).
    files: [
      ...['apply/apply', 'kube/client', 'loop/lease', 'loop/operator', 'loop/queue', 'loop/reconcile'],
      ...['observe/cache', 'observe/watch'],
    ].map((name) => `src/operator/${name}.ts`),
    rules: { 'max-lines-per-function': 'off' },
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
