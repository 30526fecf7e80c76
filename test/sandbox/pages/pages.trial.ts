/** The pages in one Chromium and with one sandbox: each takes longer to start than most tests. */
import { describe } from 'vitest';
import { describeInChromium } from './browser.ts';
import { describeCheck } from './check.ts';
import { describeEveryPage } from './every-page.ts';
import { describeRequests } from './requests.ts';

describeInChromium((pages) => {
  describe('every page', () => describeEveryPage(pages));
  describe('the check', () => describeCheck(pages));
  describe('the requests', () => describeRequests(pages));
});
