/** The `info` of key blocks: since Minerva, the release of the node as four bytes. */
import { MINERVA } from '../../src/chain/protocol/versions.js';

/** Version 7.2.2 of the node. */
const RELEASE = 'cb_AAAC0rsrBKI=';
export const NO_INFO = 'cb_Xfbg4g==';

export const keyBlockInfo = (version: number): string => (version >= MINERVA ? RELEASE : NO_INFO);
