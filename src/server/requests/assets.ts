import type { Assets } from '../pages/assets.ts';
import requests from './assets/requests.js?raw';

export const REQUEST_ASSETS: Assets = { 'requests.js': requests };
