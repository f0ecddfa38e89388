import { ACTIVITY_TYPES, openActivities } from '../activities.js';
import { list } from '../page.js';
import { anyId, flag, id, word } from '../parameters.js';
import * as s from '../schemas.js';
import { positionsOf } from '../scope.js';

export const activities = list({
  v3: { path: '/accounts/{id}/activities', id: 'GetAccountActivities' },
  v2: { path: '/accounts/{id}/activities', id: 'get_account_activities' },
  tag: 'Accounts',
  summary: 'What happened to an account, a contract, an oracle, a name or a channel, newest first',
  params: { id: anyId('An account or another object.') },
  query: {
    type: word('type', 'Only rows of this kind.', ACTIVITY_TYPES),
    contract: id('Only calls of this contract, its creation, and what moved its tokens.', 'ct'),
    owned_only: flag('Only what the account itself began.'),
  },
  strict: true,
  row: s.activity,
  key: ['int', 'int', 'int'],
  hasCount: true,
  scopes: ['gen', 'time', 'transaction'],
  cost: ({ query }) => (query.owned_only === true ? 'heavy' : 'light'),
  async open({ params, query, scope }, { db }) {
    const { forward, ...range } = await positionsOf(db, scope);
    const of = { id: params.id, ownedOnly: query.owned_only === true, contract: query.contract, range };
    return { forward, ...openActivities(db, of, query.type === undefined ? null : [query.type]) };
  },
});
