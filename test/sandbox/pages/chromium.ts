import { type Browser, chromium } from 'playwright-core';
import { findChromium } from './support.ts';

const executablePath = findChromium();

/** Whether a Chromium is installed. */
export const hasChromium = executablePath !== undefined;

export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    ...(executablePath && { executablePath }),
    args: [
      // No test looks at pixels, and drawing them without a graphics card takes much of the time.
      '--disable-gpu',
      '--disable-software-rasterizer',
      // Its sandbox does not work for root.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  });
}
