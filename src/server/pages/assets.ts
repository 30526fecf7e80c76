import { Hono } from 'hono';
import base from './assets/base.css?raw';
import clipboard from './assets/clipboard.js?raw';
import copyButtons from './assets/copy-buttons.js?raw';
import curl from './assets/curl.js?raw';
import dom from './assets/dom.js?raw';
import icon from './assets/icon.svg?raw';
import jsonView from './assets/json-view.js?raw';
import keep from './assets/keep.js?raw';
import layersStyle from './assets/layers.css?raw';
import layers from './assets/layers.js?raw';
import visible from './assets/visible.js?raw';
import { HEADERS, methodNotAllowed } from './headers.ts';

/** The texts of assets by their name. */
export type Assets = Readonly<Record<string, string>>;

/** The assets that every page may use. */
export const SHARED_ASSETS: Assets = {
  'base.css': base,
  'clipboard.js': clipboard,
  'copy-buttons.js': copyButtons,
  'curl.js': curl,
  'dom.js': dom,
  'icon.svg': icon,
  'json-view.js': jsonView,
  'keep.js': keep,
  'layers.css': layersStyle,
  'layers.js': layers,
  'visible.js': visible,
};

const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

/** A worker has the policy of its script: it may not connect to any server. */
const ISOLATED = { 'Content-Security-Policy': "default-src 'none'" };

/** Serves the assets of a page and the shared ones below a path such as `/assets`. */
export function assetRoutes(path: string, own: Assets): Hono {
  const assets = new Map(Object.entries({ ...SHARED_ASSETS, ...own }));
  return new Hono()
    .get(`${path}/:name`, (c) => {
      const name = c.req.param('name');
      const text = assets.get(name);
      if (text === undefined) return c.notFound();
      const type = TYPES[name.replace(/.*\./, '')] ?? 'text/plain';
      return c.body(text, 200, { ...HEADERS, ...ISOLATED, 'Content-Type': type });
    })
    .all(`${path}/:name`, (c) =>
      assets.has(c.req.param('name')) ? methodNotAllowed(c) : c.notFound(),
    );
}
