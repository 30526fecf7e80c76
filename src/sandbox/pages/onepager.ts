import { html } from 'hono/html';
import type { Page } from '../../server/pages/frame.ts';
import { copyable, filled } from '../../server/pages/html.ts';
import type { View } from '../../server/pages/view.ts';
import template from './onepager.html?raw';
import CATEGORIES from './texts/categories.json' with { type: 'json' };
import TEXTS from './texts/onepager.json' with { type: 'json' };

export function onepager({ t, link, origin }: View): Page {
  const { title, summary, pipelineOne, pipelineMany, pipelineWait, ...texts } = TEXTS;
  const mop = `MOP_DETECT_URL=${origin} mop`;
  const batch = `MOP_DETECT_URL=${origin} \\\n  mop detect --batch replies.jsonl --fail-on high \\\n  --junit detect.xml --sarif detect.sarif`;
  const parts = {
    home: link('/'),
    console: link('/console'),
    docs: link('/api-docs'),
    categoryList: html`${Object.values(CATEGORIES).map(
      ({ name, effect }) => html`
          <div><dt>${t(name)}</dt><dd>${t(effect)}</dd></div>`,
    )}`,
    one: copyable(t, 'one', `${mop} detect --fail-on high @reply.txt`, t(pipelineOne)),
    many: copyable(t, 'many', batch, t(pipelineMany)),
    wait: copyable(t, 'wait', `${mop} health --wait 30`, t(pipelineWait)),
  };
  return {
    ...{ title, summary },
    styles: ['site.css'],
    intro: html`
      <p class="actions">
        <a class="button primary" href="${parts.home}">${t(texts.toCheck)}</a>
        <a class="button" href="${parts.docs}">${t(texts.toDocs)}</a>
      </p>`,
    content: filled(template, t, texts, parts),
  };
}
