/** What exists before the first block of a generated chain. */
import { encodeId, hash } from '../../../src/chain/encoding/encoding.js';
import { FATE_ABI } from '../../../src/chain/protocol/versions.js';
import { AETTOS_PER_COIN } from '../../../src/chain/protocol/rewards.js';
import type { Consensus } from '../../../src/chain/protocol/generations.js';
import { CONTRACT_OWNER, ELECTION, STAKING, accountOf } from '../ledger/hyperchain.js';
import type { Contract } from '../ledger/types.js';
import type { Funds } from '../options.js';
import { CONTRACT_CODE } from './fate.js';
import type { Identities } from './identities.js';
import { keyPair } from './signing.js';
import type { KeyPair } from './signing.js';
import { GENERATED_BALANCE } from './world.js';

const LEADERS = 12;
/** Version of FATE since Ceres. */
const VM_VERSION = 8;
/** Coins of each leader, and coins that each has staked. */
const OF_LEADER = 1_000_000n * AETTOS_PER_COIN;

/** The keys of the accounts that make key blocks. */
export const leadersOf = (seed: string): KeyPair[] =>
  Array.from({ length: LEADERS }, (_, i) => keyPair(hash(Buffer.from(`leader ${i} of ${seed}`))));

/** Contracts that no transaction created. Their code is that of all generated contracts: elections are not simulated. */
export const genesisContracts = (consensus: Consensus): readonly Contract[] =>
  consensus !== 'hyperchain'
    ? []
    : [STAKING, ELECTION].map((id) => ({
        id,
        owner: CONTRACT_OWNER,
        vmVersion: VM_VERSION,
        abiVersion: FATE_ABI,
        code: CONTRACT_CODE,
        deposit: 0n,
      }));

/** Balances before the first block: those of the accounts that send transactions, and on a hyperchain those of leaders and their stakes. */
export function genesisFunds(ids: Identities, accounts: number, consensus: Consensus, seed: string): Funds {
  const senders = Array.from({ length: accounts }, (_, i) => [ids.account(i).id, GENERATED_BALANCE] as const);
  if (consensus !== 'hyperchain') return Object.fromEntries(senders);
  const leaders = leadersOf(seed).map(({ publicKey }) => [encodeId('ak', publicKey), OF_LEADER] as const);
  const staked = [accountOf(STAKING), OF_LEADER * BigInt(LEADERS)] as const;
  return Object.fromEntries([...senders, ...leaders, staked, [CONTRACT_OWNER, 0n]]);
}
