/** The lists of coins that stand in no block. Few heights need them, so they are read each time. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Movement } from '../../chain/money/movement.js';
import { presetsChecksum, readPresets } from '../../chain/money/presets.js';
import { ROOT } from '../../observe/root.js';

const FOLDER = new URL('presets/', ROOT);

/** What the first key block of a protocol version gives to accounts; undefined if there are no lists of the network. Throws if the file is damaged. */
export async function presetsOf(networkId: string, version: number, folder = FOLDER): Promise<Movement[] | undefined> {
  const checksum = presetsChecksum(networkId);
  if (checksum === undefined) return undefined;
  const name = `${networkId}.txt`;
  const text = await readFile(new URL(name, folder), 'utf8');
  if (createHash('sha256').update(text).digest('hex') !== checksum)
    throw new Error(`The file presets/${name} is not the one of this version: install the program again`);
  return readPresets(text, version);
}
