/** The course of the supply of a token, back from now. */
import { read } from '../api.js';
import type { Integer } from '../json.js';
import { Card } from './card.js';
import { Course } from './course.js';
import type { Point } from './course.js';
import { mentions, ofTransaction, useLiveRead } from './live-read.js';
import { Shown } from './read.js';

/** Changes that it shows. */
const NEWEST = 100;

const load = async (contract: string, signal: AbortSignal) =>
  (await read('/middleware/tokens/{contract}/supply', { contract, limit: NEWEST }, signal)).body;

/** `made`: when the token was. */
export function Supply({ contract, made }: { contract: string; made: Integer }) {
  const touches = ofTransaction(mentions(contract));
  const loaded = useLiveRead((signal) => load(contract, signal), [contract], touches);
  return (
    <Shown of={loaded} bones={null}>
      {(changes) => {
        const points = pointsOf(changes, made);
        return points.length < 2 ? null : (
          <>
            <div class="gap" />
            <Card title="Course of the supply" more={changes.complete ? 'all of it' : `the last ${NEWEST} changes`}>
              <div class="in">
                <Course what="Supply" points={points} />
              </div>
            </Card>
            <div class="gap" />
          </>
        );
      }}
    </Shown>
  );
}

/** Oldest first. If all changes are known, the supply of the creation is before them. */
function pointsOf({ rows, complete }: Awaited<ReturnType<typeof load>>, made: Integer): Point[] {
  const points = rows.map(({ time, supply }) => ({ time, amount: supply })).reverse();
  const first = rows.at(-1);
  if (first === undefined || !complete) return points;
  return [{ time: made, amount: BigInt(first.supply) - BigInt(first.change) }, ...points];
}
