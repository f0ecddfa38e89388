import { expect } from 'chai';
import { readMicroBlock } from '../../src/chain/facts.js';
import { microPosition } from '../../src/chain/position.js';
import { contractId } from '../../src/chain/protocol/ids.js';
import { offlineContract } from '../../src/compiler/offline.js';
import { placeMicroBlock } from '../../src/store/facts/blocks.js';
import { testApi } from '../support/api.js';
import type { TestApi } from '../support/api.js';
import { compilerVersion, runCompiler, startCompilerService } from '../support/compiler-service.js';
import type { TestServer } from '../support/http-server.js';
import { eventually } from '../support/populator.js';
import { append, emptyDatabase, madeBlocks, madeHash } from '../support/seed.js';
import type { SeededDatabase } from '../support/seed.js';

const SOURCE = `contract Counter =
  record state = { n : int, who : string }
  entrypoint init() = { n = 0, who = "nobody" }
  stateful entrypoint set(x : int, s : string) = put(state{ n = x, who = s })
`;

const reason =
  compilerVersion === undefined ? ' (skipped: escript with erlang-crypto and syntax-tools is missing)' : '';

(compilerVersion === undefined ? describe.skip : describe)(`a real compiler${reason}`, () => {
  const owner = madeHash('ak', 'owner');
  let seeded: SeededDatabase;
  let service: TestServer;
  let api: TestApi;
  let bytecode: string;

  before(async () => {
    bytecode = (await runCompiler(SOURCE, '-wall')).stdout.trim();
    seeded = await emptyDatabase();
    const blockHash = madeHash('mh', 'only');
    const [keyBlock] = madeBlocks([{ time: 1000 }], 100);
    const previous = (keyBlock as { hash: string }).hash;
    const links = { prev_hash: previous, prev_key_hash: previous };
    const header = { hash: blockHash, height: 100, ...links, time: 2000, version: 5 };
    const create =
      `{"abi_version":3,"amount":0,"call_data":"cb_Xfbg4g==","code":"${bytecode}","deposit":0,"fee":6,"gas":1,` +
      `"gas_price":1,"nonce":10,"owner_id":"${owner}","type":"ContractCreateTx","version":1,"vm_version":7}`;
    const body = `{"block_hash":"${blockHash}","block_height":100,"hash":"${madeHash('th', 'create')}","signatures":[],"tx":${create}}`;
    const micro = readMicroBlock(JSON.stringify(header), `{"transactions":[${body}]}`);
    await append(seeded.database, null, [keyBlock!, placeMicroBlock(micro, microPosition(100, 1), 5)]);
    service = await startCompilerService();
    api = await testApi(seeded.database, { compilerUrls: [service.url] });
  });
  after(async () => {
    await api.close();
    await service.close();
    await seeded.drop();
  });

  const verify = async (source: string, changes: Record<string, string> = {}): Promise<unknown> => {
    const asked = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ contract_id: contractId(owner, 10n), source, compiler: compilerVersion, ...changes }),
    };
    // On a slow machine the compiler takes longer than the server waits for it.
    const { status, body } = await eventually(
      () => api.get('/middleware/contracts/verify', asked),
      (answer) => !answer.body.includes('no compiler available'),
    );
    expect(status).to.equal(200);
    return JSON.parse(body);
  };

  it('is reported with its version', async () => {
    expect(await api.json('/middleware/compilers')).to.deep.equal({ compilers: [compilerVersion] });
  });

  it('verifies the source that a contract was made from, and no other', async () => {
    expect(bytecode).to.match(/^cb_/);
    expect(await verify(SOURCE)).to.deep.equal({ verified: true });
    expect(await verify(SOURCE.replace('nobody', 'somebody'))).to.deep.equal({ verified: false });
    expect(await verify('contract Counter = rubbish')).to.deep.equal({ error: 'unable to compile the contract' });
    expect(await verify('')).to.deep.equal({ error: 'unable to compile the contract' });
    expect(await verify(SOURCE, { compiler: '4.1.0' })).to.deep.equal({ error: 'invalid compiler version' });
    expect(await verify(SOURCE, { contract_id: contractId(owner, 11n) })).to.deep.equal({
      error: 'contract not found',
    });
  });

  it('compiles calls that are decoded without it', async () => {
    const { stdout } = await runCompiler(SOURCE, '-wall', '--create_calldata', '--call', 'set(42, "hello, world")');
    const [callData] = /cb_\S+/.exec(stdout) ?? expect.fail(stdout);
    expect(offlineContract(bytecode)?.decodeCall(callData)).to.deep.equal({
      function: 'set',
      arguments: [
        { type: 'int', value: 42 },
        { type: 'string', value: 'hello, world' },
      ],
    });
  });
});
