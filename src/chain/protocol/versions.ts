/** Versions of the protocol, as in the `version` of a key block, and of the contract ABI. */
export const ROMA = 1;
export const MINERVA = 2;
export const FORTUNA = 3;
export const LIMA = 4;
export const IRIS = 5;
export const CERES = 6;

/** `abi_version` of contracts for the virtual machine FATE. */
export const FATE_ABI = 3;
