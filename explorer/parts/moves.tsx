import type { Move } from '../moves.js';
import { Num } from './amount.js';
import { Card } from './card.js';
import { Party } from './party.js';
import { Table } from './table.js';

const COLUMNS = [{ title: 'Account' }, { title: 'Why', fill: true }, { title: 'Change', isCoins: true, number: true }];

export const Moves = (props: { title: string; of: readonly Move[]; runsCode: boolean }) => (
  <Card title={props.title} more={props.runsCode ? 'a contract may move more within its call' : undefined}>
    <Table label={props.title} columns={COLUMNS}>
      {props.of.map(({ party, why, change, undone }, i) => (
        <tr key={i} class={undone ? 'failed' : undefined}>
          <td class="a">
            <Party of={party} />
          </td>
          <td class="c fill">
            {why} {undone && <span class="plain">undone</span>}
          </td>
          <td class="n b">
            <Num aettos={change} signed />
          </td>
        </tr>
      ))}
    </Table>
  </Card>
);
