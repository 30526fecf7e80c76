import { generate } from '@graphql-codegen/cli';
import { print } from './print.js';

const files = await generate(
  {
    schema: process.argv[2],
    documents: [
      'query Bills($last: Int!) { bills(last: $last) { date rides { nodes { city } } } }',
    ],
    generates: { 'generated/': { preset: 'client' } },
    silent: true,
  },
  false,
);
print(Object.fromEntries(files.map(({ filename, content }) => [filename, content])));
