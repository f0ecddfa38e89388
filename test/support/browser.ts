/** A real browser: Chromium, if it is installed. */
import { execFileSync } from 'node:child_process';
import { chromium } from 'playwright-core';
import type { Browser } from 'playwright-core';

const PROGRAMS = ['chromium', 'chromium-browser', 'google-chrome'];

/** Path of Chromium: from the variable `CHROMIUM`, or under one of the usual names; undefined if there is none. */
export const browserProgram = process.env.CHROMIUM ?? PROGRAMS.map(pathOf).find((path) => path !== undefined);

export function startBrowser(): Promise<Browser> {
  // Root may not use the sandbox of the kernel.
  return chromium.launch({ executablePath: browserProgram!, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

function pathOf(program: string): string | undefined {
  try {
    return execFileSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).trim();
  } catch {
    return undefined;
  }
}
