import { type Browser, chromium } from 'playwright-core';
import { findChromium } from './support.ts';

const executablePath = findChromium();

/** Whether a Chromium is installed. */
export const hasChromium = executablePath !== undefined;

export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    ...(executablePath && { executablePath }),
    // Its sandbox does not work for root.
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
}
