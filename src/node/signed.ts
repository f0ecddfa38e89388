/** Checks the signatures of micro blocks that a node returns. */
import type { KeyBlock, MicroBlock } from '../chain/facts.js';
import type { Flaw } from '../chain/proof/level.js';
import { channelsToSign, unsignedTransaction } from '../chain/signatures/block.js';
import { signerOf } from '../chain/protocol/generations.js';
import { leaderFlaw } from '../chain/signatures/leader.js';

/** In blocks of this age and younger the signatures of all transactions are checked, ms. */
const YOUNG_MS = 86_400_000;

export interface SigningOptions {
  /** Id of the network that is followed. */
  networkId: () => string | undefined;
  /** Both parties of a channel, by `ch_…`; undefined if its creation is not known. */
  channelParties: (channel: string) => Promise<readonly string[] | undefined>;
}

interface SignatureCheck {
  /** Call it with each newest key block of the node. */
  onHead(block: KeyBlock): void;
  flawOf(block: MicroBlock, keyBlock: KeyBlock, about: About): Promise<Flaw | undefined>;
}

interface About {
  /** The bytes of its header. */
  header: Uint8Array;
  /** The bytes of the transactions; undefined if they are not proven. */
  signed: readonly Uint8Array[] | undefined;
  /** A later micro block of the generation is checked. It contains the hash of this one, so its signature is the leader's for both. */
  isFollowed?: boolean;
}

/** `ofAll`: check the signatures of all transactions, not only those of young blocks. */
export function createSignatureCheck({ networkId, channelParties }: SigningOptions, ofAll: boolean): SignatureCheck {
  let headTime = Infinity;

  /** Of a chain whose head is old, or by a clock that is fast, the last day counts. */
  const isYoung = ({ time }: KeyBlock): boolean => time >= Math.min(Date.now(), headTime) - YOUNG_MS;

  async function partiesIn(block: MicroBlock): Promise<Map<string, readonly string[] | undefined>> {
    const channels = [...new Set(block.transactions.flatMap(channelsToSign))];
    return new Map(await Promise.all(channels.map(async (id) => [id, await channelParties(id)] as const)));
  }

  return {
    onHead({ time }) {
      headTime = time;
    },
    async flawOf(block, keyBlock, { header, signed, isFollowed = false }) {
      const signer = isFollowed ? undefined : signerOf(keyBlock, block.height);
      const flaw = signer === undefined ? undefined : await leaderFlaw({ hash: block.hash, header }, signer);
      if (flaw !== undefined || signed === undefined || !(ofAll || isYoung(keyBlock))) return flaw;
      const network = networkId();
      if (network === undefined) throw new Error('a block was requested before the network was known');
      const parties = await partiesIn(block);
      return unsignedTransaction(block, signed, { networkId: network, parties: (channel) => parties.get(channel) });
    },
  };
}
