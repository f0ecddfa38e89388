/** Complete states of the ledger. Every state stays readable, for forks and for requests about older blocks. */
import { emptyVersion, entriesOf, lookUp, withValue } from './persistent-map.js';
import type { Version } from './persistent-map.js';
import { Records } from './state.js';
import type { Draft, Earnings, Ending, Kind, Kinds, State } from './state.js';

const LETTERS: Readonly<Record<keyof Kinds, string>> = {
  account: 'a',
  preclaim: 'p',
  name: 'n',
  auction: 'u',
  oracle: 'o',
  query: 'q',
  contract: 'c',
  channel: 'h',
  earnings: 'e',
  expiring: 'x',
};
const PREFIX_LENGTH = 3;
const keyOf = (kind: Kind, id: string): string => LETTERS[kind] + id.slice(PREFIX_LENGTH);
const keyOfHeight = (kind: 'earnings' | 'expiring', height: number): string => LETTERS[kind] + String(height);

interface Contents {
  records: Version<unknown>;
  height: number;
  version: number;
}

class PersistentRecords extends Records implements State {
  constructor(readonly contents: Contents) {
    super();
  }

  get height(): number {
    return this.contents.height;
  }
  get version(): number {
    return this.contents.version;
  }

  get<K extends Kind>(kind: K, id: string): Kinds[K] | undefined {
    return lookUp(this.contents.records, keyOf(kind, id)) as Kinds[K] | undefined;
  }

  earnings(height: number): Earnings | undefined {
    return lookUp(this.contents.records, keyOfHeight('earnings', height)) as Earnings | undefined;
  }

  expiring(height: number): readonly Ending[] {
    return (lookUp(this.contents.records, keyOfHeight('expiring', height)) ?? []) as readonly Ending[];
  }

  *all<K extends keyof Kinds>(kind: K): Generator<[string, Kinds[K]]> {
    for (const [key, value] of entriesOf(this.contents.records)) {
      if (key.startsWith(LETTERS[kind])) yield [key.slice(1), value as Kinds[K]];
    }
  }
}

class PersistentState extends PersistentRecords {}

class PersistentDraft extends PersistentRecords implements Draft {
  /** Nodes with this owner are changed in place, others are copied. */
  private owner = {};

  put<K extends Kind>(kind: K, id: string, record: Kinds[K] | undefined): void {
    this.set(keyOf(kind, id), record);
  }

  putEarnings(height: number, earnings: Earnings | undefined): void {
    this.set(keyOfHeight('earnings', height), earnings);
  }

  expire(height: number, ending: Ending): void {
    this.set(keyOfHeight('expiring', height), [...this.expiring(height), ending]);
  }

  forget(height: number): void {
    this.set(keyOfHeight('expiring', height), undefined);
  }

  startGeneration(height: number, version: number): void {
    Object.assign(this.contents, { height, version });
  }

  attempt<T>(work: () => T): T {
    const before = this.freeze();
    try {
      return work();
    } catch (error) {
      Object.assign(this.contents, before.contents);
      throw error;
    }
  }

  /** Returns the current state. Later changes of the draft do not change it. */
  freeze(): PersistentState {
    this.owner = {};
    return new PersistentState({ ...this.contents });
  }

  private set(key: string, value: unknown): void {
    this.contents.records = withValue(this.contents.records, key, value, this.owner);
  }
}

export const emptyState = (): State => new PersistentState({ records: emptyVersion(), height: -1, version: 1 });

export function draftOf(state: State): PersistentDraft {
  if (!(state instanceof PersistentState)) throw new Error('a draft is not a state: freeze it first');
  return new PersistentDraft({ ...state.contents });
}
