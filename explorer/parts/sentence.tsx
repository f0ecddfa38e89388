/** What a transaction does, in one sentence: sender before recipient. */
import { typeInWords } from '../format.js';
import { Amount } from './amount.js';
import type { Outcome } from './marks.js';
import { Party } from './party.js';
import { partiesOf } from './transactions.js';

type Tx = Record<string, unknown> & { type: string };

/** Done and not done yet; the word before the recipient or the thing; whether the amount belongs to the sentence. */
interface Act {
  done: string;
  doing: string;
  before?: string;
  amount?: true;
}

const ACTS: Record<string, Act> = {
  SpendTx: { done: 'sent', doing: 'is sending', before: 'to', amount: true },
  ContractCallTx: { done: 'called', doing: 'is calling', before: 'on' },
  ContractCreateTx: { done: 'created a contract', doing: 'is creating a contract' },
  NamePreclaimTx: { done: 'reserved a name', doing: 'is reserving a name' },
  NameClaimTx: { done: 'claimed', doing: 'is claiming', before: '' },
  NameUpdateTx: { done: 'updated', doing: 'is updating', before: '' },
  NameTransferTx: { done: 'gave a name', doing: 'is giving a name', before: 'to' },
  NameRevokeTx: { done: 'revoked', doing: 'is revoking', before: '' },
  OracleRegisterTx: { done: 'registered an oracle', doing: 'is registering an oracle' },
  OracleExtendTx: { done: 'extended its oracle', doing: 'is extending its oracle' },
  OracleQueryTx: { done: 'asked', doing: 'is asking', before: '' },
  OracleRespondTx: { done: 'answered a query', doing: 'is answering a query' },
  ChannelCreateTx: { done: 'opened a channel', doing: 'is opening a channel', before: 'with' },
  GAAttachTx: { done: 'made itself a generalized account', doing: 'is making itself a generalized account' },
};

/** `call` is the name of the called function. */
export function Sentence({ tx, outcome, call }: { tx: Tx; outcome: Outcome; call?: string | undefined }) {
  const { from, to, amount } = partiesOf(tx);
  const act = ACTS[tx.type];
  if (act === undefined || from === undefined) return <>{typeInWords(tx.type)}</>;
  const { done, doing, before } = act;
  const isFailed = outcome === 'revert' || outcome === 'error';
  return (
    <>
      <Party of={from} /> {outcome === 'pending' ? doing : done}{' '}
      {act.amount === true && amount !== undefined && <Amount aettos={amount} />}{' '}
      {tx.type === 'ContractCallTx' && (call === undefined ? 'a function' : <span class="mono">{call}</span>)}{' '}
      {before !== undefined && to !== undefined && (
        <>
          {before} <Party of={to} />
        </>
      )}
      {isFailed && ': failed'}
    </>
  );
}
