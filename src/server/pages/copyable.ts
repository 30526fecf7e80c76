import { html } from 'hono/html';
import type { Html } from './html.ts';

/** The texts of copy buttons, in the data block of a page. */
export interface CopyTexts {
  readonly copy: string;
  readonly copied: string;
  readonly notCopied: string;
}

/**
 * Code with a heading and a copy button, which `copy-buttons.js` shows. The keyboard can scroll it.
 *
 * @param heading An element with the id `ID-title`; empty when the page has it elsewhere.
 * @param label The text of the button.
 */
export function copyable(id: string, heading: Html | '', code: Html | string, label: string): Html {
  return html`
          <div class="copyable">
            ${heading}
            <button type="button" data-copy="${id}" aria-describedby="${id}-title" hidden>${label}</button>
            <pre role="group" aria-labelledby="${id}-title" tabindex="0"><code id="${id}">${code}</code></pre>
          </div>`;
}

/** Announces copies to screen readers; one in each page with copy buttons. */
export function copyStatus(): Html {
  return html`<p id="copied" class="spoken" aria-live="polite"></p>`;
}
