import type { Queryable } from '../connection/database.js';
import { answer } from './answer.js';
import type { Answer } from './answer.js';

interface FirstLoadRow {
  /** The first load is over, for good. */
  live: boolean;
  /** Top of the node as the populator saw it last; null if it never did. */
  node_height: string | null;
}

/** How far the first load is. */
export function firstLoadFacts(db: Queryable): Promise<Answer<FirstLoadRow>> {
  return answer<FirstLoadRow>(db, { name: 'first_load.facts', text: 'SELECT live, node_height FROM chain' });
}
