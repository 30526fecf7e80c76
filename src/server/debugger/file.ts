import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';
import type { Language } from '../../protocol/language.ts';
import { VERSION } from '../../version.ts';
import SHARED_ASSETS from '../pages/assets?assets';
import { main, pageData } from '../pages/frame.ts';
import { contentSecurityPolicy } from '../pages/headers.ts';
import { documentWith, type Html } from '../pages/html.ts';
import { LANGUAGE_TAGS, type Text } from '../pages/view.ts';
import { DEBUGGER_ASSETS, debuggerPage, type Start } from './page.ts';

const ASSETS: Readonly<Record<string, string>> = { ...SHARED_ASSETS, ...DEBUGGER_ASSETS };

/**
 * The debugger as one HTML file, which works from disk (contract section 7). Its policy allows no
 * connection.
 */
export async function debuggerFile(language: Language, start?: Start): Promise<string> {
  const t = (text: Text): string => text[language];
  const page = await debuggerPage({ language, t }, start);
  const style = ['base.css', ...(page.styles ?? [])].map((name) => ASSETS[name]).join('\n');
  const script = inElement(ASSETS['debugger.js']);
  const policy = contentSecurityPolicy({
    'script-src': digestOf(script),
    'style-src': digestOf(style),
    'img-src': 'data:',
    'connect-src': "'none'",
    'worker-src': 'blob:',
    'trusted-types': 'mop-worker',
  });
  // A policy in an element may not contain this directive.
  const allowed = policy.replace(/; frame-ancestors [^;]*/, '');
  const icon = `data:image/svg+xml;base64,${Buffer.from(ASSETS['icon.svg'] ?? '').toString('base64')}`;
  const head = html`<meta http-equiv="Content-Security-Policy" content="${allowed}">
    <link rel="icon" href="${icon}">
    <style>${raw(style)}</style>`;
  return String(
    await documentWith(
      {
        language: LANGUAGE_TAGS[language],
        title: `${t(page.title)} · mop`,
        description: t(page.summary),
        data: pageData(page, language),
        body: body(main({ t }, page), icon, script),
      },
      head,
    ),
  );
}

function body(content: Html, icon: string, script: string): Html {
  return html`<header class="site-header">
      <span class="brand"><img src="${icon}" alt="" width="24" height="24">mop</span>
    </header>
    ${content}
    <footer class="site-footer"><p>mop ${VERSION}</p></footer>
    <script type="text/plain" id="worker">${raw(inElement(ASSETS['debugger-worker.js']))}</script>
    <script type="module">${raw(script)}</script>`;
}

/** A script that does not end its element. The escapes do not change its strings. */
function inElement(script = ''): string {
  return script.replace(/<(?=\/script|!--)/gi, '\\x3C');
}

function digestOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
