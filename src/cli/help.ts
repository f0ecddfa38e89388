import { nameAndVersion } from '../observe/version.js';
import { settingsHelp } from './settings-text.js';

/** `mdw --help` */
export function rootHelp(): string {
  return `${nameAndVersion}: reads an æternity chain into PostgreSQL, answers what the node cannot, forwards the rest

USAGE
  mdw [-p] [-s] [-H <heights>] [-v [heights]] [-d] [--no-wait]
  mdw COMMAND

FLAGS (can be combined: -ps, -dps; the values attached or apart: -H1,3-4 or -H 1,3-4)
  -p, --populate            load the chain into the database and follow it
  -s, --server              serve clients
  -H, --heights=<heights>   first load these heights anew, for example 1,3-4,6,100-200
  -v, --verify [heights]    compare the database with the chain, from the top down to 0 or these heights only
      --json                with -v: one JSON object a line
  -q, --quiet               with -v: only the heights that differ
      --against=<schema>    with -v: also that the copy in this schema has nothing that is missing here
  -d, --daemonize           detach from the terminal
      --no-wait             end with status 75 when database or node is away, instead of waiting for it
  -w, --websocket           accepted for the sake of older scripts
  -V, --version             print the version
      --help                print this help

COMMANDS (mdw COMMAND --help tells more)
  migrate    bring the database schema up to date, and end
  doctor     check database, rights, schema, node and clocks, one line a check
  demo       show everything on this machine: PostgreSQL, a simulated node, populator and server
  devnode    run the simulated node alone; devnode mine: mine for one that does not
  flow       walk a flow against any node and the middleware: flow spend, name, oracle, mine
  watch      print chain events of a running server as they come
  openapi    print the description of the HTTP API
  drop       drop a copy of the chain that is no longer used

  In a Kubernetes cluster, also as kubectl mdw COMMAND:
  reload     load the chain of a Middleware resource anew, beside what serves or some heights in place
  promote    let the copy that a reload has loaded serve; abort drops it, rollback goes back
  pause      have the operator change nothing of a resource; resume lets it go on
  status     tell how a resource fares; top shows all, logs prints those of its pods

SETTINGS (environment variables, or a file .env in the working directory)
${settingsHelp()}

EXIT STATUS
  0 done   1 failed, or -v found a difference   2 wrong usage   75 try again later   78 wrong settings or rights

EXAMPLES
  mdw -ps                   load, follow and serve in one process
  mdw -H 1,3-4,6,100-200    load these heights anew, and end
  mdw -v 0-1000 --json      verify these heights
  mdw -dps                  the same as -ps, in the background
`;
}
