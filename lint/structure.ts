/** Command: checks that need the whole source. Checks of single files are eslint rules. */
import { cycles, folderGraph } from './cycles.js';
import { importsOf, readModules } from './modules.js';
import { unusedExports } from './unused-exports.js';

const PART_OF_PROOF = 'the tests check this part of the proof of work alone';

/** Exports that only code outside the source uses, each with the reason. */
const EXCEPTIONS: Record<string, string> = {
  'src/main.ts main': 'bin/mdw.js starts it',
  'src/api/middleware/request-target.ts formOf': 'the tests compare every answer with the description of its path',
  'src/chain/serialize/verify-hash.ts microBlockHash': 'the tests compare hashes of chains of the devnode with it',
  'src/api/bodies.ts MAX_UNFINISHED': 'the tests send as many bytes as may wait',
  'devtools/demo/demo.ts demoConfig': 'the tests compare the addresses of the demo with it',
  'src/chain/work/cuckoo.ts endpoint': PART_OF_PROOF,
  'src/chain/work/cuckoo.ts isCycle': PART_OF_PROOF,
  'src/chain/work/target.ts integerToTarget': PART_OF_PROOF,
};

/** oclif loads the commands by their paths. */
const isCommand = (name: string): boolean => /^(src|devtools)\/commands\/.* default$/.test(name);

const modules = readModules('tsconfig.test.json');
const imports = importsOf(modules);
const unused = unusedExports(modules);
const faults = [
  ...unused
    .filter((name) => !(name in EXCEPTIONS) && !isCommand(name))
    .map((name) => `${name}: exported, but no other production file uses it`),
  ...Object.keys(EXCEPTIONS)
    .filter((name) => !unused.includes(name))
    .map((name) => `${name}: an exception in lint/structure.ts that is not needed`),
  ...[imports, folderGraph(imports, 1), folderGraph(imports, 2)]
    .flatMap(cycles)
    .map((cycle) => `circular import: ${cycle.join(' → ')}`),
];
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
