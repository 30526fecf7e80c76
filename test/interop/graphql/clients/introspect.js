import { buildClientSchema, getIntrospectionQuery } from 'graphql';

/** Requests the schema of an endpoint, with all that graphql-js 16 can request. */
export async function introspect(endpoint) {
  const query = getIntrospectionQuery({
    directiveIsRepeatable: true,
    inputValueDeprecation: true,
    oneOf: true,
    schemaDescription: true,
    specifiedByUrl: true,
  });
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  return buildClientSchema((await response.json()).data);
}
