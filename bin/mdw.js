#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';

// The first process of a container hears only signals that it listens for. What has to drain listens itself as well.
if (process.pid === 1) {
  for (const [signal, status] of Object.entries({ SIGTERM: 143, SIGINT: 130 })) {
    process.on(signal, () => process.listenerCount(signal) === 1 && process.exit(status));
  }
}

// SIGUSR1 would open a debugger, SIGUSR2 would end the process. Both are sent to services that open their log again.
for (const signal of ['SIGUSR1', 'SIGUSR2']) process.on(signal, () => undefined);

// A user without HOME and without an entry in the system has no home. Libraries ask for it when they are loaded, and would end the program.
try {
  homedir();
} catch {
  process.env.HOME = '/';
}

const args = process.argv.slice(2);
if (args[0] === '-V' || args[0] === '--version') {
  // Answered before anything else is loaded: probes and scripts ask often.
  const { name, version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  process.stdout.write(`${name} ${version}\n`);
} else {
  const { main } = await import('../dist/src/main.js');
  await main(args);
}
