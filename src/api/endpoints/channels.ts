import { ListKind } from '../../chain/derive.js';
import { openChannels } from '../../store/queries/channels.js';
import { listTransactions } from '../../store/queries/paging/list-pages.js';
import { byRows } from '../cost.js';
import { endpoint } from '../endpoint.js';
import { parsePage } from '../parse.js';
import * as q from '../query.js';
import { sendList, sendPage } from '../reply.js';
import * as o from '../schemas/objects.js';
import * as p from '../schemas/parameters.js';
import { listedTransactions } from '../schemas/transactions.js';

export const activeChannels = endpoint({
  method: 'get',
  path: '/middleware/channels/active',
  operationId: 'getActiveChannels',
  tag: 'channels',
  summary: 'Channels that are open, oldest first',
  description: 'A channel is open from its creation to the first transaction that closes it.',
  answer: o.channels,
  list: true,
  wallets: true,
  cost: 'heavy',
  cache: 'until-change',
  evidence: { source: "slow model, node's recording", test: 'api/channels', plan: 'the open channels' },
  async handle({ ctx }, { db, config, logger }) {
    const page = parsePage({}, config.limitCap);
    sendPage(ctx, await openChannels(db, page.take), page, logger);
  },
});

export const transactionsOfChannel = endpoint({
  method: 'get',
  path: '/middleware/channels/transactions/address/{address}',
  operationId: 'getChannelTx',
  tag: 'channels',
  summary: 'Transactions of a channel, oldest first',
  description: 'The first is the one that created it. Empty for a channel that nobody created.',
  params: { address: p.channel },
  query: { slice: q.keysetPages },
  answer: listedTransactions,
  wallets: true,
  cost: byRows,
  cache: 'until-change',
  evidence: { source: 'slow model', test: 'api/channels', plan: 'the last page of a channel' },
  async handle({ ctx, params: { address }, query: { slice } }, { db, logger }) {
    const of = { kind: ListKind.channel, id: address, type: null };
    sendList(ctx, await listTransactions(db, of, 'oldest first', slice), slice, logger);
  },
});
