import { copy } from './clipboard.js';
import { byId, pageData } from './dom.js';

/** @import { CopyTexts } from '../frame.ts' */

/** A button shows its outcome for this time. */
const OUTCOME_MS = 2000;

/** @type {{ copyTexts: CopyTexts }} */
const { copyTexts } = pageData();

/** @type {NodeListOf<HTMLButtonElement>} */
const buttons = document.querySelectorAll('button[data-copy]');

for (const button of buttons) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    const code = byId(button.dataset.copy ?? '', HTMLElement).textContent ?? '';
    const outcome = (await copy(code)) ? copyTexts.copied : copyTexts.notCopied;
    const announced = byId('copied', HTMLElement);
    button.textContent = outcome;
    announced.textContent = outcome;
    setTimeout(() => {
      button.textContent = copyTexts.copy;
      announced.textContent = '';
    }, OUTCOME_MS);
  });
}
