import type { WantedJob } from '../world/series.js';
import type { ReloadPhase, ReloadStatus } from '../schema/status.js';
import type { Served } from '../types.js';

/** That the data of the new copy may serve. Only what has seen a verification without differences makes one. */
export interface Verified {
  /** `clean`: compared now. `served`: it has servers of this reload, which start after that. `not asked`: the resource wants none. */
  by: 'clean' | 'servers' | 'not asked';
}

/** How a reload ends. */
type End = 'Complete' | 'Aborted' | 'RolledBack' | 'Failed';

/**
 * The state of a reload. `other` says what exists of the copy that does not serve. It decides which Jobs there may be: a schema is
 * dropped only while the copy has no pods, and its servers start only after a verification.
 */
export type State = StateBase &
  (
    | {
        other: 'none';
        phase: 'Preparing' | 'Retiring' | 'Aborting' | 'RollingBack' | 'Failing' | End;
        job?: WantedJob<'drop'>;
      }
    | { other: 'schema'; phase: 'Migrating' | 'Waiting' | 'Loading'; job?: WantedJob<'load'> }
    | { other: 'populator'; phase: 'CatchingUp' | 'Verifying'; job?: WantedJob<'verify'> }
    | {
        other: 'servers';
        verified: Verified;
        phase: 'Starting' | 'AwaitingPromotion' | 'Promoting';
        job?: WantedJob<'record'>;
      }
    /** The copy that served before, or that was rolled back. It stays as it is. */
    | { other: 'kept'; phase: 'Promoting' | 'Retaining' | 'RollingBack'; job: WantedJob<'record'> }
    /** Heights are loaded into the copy that serves. The other copy is not touched. */
    | { other: 'untouched'; phase: 'Loading' | 'Verifying' | End; job?: WantedJob<'load' | 'verify'> }
  );

interface StateBase {
  /** Which copy serves after this pass. */
  served: Served;
  phase: ReloadPhase;
  /** What the reload waits for, or how it ended. */
  message: string;
  details?: Partial<ReloadStatus>;
  /** Why a copy that does not serve was not dropped: it has more proven work than the one that serves. */
  kept?: string | undefined;
  requeueAfterMs?: number | undefined;
}
