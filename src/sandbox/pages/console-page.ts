import { DETECT_PATH, HEALTH_PATH } from '../../protocol/detection.ts';
import type { Page } from '../../server/pages/frame.ts';
import { copyable, filled } from '../../server/pages/html.ts';
import { translated, type View } from '../../server/pages/view.ts';
import template from './console-page.html?raw';
import { exchangeAnswer, exchangeButtons, exchangeData } from './exchange-parts.ts';
import type { ConsoleData } from './script-data.ts';
import TEXTS from './texts/console.json' with { type: 'json' };
import EXAMPLES from './texts/examples.json' with { type: 'json' };

export function consolePage({ language, t }: View): Page {
  const { title, summary, noScript, noResponse, asSent, curl, mop, ...texts } = TEXTS.page;
  const data: ConsoleData = {
    ...exchangeData(language),
    texts: translated(TEXTS.script, language),
  };
  const parts = {
    detectPath: DETECT_PATH,
    healthPath: HEALTH_PATH,
    example: JSON.stringify({ text: EXAMPLES[0]?.text[language] }, null, 2),
    buttons: exchangeButtons(t, ''),
    answer: exchangeAnswer(t, '', 3, t(noResponse)),
    // The script fills in the code.
    wire: copyable(t, 'wire', '', t(asSent)),
    curlCommand: copyable(t, 'curl', '', t(curl)),
    mopCommand: copyable(t, 'mop', '', t(mop)),
  };
  return {
    ...{ title, summary, noScript, data },
    styles: ['site.css'],
    script: 'console.js',
    content: filled(template, t, texts, parts),
  };
}
