/** What changed in each generation of a recorded chain, from the recording alone: of the service's code only ids of names and channels are used. */
import { channelId, nameHash } from '../../src/chain/protocol/ids.js';
import { accountsIn, nested } from './compat-model.js';
import type { CompatModel, ModelTransaction } from './compat-model.js';

type Members = Record<string, unknown>;

const COUNTS = [
  'auctions_started',
  'auctions_ended',
  'names_activated',
  'names_expired',
  'names_revoked',
  'oracles_registered',
  'oracles_expired',
  'contracts_created',
  'channels_opened',
  'channels_closed',
  'accounts',
] as const;

const AMOUNTS = ['locked_in_auctions', 'burned_in_auctions', 'locked_in_channels'] as const;

export type Counted = (typeof COUNTS)[number];
export type Amount = (typeof AMOUNTS)[number];

export interface ModelGeneration extends Record<Counted, number>, Record<Amount, bigint> {
  height: number;
  /** Hash of the last transaction up to its end. */
  last: string | null;
}

interface NameLife {
  created: number;
  /** Last height of the auction; that of the claim without one. */
  end: number;
  expires: number;
  revoked: number | null;
  bid: bigint;
}

/** Of all generations up to the last key block, also of that one as far as it has blocks. */
export function modelGenerations({ keyBlocks, transactions }: CompatModel, top = keyBlocks.at(-1)!.height) {
  const rows = new Map(
    keyBlocks
      .filter(({ height }) => height <= top)
      .map(({ height }): [number, ModelGeneration] => [
        height,
        {
          height,
          last: null,
          ...(Object.fromEntries(COUNTS.map((name) => [name, 0])) as Record<Counted, number>),
          ...(Object.fromEntries(AMOUNTS.map((name) => [name, 0n])) as Record<Amount, bigint>),
        },
      ]),
  );
  const versions = new Map(keyBlocks.map(({ height, block }) => [height, Number(block['version'])]));
  const count = (height: number, name: Counted): void => {
    const row = rows.get(height);
    if (row !== undefined) row[name] += 1;
  };
  const add = (height: number, name: Amount, amount: bigint): void => {
    const row = rows.get(height);
    if (row !== undefined) row[name] += amount;
  };
  const names = new Map<string, NameLife[]>();
  const oracles: { id: string; expires: number }[] = [];
  const channels = new Map<string, bigint>();
  const seen = new Set<string>();
  const livesOf = (id: string): NameLife[] => {
    if (!names.has(id)) names.set(id, []);
    return names.get(id)!;
  };

  const effects: Record<string, (tx: Members, transaction: ModelTransaction) => void> = {
    NameClaimTx(tx, { height }) {
      const lives = livesOf(nameHash(tx['name'] as string));
      const last = lives.at(-1);
      const [version, price] = [versions.get(height)!, BigInt((tx['name_fee'] as string | undefined) ?? 0)];
      const length = auctionOf(tx['name'] as string, version);
      if (last !== undefined && tx['name_salt'] === '0' && last.end > last.created && height <= last.end) {
        add(height, 'locked_in_auctions', price - last.bid);
        last.bid = price;
        last.end = version >= 6 ? Math.max(last.end, height + 240) : height + length;
        last.expires = last.end + lifetimeOf(version);
        return;
      }
      const end = height + length;
      lives.push({ created: height, end, expires: end + lifetimeOf(version), revoked: null, bid: price });
      if (length > 0) {
        count(height, 'auctions_started');
        add(height, 'locked_in_auctions', price);
      } else add(height, 'burned_in_auctions', price);
    },
    NameUpdateTx(tx, { height }) {
      const life = livesOf(tx['name_id'] as string).at(-1);
      if (life !== undefined) life.expires = height + Number(tx['name_ttl']);
    },
    NameRevokeTx(tx, { height }) {
      const life = livesOf(tx['name_id'] as string).at(-1);
      if (life !== undefined) life.revoked = height;
    },
    OracleRegisterTx(tx, { height }) {
      count(height, 'oracles_registered');
      oracles.push({ id: (tx['account_id'] as string).slice(3), expires: lastHeightOf(tx['oracle_ttl'], height) });
    },
    OracleExtendTx(tx) {
      const life = oracles.findLast(({ id }) => id === (tx['oracle_id'] as string).slice(3));
      if (life !== undefined) life.expires += Number((tx['oracle_ttl'] as Members)['value']);
    },
    ContractCreateTx: createContract,
    GAAttachTx: createContract,
    ChannelCreateTx(tx, { height }) {
      const amount = BigInt(tx['initiator_amount'] as string) + BigInt(tx['responder_amount'] as string);
      const [initiator, responder] = [tx['initiator_id'] as string, tx['responder_id'] as string];
      channels.set(channelId(initiator, BigInt(tx['nonce'] as string), responder), amount);
      count(height, 'channels_opened');
      add(height, 'locked_in_channels', amount);
    },
    ChannelDepositTx: changeChannel(1n),
    ChannelWithdrawTx: changeChannel(-1n),
    ChannelCloseMutualTx: closeChannel,
    ChannelSettleTx: closeChannel,
  };
  function createContract(_tx: Members, { height }: ModelTransaction): void {
    count(height, 'contracts_created');
  }
  function changeChannel(sign: bigint) {
    return (tx: Members, { height }: ModelTransaction): void => {
      const [id, change] = [tx['channel_id'] as string, sign * BigInt(tx['amount'] as string)];
      channels.set(id, channels.get(id)! + change);
      add(height, 'locked_in_channels', change);
    };
  }
  function closeChannel(tx: Members, { height }: ModelTransaction): void {
    count(height, 'channels_closed');
    add(height, 'locked_in_channels', -channels.get(tx['channel_id'] as string)!);
  }

  let last: string | null = null;
  for (const transaction of transactions.filter(({ height }) => height <= top)) {
    last = transaction.hash;
    rows.get(transaction.height)!.last = last;
    for (const id of accountsIn(transaction)) {
      if (!seen.has(id)) count(transaction.height, 'accounts');
      seen.add(id);
    }
    const tx = nested(transaction.tx).at(-1)!;
    if (!hasFailed(transaction)) effects[tx['type'] as string]?.(tx, transaction);
  }
  for (const life of [...names.values()].flat()) {
    const isAuction = life.end > life.created;
    count(isAuction ? life.end + 1 : life.created, 'names_activated');
    if (isAuction) {
      count(life.end + 1, 'auctions_ended');
      add(life.end + 1, 'locked_in_auctions', -life.bid);
      add(life.end + 1, 'burned_in_auctions', life.bid);
    }
    if (life.revoked === null) count(life.expires + 1, 'names_expired');
    else count(life.revoked, 'names_revoked');
  }
  for (const { expires } of oracles) count(expires + 1, 'oracles_expired');
  let before: string | null = null;
  for (const row of rows.values()) before = row.last ??= before;
  return [...rows.values()];
}

const lifetimeOf = (version: number): number => (version >= 5 ? 180_000 : 50_000);

/** Generations of an auction after its first bid; 0 without one. */
function auctionOf(name: string, version: number): number {
  const length = /^[\x20-\x7e]*$/.test(name) ? name.length - '.chain'.length : Infinity;
  if (version < 4 || length > 12) return 0;
  if (length > 8) return 480;
  if (length > 4) return version >= 6 ? 960 : 14_880;
  return version >= 6 ? 2_400 : 29_760;
}

function lastHeightOf(ttl: unknown, height: number): number {
  const { type, value } = ttl as { type: string; value: string };
  return type === 'delta' ? height + Number(value) : Number(value);
}

/** Whether a creation of a contract ended with an error. */
const hasFailed = ({ info }: ModelTransaction): boolean => {
  const inner = (info?.['ga_info'] as Members | undefined)?.['inner_object'] as Members | undefined;
  const call = (info?.['call_info'] ?? inner?.['call_info']) as Members | undefined;
  return call !== undefined && call['return_type'] !== 'ok';
};
