interface Frame {
  subscription: string;
  payload: Record<string, unknown>;
}

/** An event as one line for people: subscription, height, hash, then type and parties, or time and beneficiary. */
export function eventLine(frame: string): string {
  const { subscription, payload } = JSON.parse(frame) as Frame;
  const height = payload['block_height'] ?? payload['height'];
  const position = height === -1 ? 'off chain' : String(height);
  return [subscription.padEnd(12), position.padStart(9), payload['hash'], ...details(payload)].join('  ');
}

function details(payload: Record<string, unknown>): unknown[] {
  if (payload['removed_count'] !== undefined) return [`${payload['removed_count'] as number} blocks removed`];
  const { tx } = payload as { tx?: Record<string, unknown> };
  if (tx === undefined) {
    const time = new Date(Number(payload['time'])).toISOString();
    return payload['beneficiary'] === undefined ? [time] : [time, payload['beneficiary']];
  }
  const parties = [
    'sender_id',
    'recipient_id',
    'account_id',
    'owner_id',
    'caller_id',
    'contract_id',
    'oracle_id',
    'channel_id',
  ];
  const named = parties.map((member) => tx[member]).filter((id) => typeof id === 'string');
  return [tx['type'], ...(typeof tx['name'] === 'string' ? [tx['name']] : []), ...named];
}
