/** Adapts the world of the generator, so that the ledger can read and change it. */
import { commitmentId } from '../../../src/chain/protocol/ids.js';
import { pointerIn } from '../ledger/execution.js';
import { Records } from '../ledger/state.js';
import type { Draft, Ending, Kind, Kinds } from '../ledger/state.js';
import type { Account, Contract, Preclaim } from '../ledger/types.js';
import { ACCOUNT_CODE } from './fate.js';
import type { Identities } from './identities.js';
import { nameAndSaltOf } from './names.js';
import { contractOfToken, isTokenCode } from './tokens.js';
import { remove, find, put } from './world.js';
import type { World } from './world.js';

type Change = { [K in Kind]: { kind: K; id: string; record: Kinds[K] | undefined } }[Kind];

/** Ignores changes that the world does not need: other accounts, rewards, revoked names, queries with a response. */
export class WorldDraft extends Records implements Draft {
  /** Changes of the running (nested) attempts, in order. Those of the innermost one begin at `from`. */
  private readonly changes: Change[] = [];
  private from = 0;
  private attempts = 0;

  constructor(
    readonly world: World,
    private readonly ids: Identities,
  ) {
    super();
  }

  get height(): number {
    return this.world.height;
  }
  get version(): number {
    return this.world.version;
  }

  get<K extends Kind>(kind: K, id: string): Kinds[K] | undefined {
    const change = this.pendingChange(kind, id, 0);
    return (change === undefined ? this.stored(kind, id) : change.record) as Kinds[K] | undefined;
  }

  put<K extends Kind>(kind: K, id: string, record: Kinds[K] | undefined): void {
    const before = this.pendingChange(kind, id, this.from);
    if (before !== undefined) before.record = record;
    else if (this.attempts > 0) this.changes.push({ kind, id, record } as Change);
    else this.store({ kind, id, record } as Change);
  }

  attempt<T>(work: () => T): T {
    const { from } = this;
    this.from = this.changes.length;
    this.attempts += 1;
    try {
      return work();
    } catch (error) {
      this.changes.length = this.from;
      throw error;
    } finally {
      this.from = from;
      this.attempts -= 1;
      if (this.attempts === 0) {
        for (const change of this.changes) this.store(change);
        this.changes.length = 0;
      }
    }
  }

  startGeneration(height: number, version: number): void {
    Object.assign(this.world, { height, version });
  }

  /** Searches all records, because the world has no list of expiring objects by height. */
  expiring(height: number): Ending[] {
    const { preclaims, names, oracles, queries } = this.world;
    const found: Ending[] = [];
    for (const { id, record } of preclaims) if (record.expires === height) found.push({ kind: 'preclaim', id });
    for (const { id, record } of names) {
      if (record.auction?.endsAt === height) found.push({ kind: 'auction', id });
      if (record.name?.expires === height) found.push({ kind: 'name', id });
    }
    for (const { id, record } of oracles) if (record.expires === height) found.push({ kind: 'oracle', id });
    for (const { id, record } of queries) if (record.expires === height) found.push({ kind: 'query', id });
    return found;
  }
  expire(): void {}
  forget(): void {}

  earnings(): undefined {}
  putEarnings(): void {}

  private pendingChange(kind: Kind, id: string, from: number): Change | undefined {
    for (let at = this.changes.length - 1; at >= from; at -= 1) {
      const change = this.changes[at]!;
      if (change.kind === kind && change.id === id) return change;
    }
    return undefined;
  }

  private stored(kind: Kind, id: string): Kinds[Kind] | undefined {
    const { world } = this;
    switch (kind) {
      case 'account':
        return this.storedAccount(id);
      case 'preclaim':
        return find(world.preclaims, id);
      case 'name':
        return find(world.names, id)?.name;
      case 'auction':
        return find(world.names, id)?.auction;
      case 'oracle':
        return find(world.oracles, id);
      case 'query':
        return find(world.queries, id);
      case 'contract':
        return find(world.contracts, id) ?? find(world.authenticators, id) ?? this.storedToken(id);
      case 'channel':
        return find(world.channels, id);
    }
  }

  private storedToken(id: string): Contract | undefined {
    const token = find(this.world.tokens, id);
    return token && contractOfToken(id, token);
  }

  private storedAccount(id: string): Account | undefined {
    const { world } = this;
    const index = this.ids.indexOf(id);
    if (index === undefined) return undefined;
    return world.accounts[index] ?? find(world.awaiting, id) ?? find(world.generalized, id);
  }

  private store({ kind, id, record }: Change): void {
    const { world } = this;
    switch (kind) {
      case 'account':
        return record && this.storeAccount(id, record);
      case 'preclaim':
        return record === undefined ? remove(world, 'preclaims', id) : this.storePreclaim(id, record);
      case 'name':
        return record?.status === 'claimed'
          ? put(world, 'names', id, {
              name: record,
              isUsable: this.signs(record.owner),
              isPayable: pointerIn(record, 'account_pubkey') !== undefined,
            })
          : remove(world, 'names', id);
      case 'auction':
        // When an auction ends, the name replaces it in the list.
        return record && put(world, 'names', id, { auction: record, isUsable: false, isPayable: false });
      case 'oracle':
        return record === undefined
          ? remove(world, 'oracles', id)
          : put(world, 'oracles', id, { ...record, queries: [] });
      case 'query':
        return record === undefined || record.response !== undefined
          ? remove(world, 'queries', id)
          : put(world, 'queries', id, record);
      case 'contract':
        // Tokens are stored with what they hold (`execute.ts`).
        if (record !== undefined && isTokenCode(record.code)) return;
        return record && put(world, record.code === ACCOUNT_CODE ? 'authenticators' : 'contracts', id, record);
      case 'channel':
        if (record === undefined) return remove(world, 'channels', id);
        return put(world, 'channels', id, { ...record, step: (find(world.channels, id)?.step ?? -1) + 1 });
    }
  }

  private signs(account: string): boolean {
    return (this.ids.indexOf(account) ?? Infinity) < this.world.accounts.length;
  }

  private storeAccount(id: string, record: Account): void {
    const { world, ids } = this;
    const index = ids.indexOf(id);
    if (index === undefined) return;
    const next = world.accounts.length + world.endowed;
    if (index < world.accounts.length) {
      world.accounts[index] = record;
    } else if (record.authentication !== undefined) {
      remove(world, 'awaiting', id);
      put(world, 'generalized', id, record);
    } else if (index === next || find(world.awaiting, id) !== undefined) {
      put(world, 'awaiting', id, record);
      if (index !== next) return;
      world.endowed += 1;
      // The next account must be known before a transaction names it, also when the chain is executed again.
      ids.account(next + 1);
    }
  }

  /** Stores a preclaim if its name can still be computed. After a change of the protocol version, the name is a different one and nobody can claim it. */
  private storePreclaim(id: string, record: Preclaim): void {
    const { name, salt } = nameAndSaltOf(record.owner, Number(this.account(record.owner)?.nonce), this.version);
    if (commitmentId(name, BigInt(salt)) === id) put(this.world, 'preclaims', id, { ...record, name, salt });
  }
}
