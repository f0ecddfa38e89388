import { expect } from 'chai';
import { below, recordedService, rowsOf } from '../../support/compat.js';
import type { RecordedService } from '../../support/compat.js';
import { compatModel, nested } from '../../support/compat-model.js';
import type { ModelTransaction } from '../../support/compat-model.js';

type Members = Record<string, unknown>;

const innermost = ({ tx }: ModelTransaction): Members => nested(tx).at(-1)!;
const amountOf = (tx: Members, member: string): bigint => BigInt(tx[member] as string);

for (const of of ['realnode', 'realnode-tokens'] as const) {
  describe(`open channels of the recording ${of}, some blocks before its end`, () => {
    const { transactions } = compatModel(of);
    const typeIs = (type: string) => (one: ModelTransaction) => innermost(one)['type'] === type;
    /** The last height after which a channel is open from which something was withdrawn. */
    const { height } = transactions
      .filter(typeIs('ChannelWithdrawTx'))
      .findLast(
        (withdrawal) =>
          !transactions.some(
            (one) =>
              one.height === withdrawal.height &&
              /Mutual|Settle/.test(innermost(one)['type'] as string) &&
              innermost(one)['channel_id'] === innermost(withdrawal)['channel_id'],
          ),
      )!;
    let service: RecordedService;
    before(async () => (service = await recordedService(of, height)));
    after(() => service.close());

    it('hold what was put in, without what was taken out', async () => {
      const changes = transactions.filter((one) => one.height <= height).map(innermost);
      let withdrawn = 0;
      for (const row of await rowsOf(service.api, '/v3/channels?state=active&int-as-string=true')) {
        const channel = row['channel'] as string;
        const updates = await rowsOf(service.api, `/v3/channels/${channel}/updates`);
        const created = transactions.find(({ hash }) => hash === updates.at(-1)!['source_tx_hash'])!;
        const sumOf = (type: string): bigint =>
          changes
            .filter((tx) => tx['type'] === type && tx['channel_id'] === channel)
            .reduce((sum, tx) => sum + amountOf(tx, 'amount'), 0n);
        const [put, taken] = [sumOf('ChannelDepositTx'), sumOf('ChannelWithdrawTx')];
        const start = innermost(created);
        const expected = amountOf(start, 'initiator_amount') + amountOf(start, 'responder_amount') + put - taken;
        expect(row['amount'], channel).to.equal(String(expected));
        expect(await service.api.json(below(`/v3/channels/${channel}?int-as-string=true`))).to.deep.equal(row);
        if (taken > 0n) withdrawn += 1;
      }
      expect(withdrawn, 'channels from which something was withdrawn').to.be.above(0);
    });
  });
}
