import { read } from '../api.js';
import type { Route } from '../address.js';
import { integer } from '../format.js';
import { Amount } from '../parts/amount.js';
import { Shown, useRead } from '../parts/read.js';
import { ReorgNote } from '../parts/reorg.js';
import { Fact, Facts, Id, Members, Time } from '../parts/values.js';

export function GenerationPage({ route: { subject: of } }: { route: Route }) {
  const height = Number(of);
  const loaded = useRead(
    (signal) =>
      Promise.all([
        read('/v2/generations/height/{height}', { height: of }, signal),
        read('/middleware/reward/height/{height}', { height: of }, signal).catch(() => undefined),
      ]),
    [of],
  );
  return (
    <>
      <h1>Generation {/^\d+$/.test(of) ? integer(of) : of}</h1>
      <nav class="pages" aria-label="Previous and next generation">
        {height > 0 && (
          <a href={`#/generation/${height - 1}`} rel="prev">
            Previous
          </a>
        )}
        <a href={`#/generation/${height + 1}`} rel="next">
          Next
        </a>
      </nav>
      <ReorgNote touches={(reorg) => height >= reorg.height}>This generation is shown as it is now.</ReorgNote>
      <Shown of={loaded} missing="The chain has no generation of this height yet.">
        {([{ body }, reward]) => (
          <>
            <Facts>
              <Fact name="Key block">
                <Id id={body.key_block.hash} />
              </Fact>
              <Fact name="Time">
                <Time time={body.key_block.time} />
              </Fact>
              <Fact name="Beneficiary">
                <Id id={body.key_block.beneficiary} />
              </Fact>
              {reward !== undefined && (
                <>
                  <Fact name="Reward">
                    <Amount aettos={reward.body.total} copy />
                  </Fact>
                  <Fact name="Fees in the reward">
                    <Amount aettos={reward.body.fees} copy />
                  </Fact>
                </>
              )}
            </Facts>
            <h2>Micro blocks</h2>
            {body.micro_blocks.length === 0 && <p class="note">This generation has no micro blocks.</p>}
            <ol>
              {body.micro_blocks.map((hash) => (
                <li key={hash}>
                  <Id id={hash} />
                </li>
              ))}
            </ol>
            <details>
              <summary>All members of the key block</summary>
              <Members of={{ ...body.key_block, pow: body.key_block.pow?.join(', ') }} />
            </details>
          </>
        )}
      </Shown>
    </>
  );
}
