import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { BaseCommand } from '../cli/base-command.js';
import { detach, isDetached } from '../cli/daemon.js';
import { parseHeights } from '../config.js';
import type { Role } from '../config.js';
import type { Verification } from '../cli/roles.js';
import { schemaName } from '../config/checks.js';
import { MiddlewareError } from '../observe/errors.js';
import { createLogger } from '../observe/logger.js';
import { print } from '../observe/print.js';
import { createScreen } from '../observe/screen.js';
import { nameAndVersion } from '../observe/version.js';
import { workerNumber } from '../runtime/workers.js';

/** Two, so that one connection reads while the data of the other one is processed. */
const DEFAULT_JOBS = 2;

/** `mdw` without a subcommand: the flags of the service itself. */
export default class Run extends BaseCommand {
  static override hidden = true;
  static override summary = 'Populate, serve, verify';
  static override flags = {
    populate: Flags.boolean({ char: 'p' }),
    server: Flags.boolean({ char: 's' }),
    heights: Flags.string({ char: 'H', multiple: true, multipleNonGreedy: true }),
    verify: Flags.boolean({ char: 'v' }),
    json: Flags.boolean(),
    quiet: Flags.boolean({ char: 'q' }),
    against: Flags.string(),
    offline: Flags.boolean(),
    ledger: Flags.boolean(),
    accounts: Flags.integer({ min: 1, max: 100 }),
    jobs: Flags.integer({ min: 1, max: 64 }),
    resume: Flags.string(),
    daemonize: Flags.boolean({ char: 'd' }),
    'no-wait': Flags.boolean(),
    'no-progress': Flags.boolean(),
    workers: Flags.integer({ min: 1, max: 64 }),
    websocket: Flags.boolean({ char: 'w' }),
    version: Flags.boolean({ char: 'V' }),
  };
  static override args = { heights: Args.string() };

  async run(): Promise<void> {
    const { flags, args } = await this.parse(Run);
    if (flags.version) return this.log(nameAndVersion);
    const heights = flags.heights && parseHeights(flags.heights.join(','));
    const verify = verification(flags.verify, args.heights, flags);
    if (flags.offline && (flags.populate || flags.server || heights))
      throw new MiddlewareError('usage', '--offline goes with -v alone');
    if (flags.json && !flags.verify) throw new MiddlewareError('usage', '--json goes with -v');
    if (flags.workers !== undefined && (!flags.server || flags.populate || heights || verify))
      throw new MiddlewareError('usage', '--workers goes with -s alone');
    const roles: Role[] = [
      ...(flags.populate ? ['populate' as const] : []),
      ...(flags.server ? ['serve' as const] : []),
      ...(heights ? ['heights' as const] : []),
      // Without a node, verification reads the settings of `migrate`, which needs no node either.
      ...(verify ? [verify.offline ? ('migrate' as const) : ('verify' as const)] : []),
    ];
    if (roles.length === 0) {
      print('stderr', 'mdw: nothing to do: give -p, -s, -H or -v, or a command (mdw --help)');
      return;
    }

    const config = this.settings(...roles);
    const worker = workerNumber();
    const screen = createScreen({ env: process.env, bars: !flags['no-progress'] });
    const stream = verify ? 'stderr' : 'stdout';
    const log = createLogger({ level: config.logLevel, dir: config.logDir, stream, screen });
    const logger = worker === undefined ? log : log.child({ worker });
    if (flags.daemonize && !isDetached() && worker === undefined) {
      process.exitCode = await detach(this.argv, config);
      return;
    }
    const { runRoles } = await import('../cli/roles.js');
    process.exitCode = await runRoles({
      work: {
        populate: flags.populate,
        serve: flags.server,
        heights,
        verify,
        json: flags.json,
        workers: worker === undefined ? flags.workers : undefined,
      },
      config,
      logger,
      screen,
      wait: !flags['no-wait'],
      pidFile: flags.daemonize && worker === undefined ? config.pidFile : undefined,
      currentConfig: () => this.settings(...roles),
    });
  }
}

function verification(
  isRequested: boolean,
  list: string | undefined,
  flags: {
    quiet: boolean;
    against?: string | undefined;
    offline: boolean;
    ledger: boolean;
    accounts?: number | undefined;
    jobs?: number | undefined;
    resume?: string | undefined;
  },
): Verification | undefined {
  const { quiet, against, offline, ledger, accounts, jobs, resume } = flags;
  const usage = (message: string): MiddlewareError => new MiddlewareError('usage', message);
  if (!isRequested) {
    if (list !== undefined) throw usage(`Unexpected argument: ${list}`);
    const given = {
      quiet,
      against: against !== undefined,
      offline,
      ledger,
      accounts: accounts !== undefined,
      jobs: jobs !== undefined,
      resume: resume !== undefined,
    };
    const misplaced = Object.entries(given).find(([, isGiven]) => isGiven);
    if (misplaced !== undefined) throw usage(`--${misplaced[0]} goes with -v`);
    return undefined;
  }
  const others = [offline, against !== undefined, jobs !== undefined, resume !== undefined];
  if (ledger && others.includes(true)) throw usage('--ledger goes with heights, --accounts and --json alone');
  if (!ledger && accounts !== undefined) throw usage('--accounts goes with --ledger');
  const schema = schemaName.optional().safeParse(against);
  if (!schema.success)
    throw usage(`--against ${against} is no name of a schema; it must be ${schema.error.issues[0]?.message}`);
  const heights = list === undefined ? undefined : parseHeights(list);
  return {
    ...{ heights, quiet, against, offline, jobs: jobs ?? DEFAULT_JOBS, resume },
    ledgerShare: ledger ? (accounts ?? 100) : undefined,
  };
}
