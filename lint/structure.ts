/** The checks of the source as a whole; what a single file shows is for eslint. */
import { circles, folders } from './circles.js';
import { importsOf, readModules } from './modules.js';
import { unusedExports } from './unused-exports.js';

const NODE_CHECK = 'the populator is to check the hashes and the work of what the node sends';

/** Exports that something outside the source uses, or will use, each with its reason. */
const EXCEPTED: Record<string, string> = {
  'src/main.ts main': 'bin/mdw.js starts it',
  'src/api/middleware/request-target.ts formOf': 'the tests hold every answer against the description of its path',
  'src/chain/serialize/verify-hash.ts microBlockHash': 'the tests hold chains of the devnode against it',
  'src/chain/work/cuckoo.ts endpoint': NODE_CHECK,
  'src/chain/work/cuckoo.ts isCycle': NODE_CHECK,
  'src/chain/work/target.ts integerToTarget': NODE_CHECK,
};

/** oclif loads the commands by their paths. */
const isCommand = (name: string): boolean => /^src\/commands\/.* default$/.test(name);

const modules = readModules('tsconfig.test.json');
const imports = importsOf(modules);
const unused = unusedExports(modules);
const faults = [
  ...unused
    .filter((name) => !(name in EXCEPTED) && !isCommand(name))
    .map((name) => `${name}: exported, but no other file of production uses it`),
  ...Object.keys(EXCEPTED)
    .filter((name) => !unused.includes(name))
    .map((name) => `${name}: an exception in lint/structure.ts that is not needed`),
  ...[imports, folders(imports)].flatMap(circles).map((way) => `imports go round: ${way.join(' → ')}`),
];
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
