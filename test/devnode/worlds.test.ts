import { expect } from 'chai';
import { deserialize } from 'node:v8';
import { createSimulatedChain } from '../../devtools/devnode/chain.js';
import { createIdentities } from '../../devtools/devnode/generate/identities.js';
import { protocolsOf } from '../../devtools/devnode/generate/simulation.js';
import { createWorlds } from '../../devtools/devnode/generate/worlds.js';
import type { World } from '../../devtools/devnode/generate/world.js';
import { createRules } from '../../devtools/devnode/ledger/rules.js';
import { createChainStore } from '../../devtools/devnode/store/chain-store.js';

const ACCOUNTS = 20;

describe('the states after blocks', () => {
  it('are the same when they are computed again', async () => {
    const store = createChainStore();
    const saved: World[] = [];
    const append = (content: string | Uint8Array): number => {
      saved.push(deserialize(content as Uint8Array) as World);
      return store.file.append(content);
    };
    const watched = { ...store, file: { ...store.file, append } };
    const options = { seed: 'states', generations: 100, txsPerGeneration: 40, accounts: ACCOUNTS };
    await createSimulatedChain(watched, { ...options }, 'ae_dev');
    expect(saved.map(({ height }) => height)).to.deep.equal([0, 32, 64, 96]);

    const identities = createIdentities('states');
    const forgetful = { ...store, notes: createChainStore().annotations };
    const rules = createRules({ protocols: protocolsOf({ seed: 'worlds' }) });
    const worlds = createWorlds(forgetful, identities, rules, ACCOUNTS);
    expect(worlds.after(store.keyAt(96))).to.deep.equal(saved[3]);
    expect(worlds.after(store.keyAt(32))).to.deep.equal(saved[1]);
    expect(saved[3]!.names).not.to.deep.equal(saved[1]!.names);

    const strangers = createIdentities('states');
    createWorlds(store, strangers, rules, ACCOUNTS).after(store.keyAt(96));
    expect(strangers.indexOf(identities.account(ACCOUNTS - 1).id), 'of a state that was read').to.equal(ACCOUNTS - 1);
    store.close();
  });
});
