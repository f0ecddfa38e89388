/** Reads a whole body as text. Throws, and reads no further, if it has more than `max` bytes. */
export async function readAtMost(body: AsyncIterable<Uint8Array>, max: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > max) throw new Error(`more than ${max} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
