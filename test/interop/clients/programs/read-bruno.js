/** Prints the requests of a Bruno collection, read by Bruno's own parser. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import lang from '@usebruno/lang';

const [directory] = process.argv.slice(2);
const requests = [];
for (const path of readdirSync(directory, { recursive: true, encoding: 'utf8' }).sort()) {
  if (!path.endsWith('.bru')) continue;
  const text = readFileSync(join(directory, path), 'utf8');
  if (/(collection|folder)\.bru$/.test(path)) lang.collectionBruToJson(text);
  else requests.push(lang.bruToJsonV2(text));
}
console.log(JSON.stringify(requests));
