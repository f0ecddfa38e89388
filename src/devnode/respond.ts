/** Answers the external interface: recording, chain and misbehaviour put together. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer } from './http/answer.js';
import type { ChainAnswers } from './http/chain-answers.js';
import { createRouter } from './http/router.js';
import { send, sendHalf } from './http/server.js';
import { statusText } from './http/status.js';
import type { Misbehaviour, Misbehaviours } from './misbehaviour.js';
import type { Protocol } from './options.js';
import { NONE } from './store/chain-store.js';
import type { ChainStore } from './store/chain-store.js';
import type { ChainView } from './store/chain-view.js';
import { agedView, branchView, chainEnds, mainView } from './store/chain-view.js';

export interface ResponderParts {
  store: ChainStore;
  chain: ChainAnswers;
  misbehaviours: Misbehaviours;
  networkId: string;
  protocols: readonly Protocol[];
  /** Word for word answers that come before all others. */
  recorded(url: string): Answer | undefined;
}

export interface Responder {
  handle(request: IncomingMessage, response: ServerResponse): void;
  /** Cancels answers that are late on purpose. */
  close(): void;
}

/** How far back the other opinion of a disagreeing node is when there is no other branch. */
const DISAGREED_GENERATIONS = 2;
const BY_HEIGHT = /^(\/v[23]\/(?:key-blocks|generations)\/height\/)(\d{1,15})(?=$|\?)/;

export function createResponder(parts: ResponderParts): Responder {
  const { store, misbehaviours, recorded } = parts;
  const started = Date.now();
  const late = new Set<NodeJS.Timeout>();
  const main = mainView(store);
  let asked = 0;

  /** What a lying node says instead of the truth, for the request that is being answered. */
  let claimed: Misbehaviour = {};

  /** What the key block adds to the work of its branch. */
  function difficultyOfBlock(keyBlock: number): bigint {
    const parent = store.parent(keyBlock);
    return store.work(keyBlock) - (parent === NONE ? 0n : store.work(parent));
  }

  const route = createRouter({
    store,
    chain: parts.chain,
    networkId: () => claimed.networkId ?? parts.networkId,
    status: (view) =>
      statusText({
        networkId: claimed.networkId ?? parts.networkId,
        genesis: claimed.genesis ?? store.id(view.keyAt(0)),
        protocols: parts.protocols,
        height: view.height,
        topHash: store.id(view.keyAt(view.height)),
        difficulty: difficultyOfBlock(view.keyAt(view.height)),
        pending: store.pool().size,
        uptimeMs: Date.now() - started,
      }),
  });

  function otherOpinion(): ChainView {
    const tip = chainEnds(store)[1];
    return tip === undefined ? agedView(store, store.height() - DISAGREED_GENERATIONS) : branchView(store, tip);
  }

  function viewOf({ behind, disagree }: Misbehaviour): ChainView {
    asked += 1;
    if (disagree === true && asked % 2 === 0) return otherOpinion();
    return behind === undefined ? main : agedView(store, store.height() - behind);
  }

  function answer(method: string, url: string, lie: Misbehaviour): { answer: Answer; height: number } {
    const view = viewOf(lie);
    const lying = view !== main || lie.networkId !== undefined || lie.genesis !== undefined || lie.wrongHeight === true;
    const known = method === 'GET' && !lying ? recorded(url) : undefined;
    if (known !== undefined) return { answer: known, height: view.height };
    claimed = lie;
    const asIf = lie.wrongHeight === true ? url.replace(BY_HEIGHT, anotherHeight) : url;
    return { answer: route({ method, url: asIf }, view), height: view.height };
  }

  function handle(request: IncomingMessage, response: ServerResponse): void {
    // Bodies are of no use here; unread ones would keep the connection busy.
    request.resume();
    const url = request.url ?? '/';
    const wrong = misbehaviours.striking(url).reduce<Misbehaviour>((all, one) => ({ ...all, ...one }), {});
    if (wrong.hang === true) return;
    const reply = (): void => {
      if (wrong.status !== undefined) {
        const retryAfter = wrong.retryAfter === undefined ? {} : { retryAfter: wrong.retryAfter };
        return send(response, { status: wrong.status, ...retryAfter }, store.height());
      }
      const { answer: said, height } = answer(request.method ?? 'GET', url, wrong);
      (wrong.truncate === true ? sendHalf : send)(response, said, height);
    };
    if (wrong.slowMs === undefined) return reply();
    const timer = setTimeout(() => {
      late.delete(timer);
      reply();
    }, wrong.slowMs);
    late.add(timer);
  }

  return {
    handle,
    close() {
      late.forEach(clearTimeout);
      late.clear();
    },
  };
}

const anotherHeight = (_: string, path: string, height: string): string =>
  `${path}${height === '0' ? 1 : Number(height) - 1}`;
