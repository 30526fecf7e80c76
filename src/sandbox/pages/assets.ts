import type { Assets } from '../../server/pages/assets.ts';
import analysis from './assets/analysis.js?raw';
import answer from './assets/answer.js?raw';
import commands from './assets/commands.js?raw';
import consolePage from './assets/console.js?raw';
import detect from './assets/detect.js?raw';
import fields from './assets/fields.js?raw';
import platform from './assets/platform.js?raw';
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
  'fields.js': fields,
  'platform.js': platform,
  'price.js': price,
  'result.js': result,
  'speech.js': speech,
};

export type ScriptName = keyof typeof SCRIPTS;

export const ASSETS: Assets = { 'site.css': site, ...SCRIPTS };
