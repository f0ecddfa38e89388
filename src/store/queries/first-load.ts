import type { Queryable } from '../connection/database.js';
import { answer } from './answer.js';
import type { Answer } from './answer.js';

interface FirstLoadRow {
  /** The first load has ended; it never begins again. */
  live: boolean;
  /** Height of the node's head when the populator last saw it; null if it never did. */
  node_height: string | null;
}

/** Progress of the first load. */
export function firstLoadFacts(db: Queryable): Promise<Answer<FirstLoadRow>> {
  return answer<FirstLoadRow>(db, { name: 'first_load.facts', text: 'SELECT live, node_height FROM chain' });
}
