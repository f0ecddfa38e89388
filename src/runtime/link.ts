/** The IPC channel between a process and a process that it started. */
interface Channel {
  send?(message: object, handle: undefined, options: undefined, sent: (error: Error | null) => void): boolean;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  once(event: 'disconnect', listener: () => void): unknown;
}

/** The functions that the other process can call, by name. Values and answers are plain data. */
export type Answers = Record<string, (value: unknown) => unknown>;

export interface Link {
  /** Calls a function of the other process. Undefined if that process has ended, has no such function, or the function failed. */
  ask(what: string, value?: unknown): Promise<unknown>;
}

/** A request has the number `link`; its answer has the same number as `linked`. */
type Message = { link: number; what: string; value?: unknown } | { linked: number; answer?: unknown };

/** Lets two processes call functions of each other. */
export function createLink(channel: Channel, answers: Answers): Link {
  const waiting = new Map<number, (answer: unknown) => void>();
  let asked = 0;
  /** The callback is always set: without one, a failed `send` would emit an unhandled error. */
  const send = (message: Message, failed = (): void => undefined): void => {
    if (channel.send === undefined) return failed();
    channel.send(message, undefined, undefined, (error) => error && failed());
  };

  channel.on('message', (received) => {
    // Other code, for example the module cluster, uses the channel too.
    if (typeof received !== 'object' || received === null) return;
    const message = received as Message;
    if ('linked' in message) {
      waiting.get(message.linked)?.(message.answer);
      waiting.delete(message.linked);
    } else if ('link' in message) {
      const { link, what, value } = message;
      const answering = Promise.resolve(value).then(answers[what]);
      void answering.catch(() => undefined).then((answer) => send({ linked: link, answer }));
    }
  });
  channel.once('disconnect', () => {
    for (const resolve of waiting.values()) resolve(undefined);
    waiting.clear();
  });

  return {
    ask: (what, value) =>
      new Promise((resolve) => {
        const link = ++asked;
        waiting.set(link, resolve);
        send({ link, what, value }, () => {
          waiting.delete(link);
          resolve(undefined);
        });
      }),
  };
}
