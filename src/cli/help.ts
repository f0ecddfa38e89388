import { nameAndVersion } from '../observe/version.js';
import { devtoolsHelp } from './devtools.js';
import { settingsHelp } from './settings-text.js';

const COMMANDS = {
  migrate: 'update the database schema, and end',
  doctor: 'check database, rights, schema, node and clocks, one line a check',
  watch: 'print the chain events of a running server as they happen',
  openapi: 'print the description of the HTTP API',
  drop: 'drop a copy of the chain that is no longer used',
  copies: 'list the copies that an operator uses, and which one served last',
  record: 'record in the database that a copy is to serve, or serves',
  'accept-reorg': 'let a deep reorg whose work is not proven replace the stored blocks',
  grants: 'print SQL that creates a role for each task, with no more rights than it needs',
};

/** `mdw --help` */
export function rootHelp(): string {
  const commands = Object.entries({ ...COMMANDS, ...devtoolsHelp() }).map(
    ([name, does]) => `  ${name.padEnd(14)}${does}`,
  );
  return `${nameAndVersion}: reads an æternity chain into PostgreSQL, answers what the node cannot, forwards the rest

USAGE
  mdw [-p] [-s] [-H <heights>] [-v [heights]] [-d] [--no-wait]
  mdw COMMAND

FLAGS (can be combined: -ps, -dps; values with or without a space: -H1,3-4 or -H 1,3-4)
  -p, --populate            load the chain into the database and follow it
  -s, --server              serve clients
      --workers=<number>    with -s alone: processes that share its addresses, one for each core; 1 unless given
  -H, --heights=<heights>   first reload these heights, for example 1,3-4,6,100-200
  -v, --verify [heights]    compare the database with the chain and with its own facts, all of it or these heights
      --json                with -v: one JSON object a line
  -q, --quiet               with -v: only the heights that differ
      --against=<schema>    with -v: also check that the copy in this schema has nothing that is missing here
      --offline             with -v: use no node; the copy is proven by its own hashes
      --ledger              with -v: instead compare the balances of accounts with the node's, and find the block of each that differs
      --accounts=<percent>  with --ledger: only this share of the accounts, drawn at random
      --jobs=<number>       with -v: connections to the database that work at a time, 2 unless given
      --resume=<file>       with -v: store the progress in this file, and continue from there
  -d, --daemonize           detach from the terminal
      --no-wait             end with status 75 if database or node cannot be reached, instead of waiting for it
      --no-progress         no progress bar on a terminal, but a line of the log every 10 s
  -w, --websocket           no effect; accepted for older scripts
  -V, --version             print the version
      --help                print this help

COMMANDS (mdw COMMAND --help prints more)
${commands.join('\n')}

  In a Kubernetes cluster, also as kubectl mdw COMMAND:
  reload     load the chain of a Middleware resource again into a second copy, or some heights in place
  promote    let the copy that a reload has loaded serve; abort drops it, rollback serves the old copy again
  pause      stop the operator from changing a resource; resume ends the pause
  status     print the state of a resource; top shows all resources, logs prints the logs of its pods

SETTINGS (environment variables, or a file .env in the working directory)
${settingsHelp()}

EXIT STATUS
  0 done   1 failed, or -v found a difference   2 wrong usage   75 try again later   78 wrong settings or rights

EXAMPLES
  mdw -ps                   load, follow and serve in one process
  mdw -H 1,3-4,6,100-200    reload these heights, and end
  mdw -v 0-1000 --json      verify these heights
  mdw -v --ledger           compare the balance of every account with the node's
  mdw -dps                  the same as -ps, in the background
`;
}
