export interface AskedMetric {
  name: string;
  /** Labels that its selector names. */
  labels: string[];
}

const KEYWORDS = /^(and|or|unless|by|without|on|ignoring|group_left|group_right|bool|offset|inf|nan)$/i;

/**
 * The metrics that a PromQL expression uses. Parses only what the alerts and dashboards here need: names that
 * are neither functions nor keywords, outside of label lists, with the labels of the following selector.
 */
export function metricsIn(expression: string): AskedMetric[] {
  const bare = expression
    // Grouping lists contain labels, not metrics.
    .replace(/\b(by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/g, ' ')
    .replace(/\[[^\]]*\]/g, ' ');
  const found: AskedMetric[] = [];
  // A name with its selector, or a quoted text, which is skipped.
  for (const match of bare.matchAll(/([a-zA-Z_:][a-zA-Z0-9_:]*)\s*(\{[^}]*\}|\()?/g)) {
    const [, name = '', after = ''] = match;
    if (after === '(' || KEYWORDS.test(name)) continue;
    const labels = [...after.matchAll(/([a-zA-Z_][a-zA-Z0-9_]*)\s*(=~|!~|!=|=)\s*"/g)].map(([, label]) => label!);
    found.push({ name, labels });
  }
  return found;
}
