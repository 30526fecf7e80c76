import { DirectiveLocation } from 'graphql';
import { introspect } from './introspect.js';
import { print } from './print.js';

const schema = await introspect(process.argv[2]);
const locations = schema.getDirectives().flatMap((directive) => directive.locations);

print({
  fields: Object.keys(schema.getQueryType().getFields()),
  unknownLocations: locations.filter((location) => !(location in DirectiveLocation)),
});
