import { copy } from './clipboard.js';
import { byId } from './dom.js';

/** @type {NodeListOf<HTMLButtonElement>} */
const buttons = document.querySelectorAll('button[data-copy]');

for (const button of buttons) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    const code = byId(button.dataset.copy ?? '', HTMLElement).textContent ?? '';
    const isCopied = await copy(code);
    button.textContent = isCopied ? 'Copied' : 'Not copied';
    byId('copied', HTMLElement).textContent = isCopied ? 'Copied.' : 'The browser refused to copy.';
    setTimeout(() => {
      button.textContent = 'Copy';
      byId('copied', HTMLElement).textContent = '';
    }, SHOWN);
  });
}

/** How long a button shows its outcome, in milliseconds. */
const SHOWN = 2000;
