import { preset } from '@graphql-codegen/client-preset';
import { codegen } from '@graphql-codegen/core';
import { parse, printSchema } from 'graphql';
import { introspect } from './introspect.js';
import { print } from './print.js';

const rawSDL = 'query Bills($last: Int!) { bills(last: $last) { date rides { nodes { city } } } }';
const schemaAst = await introspect(process.argv[2]);
const outputs = await preset.buildGeneratesSection({
  baseOutputDir: 'generated/',
  schema: parse(printSchema(schemaAst)),
  schemaAst,
  documents: [{ location: 'bills.graphql', document: parse(rawSDL), rawSDL }],
  config: {},
  presetConfig: {},
  plugins: [],
  pluginMap: {},
});
const files = {};
for (const output of outputs) files[output.filename] = await codegen(output);
print(files);
