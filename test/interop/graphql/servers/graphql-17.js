/** Makes every package of the process import graphql 17 instead of graphql 16. */
import Module, { createRequire, register } from 'node:module';

const file = createRequire(import.meta.url).resolve('graphql-17');

const hook = `export const resolve = (name, context, next) =>
  next(name === 'graphql' ? ${JSON.stringify(file)} : name, context);`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);

const resolveFilename = Module._resolveFilename;
Module._resolveFilename = (name, ...rest) =>
  resolveFilename(name === 'graphql' ? file : name, ...rest);
