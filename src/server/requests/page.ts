import { html } from 'hono/html';
import { type Html, htmlDocument } from '../pages/html.ts';

/** The page of the last requests. */
export function requestsPage(summary: string): Html {
  return htmlDocument({
    language: 'en',
    title: 'Requests',
    description: summary,
    assets: '/requests/assets',
    styles: [],
    script: 'requests.js',
    body: html`<main id="main" class="wide"><h1>Requests</h1><p>${summary}</p><ol id="rows"></ol></main>`,
  });
}
