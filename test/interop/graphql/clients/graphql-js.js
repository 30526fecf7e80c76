import { buildClientSchema, DirectiveLocation, getIntrospectionQuery } from 'graphql';
import { print } from './print.js';

const response = await fetch(process.argv[2], {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({
    query: getIntrospectionQuery({
      directiveIsRepeatable: true,
      inputValueDeprecation: true,
      oneOf: true,
      schemaDescription: true,
      specifiedByUrl: true,
    }),
  }),
});
const schema = buildClientSchema((await response.json()).data);
const locations = schema.getDirectives().flatMap((directive) => directive.locations);

print({
  fields: Object.keys(schema.getQueryType().getFields()),
  unknownLocations: locations.filter((location) => !(location in DirectiveLocation)),
});
