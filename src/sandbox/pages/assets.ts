import analysis from './assets/analysis.js?raw';
import answer from './assets/answer.js?raw';
import commands from './assets/commands.js?raw';
import consolePage from './assets/console.js?raw';
import detect from './assets/detect.js?raw';
import dom from './assets/dom.js?raw';
import fields from './assets/fields.js?raw';
import icon from './assets/icon.svg?raw';
import price from './assets/price.js?raw';
import result from './assets/result.js?raw';
import site from './assets/site.css?raw';
import speech from './assets/speech.js?raw';

const SCRIPTS = {
  'analysis.js': analysis,
  'answer.js': answer,
  'commands.js': commands,
  'console.js': consolePage,
  'detect.js': detect,
  'dom.js': dom,
  'fields.js': fields,
  'price.js': price,
  'result.js': result,
  'speech.js': speech,
};

export type ScriptName = keyof typeof SCRIPTS;

interface Asset {
  readonly type: string;
  readonly text: string;
}

export const ASSETS: ReadonlyMap<string, Asset> = new Map([
  ['site.css', { type: 'text/css; charset=utf-8', text: site }],
  ['icon.svg', { type: 'image/svg+xml', text: icon }],
  ...Object.entries(SCRIPTS).map(
    ([name, text]) => [name, { type: 'text/javascript; charset=utf-8', text }] as const,
  ),
]);
