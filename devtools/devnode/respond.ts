/** Answers requests to the external API from the recording or the chain, changed by misbehaviours. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Currency } from '../../src/chain/networks.js';
import { INTERNAL_ERROR } from './wire/answer.js';
import type { Answer } from './wire/answer.js';
import type { ChainAnswers } from './http/chain-answers.js';
import { createHyperchainAnswers } from './http/hyperchain-answers.js';
import { TOO_BIG } from './http/posting.js';
import { readBody } from './http/read-body.js';
import { createRouter } from './http/router.js';
import type { LiveAnswers, Request } from './http/router.js';
import { send, sendHalf } from './http/server.js';
import { statusText } from './http/status.js';
import type { Misbehaviour, Misbehaviours } from './misbehaviour.js';
import type { Epochs } from './ledger/epochs.js';
import type { Protocol } from './ledger/rules.js';
import { NONE } from './store/chain-store.js';
import type { ChainStore } from './store/chain-store.js';
import type { ChainView } from './store/chain-view.js';
import { agedView, branchView, branchHeads, mainView } from './store/chain-view.js';

interface ResponderParts {
  store: ChainStore;
  chain: ChainAnswers;
  live: LiveAnswers | undefined;
  /** Number of transactions in the pool. */
  pending(): number;
  misbehaviours: Misbehaviours;
  networkId: string;
  currency: Currency;
  /** Undefined if the chain is no hyperchain. */
  epochs: Epochs | undefined;
  protocols: readonly Protocol[];
  /** Public key of the node among its peers, `pp_…`. */
  peerKey: string;
  /** Recorded answers, which are preferred to all others. */
  recorded(url: string): Answer | undefined;
}

interface Responder {
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** Cancels delayed answers. */
  close(): void;
}

const NO_BODY = Buffer.alloc(0);
/** Number of generations that a disagreeing node is behind if there is no other branch. */
const DISAGREED_GENERATIONS = 2;
const BY_HEIGHT = /^(\/v[23]\/(?:key-blocks|generations)\/height\/)(\d{1,15})(?=$|\?)/;

export function createResponder(parts: ResponderParts): Responder {
  const { store, misbehaviours, recorded } = parts;
  const started = Date.now();
  const delayed = new Set<NodeJS.Timeout>();
  const main = mainView(store);
  let requests = 0;

  /** The misbehaviour that applies to the current request. */
  let claimed: Misbehaviour = {};

  /** Work that the key block adds to its branch. */
  function difficultyOfBlock(keyBlock: number): bigint {
    const parent = store.parent(keyBlock);
    return store.work(keyBlock) - (parent === NONE ? 0n : store.work(parent));
  }

  const route = createRouter({
    store,
    chain: parts.chain,
    live: parts.live,
    networkId: () => claimed.networkId ?? parts.networkId,
    currency: parts.currency,
    hyperchain: parts.epochs && createHyperchainAnswers(store, parts.epochs),
    peerKey: parts.peerKey,
    status: (view) =>
      statusText({
        networkId: claimed.networkId ?? parts.networkId,
        genesis: claimed.genesis ?? store.id(view.keyAt(0)),
        protocols: parts.protocols,
        peerKey: parts.peerKey,
        height: view.height,
        headHash: store.id(view.keyAt(view.height)),
        isHyperchain: parts.epochs !== undefined,
        difficulty: difficultyOfBlock(view.keyAt(view.height)),
        pending: parts.pending(),
        uptimeMs: Date.now() - started,
      }),
  });

  function routed(request: Request, view: ChainView): Answer {
    try {
      return route(request, view);
    } catch {
      return INTERNAL_ERROR;
    }
  }

  function otherView(): ChainView {
    const end = branchHeads(store)[1];
    return end === undefined ? agedView(store, store.height() - DISAGREED_GENERATIONS) : branchView(store, end);
  }

  function viewOf({ behind, disagree }: Misbehaviour): ChainView {
    requests += 1;
    if (disagree === true && requests % 2 === 0) return otherView();
    return behind === undefined ? main : agedView(store, store.height() - behind);
  }

  function answer(request: Request, misbehaviour: Misbehaviour): { answer: Answer; height: number } {
    const { method, url } = request;
    const view = viewOf(misbehaviour);
    const lying =
      view !== main ||
      misbehaviour.networkId !== undefined ||
      misbehaviour.genesis !== undefined ||
      misbehaviour.wrongHeight === true;
    const known = method === 'GET' && !lying ? recorded(url) : undefined;
    if (known !== undefined) return { answer: known, height: view.height };
    claimed = misbehaviour;
    const servedUrl = misbehaviour.wrongHeight === true ? url.replace(BY_HEIGHT, wrongHeightPath) : url;
    return { answer: routed({ ...request, url: servedUrl }, view), height: view.height };
  }

  function handle(request: IncomingMessage, response: ServerResponse): void {
    if (request.method === 'POST') {
      readBody(request).then(
        (body) => reply(request, response, body),
        () => response.destroy(),
      );
      return;
    }
    // Bodies of other methods are not used. They are read because an unread body would block the connection.
    request.resume();
    reply(request, response, NO_BODY);
  }

  /** `body` is undefined if it is too big. */
  function reply(request: IncomingMessage, response: ServerResponse, body: Buffer | undefined): void {
    const url = request.url ?? '/';
    const misbehaviour = misbehaviours.affecting(url).reduce<Misbehaviour>((all, one) => ({ ...all, ...one }), {});
    if (misbehaviour.hang === true) return;
    const answerNow = (): void => {
      if (misbehaviour.status !== undefined) {
        const retryAfter = misbehaviour.retryAfter === undefined ? {} : { retryAfter: misbehaviour.retryAfter };
        return send(response, { status: misbehaviour.status, ...retryAfter }, store.height());
      }
      if (body === undefined) return send(response, TOO_BIG, store.height());
      const contentType = request.headers['content-type'];
      const { answer: reply, height } = answer(
        { method: request.method ?? 'GET', url, body, contentType },
        misbehaviour,
      );
      (misbehaviour.truncate === true ? sendHalf : send)(response, reply, height);
    };
    if (misbehaviour.slowMs === undefined) return answerNow();
    const timer = setTimeout(() => {
      delayed.delete(timer);
      answerNow();
    }, misbehaviour.slowMs);
    delayed.add(timer);
  }

  return {
    handle,
    close() {
      delayed.forEach(clearTimeout);
      delayed.clear();
    },
  };
}

const wrongHeightPath = (_: string, path: string, height: string): string =>
  `${path}${height === '0' ? 1 : Number(height) - 1}`;
