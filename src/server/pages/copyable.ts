import { html } from 'hono/html';
import type { Html } from './html.ts';
import SITE from './texts/site.json' with { type: 'json' };
import type { View } from './view.ts';

/**
 * Code with a heading and a copy button, which `copy-buttons.js` shows. The keyboard can scroll it.
 *
 * @param heading An element with the id `ID-title`; empty when the page has it elsewhere.
 */
export function copyable(id: string, heading: Html | '', code: Html | string, t: View['t']): Html {
  return html`
          <div class="copyable">
            ${heading}
            <button type="button" data-copy="${id}" aria-describedby="${id}-title" hidden>${t(SITE.copy.copy)}</button>
            <pre role="group" aria-labelledby="${id}-title" tabindex="0"><code id="${id}">${code}</code></pre>
          </div>`;
}

/** Announces copies to screen readers; one in each page. */
export function copyStatus(): Html {
  return html`<p id="copied" class="spoken" aria-live="polite"></p>`;
}
