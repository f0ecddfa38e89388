/** Command: checks that each package has a reason, an allowed licence, and a pinned version. */
import { faultsOf, readPackages } from '../scripts/dependencies.js';

const faults = faultsOf(readPackages());
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
