import { expect } from 'chai';
import { EVENT_KINDS } from '../../src/chain/event-kinds.js';
import type { EventKind } from '../../src/chain/event-kinds.js';
import { microPosition } from '../../src/chain/position.js';
import { chainEvent } from '../../src/events/chain-event.js';

const HEAD = 'kh_head';
const KEY = '{"hash":"kh_7","height":7,"target":12345678901234567890}';
const MICRO = '{"hash":"mh_7","height":7} ';
const TX =
  '{"block_hash":"mh_7","block_height":7,"hash":"th_1","tx":{"recipient_id":"ak_1","amount":1.0e0,"type":"SpendTx"}}';
const OUTSIDE =
  '{"block_hash":"none","block_height":-1,"hash":"th_1","tx":{"recipient_id":"ak_1","amount":1.0e0,"type":"SpendTx"}}';
const LOGS = '{"hash":"th_1","block_hash":"mh_7","block_height":7,"logs":[]}';
const REMOVED = '{"removed_count" : 1, "removed" : ["mh_8"]}';

/** A row of the log of each kind, and what clients receive: subscription, payload, cursor, identifiers. */
const EXPECTED: Record<
  EventKind,
  { position: bigint; hash: string; body: string; receives: [string, string, string]; objects?: string[] }
> = {
  key_block: {
    position: microPosition(7, 0),
    hash: 'kh_7',
    body: KEY,
    receives: ['key_blocks', KEY, '5.kh_7'],
  },
  micro_block: {
    position: microPosition(7, 1),
    hash: 'mh_7',
    body: MICRO,
    receives: ['micro_blocks', '{"hash":"mh_7","height":7,"key_block_id":8}', '5.mh_7'],
  },
  transaction: {
    position: microPosition(7, 1) + 2n,
    hash: 'th_1',
    body: TX,
    receives: ['transactions', TX, '5.mh_7.3'],
    objects: ['mh_7', 'th_1', 'ak_1'],
  },
  tx_update: { position: microPosition(7, 1) + 2n, hash: 'th_1', body: TX, receives: ['tx_update', TX, '5.mh_7.3'] },
  left: {
    position: microPosition(7, 1) + 2n,
    hash: 'th_1',
    body: TX,
    receives: ['tx_update', OUTSIDE, '5.kh_head.all'],
  },
  contract_logs: {
    position: microPosition(7, 1) + 2n,
    hash: 'th_1',
    body: LOGS,
    receives: ['contract_logs', LOGS, '5.mh_7.3'],
  },
  rollback: {
    position: microPosition(8, 0),
    hash: 'mh_7',
    body: REMOVED,
    receives: ['rollback', '{"height":7,"hash":"mh_7","removed_count" : 1, "removed" : ["mh_8"]}', '5.mh_7.all'],
  },
  load_rollback: {
    position: microPosition(8, 1),
    hash: '',
    body: '',
    receives: ['rollback', '{"height":8,"hash":null}', '0..all'],
  },
  load_left: {
    position: microPosition(7, 1) + 2n,
    hash: 'th_1',
    body: TX,
    receives: ['tx_update', OUTSIDE, '0.kh_head.all'],
  },
};

describe('events of each kind', () => {
  for (const kind of Object.keys(EVENT_KINDS) as EventKind[]) {
    it(`${kind} has its subscription, payload and cursor`, () => {
      const { position, hash, body, receives, objects = [] } = EXPECTED[kind];
      const event = chainEvent({ seq: 5, kind, position, hash, body, at: 0, mark: '', tokens: null }, HEAD);
      expect([event.kind, event.data, event.cursor]).to.deep.equal(receives);
      expect(event.announced).to.equal(!kind.startsWith('load_'));
      expect([...event.objects()]).to.have.members(objects);
    });
  }
});
