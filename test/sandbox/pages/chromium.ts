import { type Browser, chromium } from 'playwright-core';
import { pathOf } from '../../support/programs.ts';

/** The shell without windows takes 40 % less CPU time for the pages. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

const executablePath = NAMES.map(pathOf).find((path) => path !== undefined);

/** Whether a Chromium is installed. */
export const hasChromium = executablePath !== undefined;

export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    ...(executablePath && { executablePath }),
    // Its sandbox does not work for root.
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
}
