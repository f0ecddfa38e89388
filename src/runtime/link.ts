/** The channel between a process and one that it started. */
interface Channel {
  send?(message: object, handle: undefined, options: undefined, sent: (error: Error | null) => void): boolean;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  once(event: 'disconnect', listener: () => void): unknown;
}

/** What is asked, by name. Values and answers are plain data. */
export type Answers = Record<string, (value: unknown) => unknown>;

export interface Link {
  /** Undefined when the other process has ended, or knows no answer. */
  ask(what: string, value?: unknown): Promise<unknown>;
}

type Message = { link: number; what: string; value?: unknown } | { linked: number; answer?: unknown };

/** Questions and answers between two processes, in both directions. */
export function createLink(channel: Channel, answers: Answers): Link {
  const waiting = new Map<number, (answer: unknown) => void>();
  let asked = 0;
  /** Without `failed`, an error would be one that nobody handles. */
  const send = (message: Message, failed = (): void => undefined): void => {
    if (channel.send === undefined) return failed();
    channel.send(message, undefined, undefined, (error) => error && failed());
  };

  channel.on('message', (received) => {
    // Others use the channel as well.
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
