/**
 * A process with two copies of the library: as ES modules, and as CommonJS through a dependency.
 */
import { createRequire } from 'node:module';
import { MopError, parseJson } from 'mop-cli';

const common = createRequire(import.meta.url)('mop-cli');
let error;
try {
  common.signBody('[]', { apiKey: 'k', secret: 's' });
} catch (thrown) {
  error = thrown;
}
const printed = common.printJson(parseJson('{"lat":30.10}'));
console.log(JSON.stringify([error instanceof MopError, error.name, error.code, printed]));
