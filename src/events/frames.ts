import type { ChainEvent } from './chain-event.js';

/** Format of the events for a client: plain frames, frames with a cursor, or server-sent events. */
export type Style = 'plain' | 'cursor' | 'stream';

const FINAL_TEXT = 0x81;

/**
 * The bytes of a whole websocket message with this text. They are made once for all receivers: the library would make them
 * again for each.
 */
export function textFrame(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const extra = length < 126 ? 0 : length < 65_536 ? 2 : 8;
  const frame = Buffer.allocUnsafe(2 + extra + length);
  frame[0] = FINAL_TEXT;
  if (extra === 0) frame[1] = length;
  else if (extra === 2) {
    frame[1] = 126;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = 127;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  frame.write(text, 2 + extra);
  return frame;
}

/** The text of such a message. */
export function textOfFrame(frame: Buffer): string {
  const length = frame[1]!;
  return frame.toString('utf8', length < 126 ? 2 : length === 126 ? 4 : 10);
}

/** The bytes of an event for a client. `name` is the one with which the client subscribed. */
export function renderFrame(event: ChainEvent, name: string, style: Style): Buffer {
  const cursor = style === 'cursor' ? `,"cursor":"${event.cursor}"` : '';
  const json = `{"subscription":"${name}","payload":${event.data}${cursor}}`;
  return style === 'stream' ? Buffer.from(streamText(json, event.cursor)) : textFrame(json);
}

/** Makes the frames of one event. Each is made once and shared by all its receivers. */
export function createFrames(event: ChainEvent): (name: string, style: Style) => Buffer {
  const made: { name: string; style: Style; frame: Buffer }[] = [];
  return (name, style) => {
    // A search is fast: there are few frames, and usually the first one matches.
    for (const one of made) if (one.name === name && one.style === style) return one.frame;
    const frame = renderFrame(event, name, style);
    made.push({ name, style, frame });
    return frame;
  };
}

/** A server-sent event, with one line of data for each line of the text. */
const streamText = (data: string, id: string): string =>
  `id: ${id}\ndata: ${data.replace(/\r\n|[\r\n]/g, '\ndata: ')}\n\n`;
