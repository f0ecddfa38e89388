import type { Said } from '../types.js';

export const yes = (reason: string, message: string): Said => ({ status: 'True', reason, message });
export const no = (reason: string, message: string): Said => ({ status: 'False', reason, message });
export const unknown = (reason: string, message: string): Said => ({ status: 'Unknown', reason, message });
