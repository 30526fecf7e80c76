import type { OpenAPIV3_1 as OpenApi } from 'openapi-types';

export type Schema = OpenApi.SchemaObject | OpenApi.ReferenceObject;

type ComponentKind = 'schemas' | 'responses' | 'headers';

/** A reference to a component of the document. */
export function ref(kind: ComponentKind, name: string): OpenApi.ReferenceObject {
  return { $ref: `#/components/${kind}/${name}` };
}

export function string(description: string, limits: OpenApi.SchemaObject = {}): Schema {
  return { type: 'string', ...limits, description };
}

/** A number from `-limit` to `limit`. */
export function number(description: string, limit: number): Schema {
  return { type: 'number', minimum: -limit, maximum: limit, description };
}

/** A text of one to `maxLength` characters. */
export function text(description: string, maxLength?: number): Schema {
  return string(description, { minLength: 1, ...(maxLength !== undefined && { maxLength }) });
}

export function object(
  description: string,
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[] = [],
): OpenApi.SchemaObject {
  return {
    type: 'object',
    description,
    ...(required.length > 0 && { required: [...required] }),
    properties: { ...properties },
  };
}

/** An integer with these values. The description lists their meanings in Markdown. */
export function choices(
  description: string,
  members: readonly { readonly value: number; readonly meaning: string }[],
): Schema {
  const meanings = members.map(({ value, meaning }) => `- \`${value}\`: ${meaning}`);
  return {
    type: 'integer',
    enum: members.map(({ value }) => value),
    description: `${description}\n\n${meanings.join('\n')}`,
  };
}
