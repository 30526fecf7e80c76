import type { Assets } from '../pages/assets.ts';
import copies from './assets/copies.js?raw';
import details from './assets/details.js?raw';
import style from './assets/requests.css?raw';
import requests from './assets/requests.js?raw';
import verdict from './assets/verdict.js?raw';

export const REQUEST_ASSETS: Assets = {
  'copies.js': copies,
  'details.js': details,
  'requests.css': style,
  'requests.js': requests,
  'verdict.js': verdict,
};
