import { Hono } from 'hono';
import { trimTrailingSlash } from 'hono/trailing-slash';
import { chooseLanguage } from '../choose-language.ts';
import { type Assets, assetRoutes } from './assets.ts';
import { framed, notFoundPage, type Page, type SiteName } from './frame.ts';
import { methodNotAllowed, PAGE_HEADERS } from './headers.ts';
import { type View, viewOf } from './view.ts';

/**
 * The routes of pages in the frame of a site, and of their assets below `/assets`. A browser gets a
 * page for any other address; a program gets the text `not found`.
 *
 * @param pages By path.
 */
export function siteRoutes(
  site: SiteName,
  pages: Readonly<Record<string, (view: View) => Page>>,
  assets: Assets,
): Hono {
  const routes = new Hono().use(chooseLanguage).use(trimTrailingSlash());
  const headersOf = (view: View, page: Page) => ({
    ...PAGE_HEADERS,
    ...page.headers,
    'Content-Language': view.language,
    Vary: 'Accept-Language',
  });
  for (const [path, render] of Object.entries(pages)) {
    routes
      .get(path, (c) => {
        const view = viewOf(c);
        const page = render(view);
        return c.html(framed(site, view, page), 200, headersOf(view, page));
      })
      .all(path, methodNotAllowed);
  }
  return routes
    .route('/', assetRoutes('/assets', assets))
    .notFound((c) => {
      if (c.req.method !== 'GET' || !c.req.header('accept')?.includes('text/html')) {
        return c.text('not found', 404);
      }
      const view = viewOf(c);
      const page = notFoundPage(site, view);
      return c.html(framed(site, view, page), 404, headersOf(view, page));
    })
    .onError((error) => {
      // The server logs bugs and answers for them.
      throw error;
    });
}
