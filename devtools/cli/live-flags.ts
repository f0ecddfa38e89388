/** Flags of a simulated node whose chain grows by posted transactions and mined blocks. */
import { Flags } from '@oclif/core';
import { DEFAULT_EDGE_BITS } from '../../src/chain/work/cuckoo.js';
import { isId } from '../../src/chain/encoding/encoding.js';
import type { LiveOptions } from '../devnode/options.js';
import { MiddlewareError } from '../../src/observe/errors.js';

const AETTOS_PER_COIN = 10n ** 18n;
const dependsOn = ['live'];

export const LIVE_FLAGS = {
  live: Flags.boolean({
    summary: 'Start from a genesis block and take transactions and key blocks instead of generating them',
    exclusive: ['replay', 'transactions', 'generations', 'pace-micro', 'micro-forks'],
  }),
  profile: Flags.option({ options: ['early', 'modern'] as const })({
    dependsOn,
    summary: 'Rules: early as in the specification (.test names, fees of 1), or those of today [default: modern]',
  }),
  fund: Flags.string({
    dependsOn,
    multiple: true,
    helpValue: 'ak_…=COINS',
    summary: 'Coins of an account before the first block; may be repeated',
  }),
  from: Flags.string({
    dependsOn,
    helpValue: 'FILE',
    summary: 'Recording (JSON lines, may be gzipped) whose chain is continued',
  }),
  'reward-delay': Flags.integer({
    dependsOn,
    min: 0,
    helpValue: 'N',
    summary: 'Generations after which miners are paid [default: 180]',
  }),
  'micro-block-ms': Flags.integer({
    dependsOn,
    min: 0,
    helpValue: 'MS',
    summary: 'Time from a posted transaction to the micro block that contains it [default: 1000]',
  }),
  beneficiary: Flags.string({
    dependsOn,
    helpValue: 'ak_…',
    summary: 'Account that is rewarded for key blocks; without one there are no candidates for miners',
  }),
  autostart: Flags.boolean({ dependsOn: ['live', 'beneficiary'], summary: 'Mine key blocks in this process' }),
  'edge-bits': Flags.integer({
    dependsOn,
    min: 0,
    helpValue: 'N',
    summary: 'Size of the graphs that miners search, in bits; 0: no proof of work [default: 15]',
  }),
  'key-block-ms': Flags.integer({
    dependsOn,
    min: 1,
    helpValue: 'MS',
    summary: 'Target time between key blocks [default: 3000]',
  }),
};

interface LiveFlags {
  seed: string | undefined;
  profile: 'early' | 'modern' | undefined;
  fund: string[] | undefined;
  from: string | undefined;
  'reward-delay': number | undefined;
  'micro-block-ms': number | undefined;
  beneficiary: string | undefined;
  autostart: boolean;
  'edge-bits': number | undefined;
  'key-block-ms': number | undefined;
}

const MICRO_BLOCK_MS = 1_000;

/** Reads the flags. Throws a usage error that names the flag of a malformed identifier or amount. */
export function liveOptions(flags: LiveFlags): LiveOptions {
  const { seed, from, beneficiary } = flags;
  if (beneficiary !== undefined) requireAccount('--beneficiary', beneficiary);
  return {
    ...withoutUndefined({ seed, from }),
    rules: withoutUndefined({ profile: flags.profile, rewardDelay: flags['reward-delay'] }),
    funds: Object.fromEntries((flags.fund ?? []).map(fund)),
    microBlockMs: flags['micro-block-ms'] ?? MICRO_BLOCK_MS,
    mining: {
      autostart: flags.autostart,
      ...withoutUndefined({ beneficiary, intervalMs: flags['key-block-ms'] }),
      edgeBits: flags['edge-bits'] ?? DEFAULT_EDGE_BITS,
    },
  };
}

type WithoutUndefined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

const withoutUndefined = <T extends object>(members: T): WithoutUndefined<T> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as WithoutUndefined<T>;

function fund(text: string): [string, bigint] {
  const [account, coins] = text.split('=');
  requireAccount('--fund', account ?? '');
  if (coins === undefined || !/^\d{1,30}$/.test(coins)) {
    throw new MiddlewareError('usage', `--fund: not ak_…=COINS: ${text}`);
  }
  return [account!, BigInt(coins) * AETTOS_PER_COIN];
}

function requireAccount(flag: string, text: string): void {
  if (!isId(text, 'ak')) throw new MiddlewareError('usage', `${flag}: not an account (ak_…): ${text}`);
}
