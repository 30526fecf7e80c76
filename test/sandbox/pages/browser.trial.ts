/** The pages in one Chromium and with one sandbox: each takes longer to start than most tests. */
import { describe } from 'vitest';
import { allPages } from './all-pages.ts';
import { describeInChromium } from './browser.ts';
import { checkPage } from './check-page.ts';
import { requestsPage } from './requests-page.ts';

describeInChromium((pages) => {
  describe('every page', () => allPages(pages));
  describe('the check', () => checkPage(pages));
  describe('the requests', () => requestsPage(pages));
});
