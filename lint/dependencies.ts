/** The packages: each has a reason, a licence that is allowed, and one version. */
import { faultsOf, readPackages } from '../scripts/dependencies.js';

const faults = faultsOf(readPackages());
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
