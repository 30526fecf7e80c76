import {
  type ASTNode,
  type DefinitionNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  NoDeprecatedCustomRule,
  NoUnusedFragmentsRule,
  Source,
  specifiedRules,
  validate,
  visit,
} from 'graphql';
import { type Place, parseSource, placeOf } from './document.ts';

/** A file of documents. */
export interface DocumentFile {
  readonly name: string;
  readonly text: string;
}

/** Something that is wrong with a document, or that will be. */
export interface Finding extends Place {
  readonly message: string;
}

export interface ValidationResult {
  readonly errors: readonly Finding[];
  /** What is deprecated, and fragments that nobody uses. */
  readonly warnings: readonly Finding[];
}

interface ParsedFile {
  readonly name: string;
  readonly definitions: readonly DefinitionNode[];
}

/**
 * Checks documents against a schema. Fragments may live in other files than the operations that
 * use them. Nothing is thrown for a document: a syntax error is one of the errors.
 */
export function validateFiles(
  files: readonly DocumentFile[],
  schema: GraphQLSchema,
): ValidationResult {
  const syntaxErrors: Finding[] = [];
  const parsed = files.flatMap(({ name, text }): ParsedFile[] => {
    try {
      return [{ name, definitions: parseSource(new Source(text, name)).definitions }];
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error;
      syntaxErrors.push(asFinding(error, name));
      return [];
    }
  });
  const fragments = fragmentsByName(parsed);
  const used = new Set(parsed.flatMap(({ definitions }) => definitions.flatMap(spreadsIn)));
  const found = parsed.map((file) => validateFile(file, fragments, used, schema));
  return {
    errors: [...syntaxErrors, ...found.flatMap(({ errors }) => errors)],
    warnings: found.flatMap(({ warnings }) => warnings),
  };
}

type Fragments = ReadonlyMap<string, readonly FragmentDefinitionNode[]>;

function validateFile(
  { name, definitions }: ParsedFile,
  fragments: Fragments,
  used: ReadonlySet<string>,
  schema: GraphQLSchema,
): ValidationResult {
  const borrowed = borrowedFragments(definitions, fragments);
  const document = asDocument([...definitions, ...borrowed.flatMap(([first]) => first ?? [])]);
  // What is wrong with a borrowed fragment is said of its own file.
  const own = (errors: readonly GraphQLError[]): Finding[] =>
    errors.map((error) => asFinding(error, name)).filter(({ file }) => file === name);
  const unused = definitions
    .filter((definition) => isFragment(definition) && !used.has(definition.name.value))
    .map(unusedFragment);
  const hasOperation = definitions.some(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  return {
    errors: own([
      ...borrowed.filter(({ length }) => length > 1).map(ambiguity(definitions)),
      ...validate(schema, document, RULES),
      ...(hasOperation ? unused : []),
    ]),
    warnings: own([
      ...validate(schema, document, [NoDeprecatedCustomRule]),
      ...(hasOperation ? [] : unused),
    ]),
  };
}

/** Whether a fragment is used is a question to all files, and answered here. */
const RULES = specifiedRules.filter((rule) => rule !== NoUnusedFragmentsRule);

/** The fragments of other files that definitions need, each with all that bear its name. */
function borrowedFragments(
  definitions: readonly DefinitionNode[],
  fragments: Fragments,
): (readonly FragmentDefinitionNode[])[] {
  const known = new Set(definitions.filter(isFragment).map(({ name }) => name.value));
  const borrowed: (readonly FragmentDefinitionNode[])[] = [];
  const follow = (nodes: readonly ASTNode[]): void => {
    for (const name of nodes.flatMap(spreadsIn)) {
      const choices = fragments.get(name);
      if (known.has(name) || !choices) continue;
      known.add(name);
      borrowed.push(choices);
      follow(choices.slice(0, 1));
    }
  };
  follow(definitions);
  return borrowed;
}

function fragmentsByName(files: readonly ParsedFile[]): Fragments {
  const byName = new Map<string, FragmentDefinitionNode[]>();
  for (const fragment of files.flatMap(({ definitions }) => definitions.filter(isFragment))) {
    byName.set(fragment.name.value, [...(byName.get(fragment.name.value) ?? []), fragment]);
  }
  return byName;
}

function isFragment(definition: DefinitionNode): definition is FragmentDefinitionNode {
  return definition.kind === Kind.FRAGMENT_DEFINITION;
}

/** The names of the fragments that a definition spreads. */
function spreadsIn(node: ASTNode): string[] {
  const names: string[] = [];
  visit(node, { FragmentSpread: ({ name }) => void names.push(name.value) });
  return names;
}

function asDocument(definitions: readonly DefinitionNode[]): DocumentNode {
  return { kind: Kind.DOCUMENT, definitions };
}

function unusedFragment(fragment: DefinitionNode): GraphQLError {
  const name = isFragment(fragment) ? fragment.name.value : '';
  return new GraphQLError(`Fragment "${name}" is used nowhere.`, { nodes: fragment });
}

/** The error of a file that uses a fragment of which other files have several. */
function ambiguity(definitions: readonly DefinitionNode[]) {
  return (choices: readonly FragmentDefinitionNode[]): GraphQLError => {
    const name = choices[0]?.name.value ?? '';
    const files = choices.map(({ loc }) => loc?.source.name).join(' and ');
    const user = definitions.find((definition) => spreadsIn(definition).includes(name));
    return new GraphQLError(`Fragment "${name}" is defined in ${files}.`, {
      nodes: user ?? definitions,
    });
  };
}

function asFinding(error: GraphQLError, file: string): Finding {
  const place = placeOf(error) ?? { file, line: 1, column: 1, excerpt: '' };
  return { ...place, message: error.message };
}
