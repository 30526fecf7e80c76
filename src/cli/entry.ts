/** What `bin/mop.js` needs of the bundle. */
export { processIo } from './io.ts';
export { main } from './main.ts';
