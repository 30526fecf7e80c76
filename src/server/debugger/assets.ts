import type { Assets } from '../pages/assets.ts';
import style from './assets/debugger.css?raw';
import script from './assets/debugger.js?browser';
import worker from './worker.ts?browser';

/** The script of the page and its worker contain their imports: a single file needs them too. */
export const DEBUGGER_ASSETS: Assets = {
  'debugger.css': style,
  'debugger.js': script,
  'debugger-worker.js': worker,
};
