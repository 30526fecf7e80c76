import { describeInChromium } from './browser.ts';
import { describeCheck } from './check.ts';
import { describeDebugger } from './debugger.ts';
import { describeEveryPage } from './every-page.ts';
import { describeRequests } from './requests.ts';

describeInChromium({
  'every page': describeEveryPage,
  'the check': describeCheck,
  'the requests': describeRequests,
  'the debugger': describeDebugger,
});
