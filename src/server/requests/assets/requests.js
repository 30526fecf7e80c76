import { byId, make } from './dom.js';

new EventSource('/requests/events').addEventListener('message', ({ data }) => {
  byId('rows', HTMLElement).prepend(make('li', {}, data));
});
