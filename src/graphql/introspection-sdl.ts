import {
  type IntrospectionDirective,
  type IntrospectionEnumValue,
  type IntrospectionField,
  type IntrospectionInputValue,
  type IntrospectionNamedTypeRef,
  type IntrospectionQuery,
  type IntrospectionSchema,
  type IntrospectionType,
  type IntrospectionTypeRef,
  introspectionTypes,
  Kind,
  print,
  specifiedDirectives,
  specifiedScalarTypes,
} from 'graphql';
import { isPrintableAsBlockString } from 'graphql/language/blockString.js';

/**
 * The SDL of an introspected schema. Defaults keep the text of the server; graphql-js would parse
 * them and lose digits.
 *
 * @throws {TypeError} for a value that is not an introspection.
 */
export function introspectionSdl({ __schema: schema }: IntrospectionQuery): string {
  const builtIn = [...specifiedScalarTypes, ...introspectionTypes].map(({ name }) => name);
  const known = specifiedDirectives.map(({ name }) => name);
  return [
    ...schemaDefinition(schema),
    ...schema.directives.filter(({ name }) => !known.includes(name)).map(directive),
    ...schema.types.filter(({ name }) => !builtIn.includes(name)).map(definition),
  ].join('\n\n');
}

/** The definition of the root types; empty when they have their default names. */
function schemaDefinition(schema: IntrospectionSchema): string[] {
  const { queryType, mutationType, subscriptionType, types, description } = schema;
  const roots = [
    ['query', 'Query', queryType?.name],
    ['mutation', 'Mutation', mutationType?.name],
    ['subscription', 'Subscription', subscriptionType?.name],
  ] as const;
  const isDefault = roots.every(
    ([, usual, name]) => name === usual || (!name && types.every((type) => type.name !== usual)),
  );
  if (isDefault && !description) return [];
  const lines = roots.flatMap(([kind, , name]) => (name ? [`  ${kind}: ${name}`] : []));
  return [`${described(schema)}schema ${block(lines)}`];
}

function definition(type: IntrospectionType): string {
  const head = described(type);
  switch (type.kind) {
    case 'SCALAR': {
      const url = type.specifiedByURL;
      return `${head}scalar ${type.name}${url ? ` @specifiedBy(url: ${quoted(url)})` : ''}`;
    }
    case 'OBJECT':
      return `${head}type ${type.name}${implementing(type.interfaces)} ${block(type.fields.map(field))}`;
    case 'INTERFACE':
      return `${head}interface ${type.name}${implementing(type.interfaces)} ${block(type.fields.map(field))}`;
    case 'UNION':
      return `${head}union ${type.name}${members(type.possibleTypes)}`;
    case 'ENUM':
      return `${head}enum ${type.name} ${block(type.enumValues.map(enumValue))}`;
    case 'INPUT_OBJECT': {
      const oneOf = type.isOneOf ? ' @oneOf' : '';
      return `${head}input ${type.name}${oneOf} ${block(type.inputFields.map(inputValue))}`;
    }
  }
}

function directive({ name, args, isRepeatable, locations, ...rest }: IntrospectionDirective) {
  const repeatable = isRepeatable ? ' repeatable' : '';
  const places = locations.join(' | ');
  return `${described(rest)}directive @${name}${argumentList(args)}${repeatable} on ${places}`;
}

function members(types: readonly IntrospectionNamedTypeRef[]): string {
  return types.length > 0 ? ` = ${types.map(({ name }) => name).join(' | ')}` : '';
}

function implementing(interfaces: readonly IntrospectionNamedTypeRef[] | null = []): string {
  const names = (interfaces ?? []).map(({ name }) => name);
  return names.length > 0 ? ` implements ${names.join(' & ')}` : '';
}

function field({ name, args, type, ...rest }: IntrospectionField): string {
  return `${described(rest)}${name}${argumentList(args)}: ${typeText(type)}${deprecated(rest)}`;
}

function argumentList(args: readonly IntrospectionInputValue[]): string {
  return args.length > 0 ? `(\n${args.map(inputValue).join('\n')}\n)` : '';
}

function inputValue({ name, type, defaultValue, ...rest }: IntrospectionInputValue): string {
  const fallback = defaultValue == null ? '' : ` = ${defaultValue}`;
  return `${described(rest)}${name}: ${typeText(type)}${fallback}${deprecated(rest)}`;
}

function enumValue({ name, ...rest }: IntrospectionEnumValue): string {
  return `${described(rest)}${name}${deprecated(rest)}`;
}

function typeText(type: IntrospectionTypeRef): string {
  if (type.kind === 'LIST') return `[${typeText(type.ofType)}]`;
  return type.kind === 'NON_NULL' ? `${typeText(type.ofType)}!` : type.name;
}

interface Deprecable {
  readonly isDeprecated?: boolean | undefined;
  readonly deprecationReason?: string | null | undefined;
}

function deprecated({ isDeprecated, deprecationReason: reason }: Deprecable): string {
  if (!isDeprecated) return '';
  return reason == null ? ' @deprecated' : ` @deprecated(reason: ${quoted(reason)})`;
}

function described({ description }: { readonly description?: string | null | undefined }): string {
  if (!description) return '';
  // A block string would lose white space of some texts.
  const isBlock = isPrintableAsBlockString(description);
  return `${print({ kind: Kind.STRING, value: description, block: isBlock })}\n`;
}

function quoted(text: string): string {
  return print({ kind: Kind.STRING, value: text });
}

/** Empty braces are invalid SDL. */
function block(lines: readonly string[]): string {
  return lines.length > 0 ? `{\n${lines.join('\n')}\n}` : '';
}
