import type { Assets } from '../pages/assets.ts';
import copies from './assets/copies.js?raw';
import details from './assets/details.js?raw';
import layersStyle from './assets/layers.css?raw';
import layers from './assets/layers.js?raw';
import style from './assets/requests.css?raw';
import requests from './assets/requests.js?raw';
import verdict from './assets/verdict.js?raw';
import visible from './assets/visible.js?raw';

export const REQUEST_ASSETS: Assets = {
  'copies.js': copies,
  'details.js': details,
  'layers.css': layersStyle,
  'layers.js': layers,
  'requests.css': style,
  'requests.js': requests,
  'verdict.js': verdict,
  'visible.js': visible,
};
