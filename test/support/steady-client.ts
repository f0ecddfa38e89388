import { request } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { GIVE_UP_MS } from './patience.js';

export interface Said {
  status: number;
  text: string;
  headers: IncomingHttpHeaders;
}

/** Sends one request on a new connection, like a new client. */
export const ask = (url: string, body?: object): Promise<Said> =>
  new Promise((resolve, reject) => {
    const options = { agent: false, timeout: GIVE_UP_MS, method: body === undefined ? 'GET' : 'POST' };
    const sent = request(url, options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text, headers: response.headers }));
      response.on('error', reject);
    });
    sent.on('timeout', () => sent.destroy(new Error('no answer within 30 s')));
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });

export interface Steady {
  /** Number of answers since the last call, and the errors of those that were not 200. */
  take(): { answers: number; faults: string[] };
  stop(): Promise<void>;
}

/** Sends requests to the URL again and again, each on a new connection, like many clients of a Service. */
export function askSteadily(url: string, pauseMs = 50): Steady {
  let answers = 0;
  let faults: string[] = [];
  let stopped = false;
  const loop = (async () => {
    while (!stopped) {
      const fault = await ask(url).then(
        ({ status }) => (status === 200 ? undefined : `status ${status}`),
        (error: Error) => error.message,
      );
      answers += 1;
      if (fault !== undefined) faults.push(`${new Date().toISOString()} ${fault}`);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  })();
  return {
    take() {
      const taken = { answers, faults };
      answers = 0;
      faults = [];
      return taken;
    },
    stop: () => {
      stopped = true;
      return loop;
    },
  };
}
