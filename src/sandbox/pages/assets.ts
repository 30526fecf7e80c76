import type { Assets } from '../../server/pages/assets.ts';
import analysis from './assets/analysis.js?raw';
import answer from './assets/answer.js?raw';
import apiDocs from './assets/api-docs.js?raw';
import commands from './assets/commands.js?raw';
import consolePage from './assets/console.js?raw';
import detect from './assets/detect.js?raw';
import exchange from './assets/exchange.js?raw';
import fields from './assets/fields.js?raw';
import price from './assets/price.js?raw';
import result from './assets/result.js?raw';
import site from './assets/site.css?raw';
import speech from './assets/speech.js?raw';

export const ASSETS: Assets = {
  'analysis.js': analysis,
  'answer.js': answer,
  'api-docs.js': apiDocs,
  'commands.js': commands,
  'console.js': consolePage,
  'detect.js': detect,
  'exchange.js': exchange,
  'fields.js': fields,
  'price.js': price,
  'result.js': result,
  'speech.js': speech,
  'site.css': site,
};
