import { expect } from 'chai';
import { compareReceived, growingUsage, isExcused, mixedGenerations, receive } from './checks.js';
import type { Answered, ReceivedEvent, Received } from './checks.js';
import { differences } from './quiet-phase.js';

const block = (hash: string, prev_hash: string): ReceivedEvent => ({
  subscription: hash.startsWith('k') ? 'key_blocks' : 'micro_blocks',
  payload: { hash, prev_hash },
});
const transaction = (hash: string, block_hash: string, subscription = 'transactions'): ReceivedEvent => ({
  subscription,
  payload: { hash, block_hash },
});
const rollback = (hash: string, ...removed: string[]): ReceivedEvent => ({
  subscription: 'rollback',
  payload: { hash, removed, removed_count: removed.length },
});

/** Events of a chain that grows and has a reorg. */
const EVENTS = [
  block('k1', 'k0'),
  block('m1', 'k1'),
  transaction('t1', 'm1'),
  transaction('t2', 'm1'),
  block('m2', 'm1'),
  transaction('t3', 'm2'),
  block('k2', 'm2'),
  rollback('m1', 'm2', 'k2'),
  block('k3', 'm1'),
  block('m3', 'k3'),
  transaction('t3', 'm3', 'tx_update'),
  transaction('t9', 'none', 'tx_update'),
  transaction('t1', 'm1', 'contract_logs'),
];
const STORED = [
  { hash: 'k0', transactions: 0 },
  { hash: 'k1', transactions: 0 },
  { hash: 'm1', transactions: 2, logged: 1 },
  { hash: 'k3', transactions: 0 },
  { hash: 'm3', transactions: 1 },
];

function received(events: readonly ReceivedEvent[], seqs = events.map((_, i) => i + 1)): Received {
  const received: Received = { last: 0, chain: ['k0'], counts: new Map(), logs: new Map(), faults: [] };
  events.forEach((event, i) => receive(received, seqs[i]!, event));
  return received;
}

describe('the checks of chaos', () => {
  it('find nothing in a chain that was received completely', () => {
    const one = received(EVENTS);
    expect([...one.faults, ...compareReceived(one, STORED)]).to.deep.equal([]);
  });

  for (const [i, { subscription, payload }] of EVENTS.entries()) {
    it(`find that event ${i + 1} is missing, ${subscription} ${payload.hash}`, () => {
      const kept = EVENTS.filter((_, at) => at !== i);
      const seqs = EVENTS.map((_, at) => at + 1).filter((seq) => seq !== i + 1);
      expect(received([...kept, block('k4', 'm3')], [...seqs, EVENTS.length + 1]).faults).not.to.deep.equal([]);
    });

    it(`find that event ${i + 1} came twice, ${subscription} ${payload.hash}`, () => {
      const twice = [...EVENTS.slice(0, i + 1), ...EVENTS.slice(i)];
      const seqs = [...EVENTS.map((_, at) => at + 1).slice(0, i + 1), ...EVENTS.map((_, at) => at + 1).slice(i)];
      expect(received(twice, seqs).faults).not.to.deep.equal([]);
    });
  }

  it('find a missing event also if the numbers have no gap', () => {
    for (const i of [0, 1, 4, 7, 8, 9])
      expect(received(EVENTS.filter((_, at) => at !== i)).faults, String(i)).not.to.be.empty;
    for (const i of [2, 3, 10, 12]) {
      const one = received(EVENTS.filter((_, at) => at !== i));
      expect([...one.faults, ...compareReceived(one, STORED)], String(i)).not.to.be.empty;
    }
  });

  it('find a block of another branch, and a transaction of another branch', () => {
    expect(received([...EVENTS, block('k9', 'm2')]).faults).to.have.lengthOf(1);
    expect(received([...EVENTS, transaction('t5', 'm2')]).faults).to.have.lengthOf(1);
    expect(received([...EVENTS, transaction('t5', 'm2', 'contract_logs')]).faults).to.have.lengthOf(1);
    expect(received([...EVENTS, transaction('t1', 'm1', 'contract_logs')]).faults).to.have.lengthOf(1);
    expect(received([...EVENTS, rollback('m2')]).faults).to.have.lengthOf(1);
    expect(received([...EVENTS, rollback('k3', 'm2')]).faults).to.have.lengthOf(1);
  });

  it('find that the stored chain is not the received one', () => {
    const one = received(EVENTS);
    for (const stored of [
      STORED.slice(0, -1),
      [...STORED, { hash: 'k4', transactions: 0 }],
      STORED.with(1, { hash: 'k8', transactions: 0 }),
    ]) {
      expect(compareReceived(one, stored)).not.to.deep.equal([]);
    }
  });

  it('find mixed branches in one answer', () => {
    const micro = (prev_hash: string, own: string, of = own) => ({
      prev_hash,
      transactions: { t: { block_hash: of } },
    });
    const whole = {
      '1': { hash: 'k1', prev_hash: 'k0', micro_blocks: { m1: micro('k1', 'm1'), m2: micro('m1', 'm2') } },
      '2': { hash: 'k2', prev_hash: 'm2', micro_blocks: {} },
    };
    expect(mixedGenerations(whole)).to.deep.equal([]);
    expect(mixedGenerations({ ...whole, '2': { hash: 'k3', prev_hash: 'm1' } })).to.have.lengthOf(1);
    const { '1': first, '2': second } = whole;
    const other = (micro_blocks: typeof first.micro_blocks) =>
      mixedGenerations({ '1': { ...first, micro_blocks }, '2': second });
    expect(other({ ...first.micro_blocks, m2: micro('m9', 'm2') })).not.to.deep.equal([]);
    expect(other({ ...first.micro_blocks, m2: micro('m1', 'm2', 'm8') })).to.have.lengthOf(1);
  });

  it('find an altered row, an additional row and a missing row', () => {
    const model = { key_blocks: ['(1,k1)', '(2,k2)'], names: [] as string[] };
    expect(differences(model, model)).to.deep.equal([]);
    expect(differences({ ...model, key_blocks: ['(1,k1)', '(2,k9)'] }, model)).to.have.lengthOf(1);
    expect(differences({ ...model, key_blocks: ['(1,k1)'] }, model)).to.have.lengthOf(1);
    expect(differences({ ...model, names: ['(x)'] }, model)).to.have.lengthOf(1);
  });

  it('excuse an error only if a part was away at that time, and never a 500 of a server', () => {
    const away = (...parts: Parameters<typeof isExcused>[1][number]['parts']) => [{ parts, begun: 10, ended: 20 }];
    const answer: Answered = { server: 0, path: '/', status: 503, own: true, begun: 12, ended: 15, body: '' };
    expect(isExcused(answer, away('database'))).to.equal(true);
    expect(isExcused(answer, away('database of server 0'))).to.equal(true);
    expect(isExcused(answer, away('database of server 1'))).to.equal(false);
    expect(isExcused(answer, away('node'))).to.equal(false);
    expect(isExcused({ ...answer, begun: 20, ended: 22 }, away('database'))).to.equal(false);
    expect(isExcused({ ...answer, own: false, status: 502 }, away('node'))).to.equal(true);
    expect(isExcused({ ...answer, own: false, status: 429 }, away('node'))).to.equal(true);
    expect(isExcused({ ...answer, status: 429 }, away('node'))).to.equal(false);
    expect(isExcused({ ...answer, status: 0 }, away('node', 'database'))).to.equal(false);
    expect(isExcused({ ...answer, status: 0 }, away('server 0'))).to.equal(true);
    expect(isExcused({ ...answer, status: 0, path: '/v2/status' }, away('node'))).to.equal(true);
    expect(isExcused({ ...answer, status: 500 }, away('node', 'database', 'server 0'))).to.equal(false);
  });

  it('find a process whose memory or open files grow', () => {
    const sample = (pid: number, residentMb: number, files: number) => ({ name: 'server', pid, residentMb, files });
    expect(growingUsage([sample(1, 100, 30), sample(1, 180, 60), sample(2, 300, 90)])).to.deep.equal([]);
    expect(growingUsage([sample(1, 100, 30), sample(1, 400, 30)])).to.have.lengthOf(1);
    expect(growingUsage([sample(1, 100, 30), sample(1, 100, 90)])).to.have.lengthOf(1);
  });
});
