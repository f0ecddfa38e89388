import type { ConditionState } from '../types.js';

export const yes = (reason: string, message: string): ConditionState => ({ status: 'True', reason, message });
export const no = (reason: string, message: string): ConditionState => ({ status: 'False', reason, message });
export const unknown = (reason: string, message: string): ConditionState => ({ status: 'Unknown', reason, message });
