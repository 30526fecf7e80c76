import fc from 'fast-check';

/** The separator of interfaces: `,` in D3, or `&`. It occurs nowhere else in a schema. */
export const SEPARATOR = '\u0001';

/** The schema in the notation of D3. */
export const commaForm = (schema: string): string => schema.replaceAll(SEPARATOR, ',');
/** The schema in GraphQL. */
export const ampersandForm = (schema: string): string => schema.replaceAll(SEPARATOR, '&');

const blank = fc.constantFrom(
  ' ',
  ' ',
  ' ',
  '\n',
  '\r\n',
  '\r',
  '\t',
  '\ufeff',
  ' , ',
  '# a, implements B, C\n',
);
const gap = fc.oneof(fc.constant(''), blank);
/** Without keywords of operations: the text would be read as an executable document. */
const NAMES = ['A', 'B', 'Node', '_', 'implements', 'on', 'null', 'repeatable', 'x1', 'Interface'];
const name = fc.constantFrom(...NAMES);
const string = fc.constantFrom(
  '"a, b"',
  '"type X implements A, B"',
  '"""\n type X implements A, B {\n"""',
  '"\\"implements A, B"',
  '"""\\""" , type T implements A, B"""',
  '""',
);
const directive = fc
  .constantFrom(
    '@d',
    '@implements',
    '@d(a: 1, b: [2, 3])',
    '@d(t: "type X implements A, B")',
    '@d(o: {type: X, implements: A, B: 1})',
  )
  .map((text) => ` ${text} `);
const directives = fc.oneof(
  { weight: 3, arbitrary: fc.constant(' ') },
  directive,
  fc.tuple(directive, directive).map(joined),
);
const description = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  string.map((text) => `${text} `),
);

function joined(parts: readonly string[]): string {
  return parts.join('');
}

/** ` implements A, B`, with all possible separators. */
const interfaces = fc
  .tuple(
    fc.constantFrom('', '', '& '),
    fc.array(fc.tuple(name, gap, gap), { minLength: 1, maxLength: 5 }),
  )
  .map(([first, list]) => {
    const [[only] = [], ...more] = list;
    const rest = more.map(([name, before, behind]) => `${before}${SEPARATOR}${behind}${name}`);
    return ` implements ${first}${only}${rest.join('')} `;
  });

const type = fc.constantFrom('Int', '[A!]!', 'implements', 'type');
const argument = fc
  .tuple(description, name, type, fc.constantFrom('', ' = 1', ' = [1, 2]', ' = {type: A}'))
  .map(([text, name, type, value]) => `${text}${name}: ${type}${value}`);
const field = fc
  .tuple(
    description,
    fc.oneof(name, fc.constantFrom('type', 'interface')),
    fc.array(argument, { maxLength: 2 }),
    type,
    directives,
  )
  .map(
    ([text, name, list, type, directives]) =>
      `${text}${name}${list.length > 0 ? `(${list.join(', ')})` : ''}: ${type}${directives}`,
  );
const fields = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .tuple(fc.array(field, { minLength: 1, maxLength: 3 }), fc.constantFrom(', ', '\n', ' '))
      .map(([list, between]) => `{ ${list.join(between)} }`),
  },
  fc.constant(''),
);
const listed = fc
  .tuple(
    description,
    fc.constantFrom('type', 'interface', 'extend type', 'extend interface'),
    name,
    interfaces,
    directives,
    fields,
  )
  .map(
    ([text, kind, name, list, directives, fields]) =>
      `${kind.startsWith('extend') ? '' : text}${kind} ${name}${list}${directives}${fields}`,
  );
const other = fc.oneof(
  fc
    .tuple(
      description,
      fc.constantFrom(
        'scalar S',
        'union U = type | A | implements',
        'enum E { type, X, implements, A, B }',
        'input I { type: Int, implements: [Int] = [1, 2] }',
        'directive @d(type: Int, implements: Int) on OBJECT | FIELD',
        'type T { a: Int, b: Int }',
        'interface T @d { implements: Int, a: Int }',
      ),
    )
    .map(joined),
  fc.constantFrom(
    'extend scalar S @d',
    'extend union U = A',
    'extend enum E { A, B }',
    'query { type implements, A }',
    'query Q { type implements(A: 1, B: 2), interface }',
    'fragment implements on A { b, c }',
  ),
);
/** Needs its own line: otherwise its keyword could be read as an interface of the preceding list. */
const schemaDefinition = fc.constantFrom(
  'schema { query: A, mutation: B }',
  'extend schema @d',
  'directive @d on OBJECT',
);

/** Documents that are valid in both notations. */
export const randomSchema: fc.Arbitrary<string> = fc
  .tuple(
    gap,
    fc.array(
      fc.oneof(
        { weight: 5, arbitrary: listed },
        { weight: 3, arbitrary: other },
        schemaDefinition.map((text) => `\n${text}`),
      ),
      { minLength: 1, maxLength: 6 },
    ),
    fc.constantFrom('\n', ' ', '\r\n\r\n', '\n# type X implements A, B\n', '\ufeff\n'),
  )
  .map(([start, definitions, between]) => start + definitions.join(between));
