interface JobTemplate {
  metadata: { annotations?: Record<string, string> };
  spec: { containers: { args?: string[]; env?: { name: string; value?: string }[] }[] };
}

/** Lets the simulated pod of a Job end as the program ends with this termination message. */
export function endsWith(template: JobTemplate, message: { ok: boolean }): void {
  const env = template.spec.containers[0]?.env ?? [];
  const isOnlyWritten = env.some(({ name, value }) => name === 'TERMINATION_LOG_ONLY' && value === 'true');
  template.metadata.annotations = {
    ...template.metadata.annotations,
    'sim/message': JSON.stringify(message),
    ...(!message.ok && !isOnlyWritten && { 'sim/exit-code': '1' }),
  };
}
