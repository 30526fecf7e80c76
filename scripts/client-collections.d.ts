/** The types of client-collections.js. */
import type { OpenAPIV3_1 as OpenApi } from 'openapi-types';

export const VARIABLES: { readonly server: string; readonly billDate: string };

export function clientFiles(
  document: OpenApi.Document,
  proxy: string,
): Readonly<Record<string, string>>;
