/** The state of a pool of nodes after random events in random orders. ORDERS=100000 for the full count. */
import { expect } from 'chai';
import type { KeyBlock } from '../../src/chain/facts.js';
import { nodeFault } from '../../src/node/faults.js';
import { TOLERATED_GENERATIONS } from '../../src/node/health.js';
import { demotionsOf, follow, initialState, isDemoted, reportOf, statusOf, step } from '../../src/node/pool-state.js';
import type { PoolEvent, PoolState } from '../../src/node/pool-state.js';
import { choices } from '../support/histories.js';
import type { Choices } from '../support/histories.js';

const { SEED = '37', ORDERS = '300' } = process.env;
const DEMOTE_MS = 1_000;
const HEADS = [90, 97, 98, 99, 100, 101, 105, 110];
const KNOWN = { networkId: 'ae_first', genesisHash: 'kh_genesis' };

const pick = <T>(random: Choices, some: readonly T[]): T => some[random.int(0, some.length - 1)]!;

function randomEvent(random: Choices, nodes: number): PoolEvent {
  const node = random.int(0, nodes - 1);
  const height = pick(random, HEADS);
  const head = { height, hash: `kh_${height}_${random.int(0, 2)}` };
  switch (random.int(0, 9)) {
    case 0:
    case 1:
    case 2: {
      const networkId = random.chance(0.1) ? 'ae_other' : 'ae_first';
      const status = {
        nodeVersion: '7.2.2',
        networkId,
        genesisHash: random.chance(0.05) ? 'kh_false' : 'kh_genesis',
        headHash: head.hash,
        headHeight: height,
        syncing: random.chance(0.1),
        peerKey: pick(random, ['pp_1', 'pp_2', undefined]),
        forks: [],
      };
      return { type: 'answered', node, status, latencyMs: 1 };
    }
    case 3: {
      const details = random.chance(0.3) ? { retryAfterMs: random.int(1, 3_000) } : {};
      const fault = nodeFault('node_unreachable', 'refused', { details });
      return { type: 'failed', node, fault, keepsStatus: random.chance(0.3) };
    }
    case 4:
      return { type: 'shown', node, head };
    case 5:
      return { type: 'read', node, head: head as unknown as KeyBlock };
    case 6:
      return random.chance(0.7) ? { type: 'trusted' } : { type: 'expected', chain: random.chance(0.5) ? KNOWN : {} };
    case 7:
      return { type: 'demoted', reason: 'another branch', isHeld: random.chance(0.3) };
    case 8:
      return { type: 'looked', node, isStored: random.chance(0.3) };
    default:
      return { type: 'tried', node };
  }
}

const isUsable = ({ nodes }: PoolState, i: number): boolean =>
  nodes[i]!.state === 'ok' || nodes[i]!.state === 'syncing';

/** What holds after each event. Throws an AssertionError that names what does not. */
function examineStep(before: PoolState, event: PoolEvent, after: PoolState, now: number): void {
  if (event.type !== 'expected') expect(after.expected, 'the chain to follow').to.equal(before.expected);
  for (const [i, { demotion, shown, notBefore, seen }] of after.nodes.entries()) {
    const was = before.nodes[i]!;
    const isAbout = 'node' in event && event.node === i;
    if (demotion !== was.demotion && demotion !== undefined) {
      expect(event.type, 'who demotes').to.equal('demoted');
      expect(i, 'who is demoted').to.equal(before.reading ?? before.followed);
      expect(demotion.until - now, 'a demotion lasts').to.be.at.most(5 * DEMOTE_MS);
      if (isDemoted(before, i, now)) expect(demotion.until, 'its end').to.equal(was.demotion!.until);
      else expect(demotion.until - now, 'a demotion lasts').to.be.at.least(DEMOTE_MS);
    }
    if (demotion === undefined && was.demotion !== undefined)
      expect(
        event.type === 'trusted'
          ? i === (before.reading ?? before.followed)
          : event.type === 'looked' && event.isStored,
      ).to.equal(true);
    if (seen !== was.seen) expect(isAbout, 'the answer of another node').to.equal(true);
    if (shown !== was.shown) expect([event.type, isAbout], 'who shows a head').to.deep.equal(['shown', true]);
    if (notBefore !== was.notBefore)
      expect([event.type, isAbout], 'who is asked later').to.deep.equal(['failed', true]);
  }
  if (event.type === 'looked') {
    const { demotion, strayed } = after.nodes[event.node]!;
    expect(strayed, 'looks in a row').to.equal(event.isStored ? 0 : before.nodes[event.node]!.strayed + 1);
    if (event.isStored) expect(demotion, 'a node whose head is stored').to.equal(undefined);
  }
  if (event.type === 'trusted') expect(after.trusted, 'the trusted head').to.equal(before.running);
  else expect(after.trusted, 'the trusted head').to.equal(before.trusted);
}

/** What holds after each choice. */
function examineChoice(before: PoolState, excluded: ReadonlySet<number>, now: number): PoolState {
  const { state, at } = follow(before, excluded, now);
  const { expected } = before;
  if (expected.networkId !== undefined && expected.genesisHash !== undefined)
    expect(state.expected, 'the chain to follow, once it is known').to.deep.equal(expected);
  const answering = state.nodes.flatMap((_, i) => (statusOf(state, i) === undefined ? [] : [i]));
  for (const [i, { state: of }] of state.nodes.entries()) {
    if (!answering.includes(i)) {
      expect(isUsable(state, i), 'a node without a status, or of another chain').to.equal(false);
      expect(of).to.not.equal('behind');
    } else if (of === 'behind' && !isDemoted(state, i, now)) {
      const above = answering.some(
        (other) =>
          !isDemoted(state, other, now) &&
          Math.min(statusOf(state, other)!.headHeight, state.nodes[other]!.shown?.height ?? -1) >
            statusOf(state, i)!.headHeight + TOLERATED_GENERATIONS,
      );
      expect(above, 'a node is behind only a head that was shown').to.equal(true);
      expect(i, 'a node on trial is not behind').to.not.equal(before.onTrial);
    }
  }
  if (state.onTrial !== undefined) expect(state.onTrial, 'the node on trial is followed').to.equal(state.followed);
  if (at !== undefined) {
    expect(state.followed).to.equal(at);
    expect(excluded.has(at), 'an excluded node').to.equal(false);
    expect(answering, 'the chosen node answers, with the right chain').to.include(at);
    const usable = [...state.nodes.keys()].filter((i) => !excluded.has(i) && isUsable(state, i));
    if (!isUsable(state, at)) {
      expect(isDemoted(state, at, now), 'a node that is not usable is chosen only if it is demoted').to.equal(true);
      expect(usable, 'and no other one can be').to.deep.equal([]);
    }
    if (before.followed !== undefined && usable.includes(before.followed))
      expect(at, 'a node that can be used stays followed').to.equal(before.followed);
  } else expect(state.followed, 'nobody to choose').to.equal(before.followed);
  if (excluded.size === 0 && answering.length > 0)
    expect(at, 'somebody answers, so somebody is chosen').to.not.equal(undefined);
  const report = reportOf(state, now);
  expect(report.filter(({ followed }) => followed)).to.have.length(state.followed === undefined ? 0 : 1);
  for (const { isHeld } of demotionsOf(state, now)) expect(isHeld).to.be.a('boolean');
  return state;
}

describe('the state of a pool of nodes', () => {
  it(`holds what it promises in ${ORDERS} random orders of events`, () => {
    for (let order = 0; order < Number(ORDERS); order++) {
      const seed = Number(SEED) * 1_000_003 + order;
      const random = choices(seed);
      const urls = Array.from({ length: random.int(1, 4) }, (_, i) => `http://node-${i}`);
      let state = initialState(urls, random.chance(0.5) ? KNOWN : {}, DEMOTE_MS);
      let now = 0;
      const steps: string[] = [];
      try {
        for (let i = 0; i < 40; i++) {
          now += random.int(0, 1_500);
          const event = randomEvent(random, urls.length);
          steps.push(`${now} ${JSON.stringify(event)}`);
          const next = step(state, event, now);
          examineStep(state, event, next, now);
          const excluded = new Set(random.chance(0.2) ? [random.int(0, urls.length - 1)] : []);
          state = examineChoice(next, excluded, now);
        }
      } catch (cause) {
        throw new Error(`order ${order} of SEED=${SEED}: ${(cause as Error).message}\n${steps.join('\n')}`, { cause });
      }
    }
  });

  it('blames the node whose head was read, although another one is followed since', () => {
    const urls = ['http://liar', 'http://honest'];
    const status = {
      ...{ nodeVersion: '7.2.2', ...KNOWN, headHash: 'kh_1', headHeight: 100 },
      ...{ syncing: false, peerKey: undefined, forks: [] },
    };
    const none = new Set<number>();
    let state = initialState(urls, KNOWN, DEMOTE_MS);
    for (const node of [0, 1]) state = step(state, { type: 'answered', node, status, latencyMs: 1 }, 0);
    state = follow(state, none, 0).state;
    state = step(state, { type: 'read', node: 0, head: { height: 100 } as KeyBlock }, 0);
    state = step(state, { type: 'failed', node: 0, fault: nodeFault('node_unreachable', 'slow') }, 1);
    state = follow(state, none, 1).state;
    expect(state.followed).to.equal(1);

    state = step(state, { type: 'demoted', reason: 'no work', isHeld: false }, 2);
    expect(state.nodes.map(({ demotion }) => demotion?.reason)).to.deep.equal(['no work', undefined]);
    state = step(state, { type: 'answered', node: 0, status, latencyMs: 1 }, 3);
    state = follow(state, none, 3).state;
    expect([state.followed, state.nodes.map((one) => one.state)]).to.deep.equal([1, ['behind', 'ok']]);
  });
});
