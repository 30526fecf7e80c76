import {
  type ASTNode,
  type DefinitionNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLSchema,
  isExecutableDefinitionNode,
  Kind,
  NoDeprecatedCustomRule,
  NoUnusedFragmentsRule,
  print,
  Source,
  visit,
} from 'graphql';
import { append } from '../any-length.ts';
import { MopError } from '../errors.ts';
import { type Place, parseSdl, parseSource, placeOf } from './document.ts';
import { findErrors, RULES } from './rules.ts';
import { isEmpty, type NamedText } from './schema.ts';

export interface Finding extends Place {
  readonly message: string;
}

export interface ValidationResult {
  readonly errors: readonly Finding[];
  /** Deprecated elements, and unused fragments. */
  readonly warnings: readonly Finding[];
}

interface ParsedFile {
  readonly name: string;
  readonly definitions: readonly DefinitionNode[];
}

/** Checks documents against a schema. Fragments may be in other files than their operations. */
export function validateFiles(
  files: readonly NamedText[],
  schema: GraphQLSchema,
): ValidationResult {
  const errors = new Findings();
  const warnings = new Findings();
  const parsed: ParsedFile[] = [];
  for (const { name, text, isFound } of files) {
    if (isFound && isEmpty(text)) continue;
    try {
      const { definitions } = isFound ? parseSdl(text, name) : parseSource(new Source(text, name));
      // A file of the schema beside those of operations.
      if (isFound && !definitions.some(isExecutableDefinitionNode)) continue;
      parsed.push({ name, definitions });
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error;
      errors.add([error], name);
    }
  }
  if (parsed.length === 0 && errors.all().length === 0) throw noOperations(files);
  const fragments = fragmentsByName(parsed);
  const used = new Set(parsed.flatMap(({ definitions }) => definitions.flatMap(spreadsIn)));
  for (const { name, definitions } of parsed) {
    const borrowed = borrowedFragments(definitions, fragments);
    const document: DocumentNode = {
      kind: Kind.DOCUMENT,
      definitions: [...definitions, ...borrowed.flatMap(([first]) => first ?? [])],
    };
    const unused = definitions
      .filter(isFragment)
      .filter((fragment) => !used.has(fragment.name.value))
      .map(unusedFragment);
    const hasOperation = definitions.some(({ kind }) => kind === Kind.OPERATION_DEFINITION);
    errors.add(borrowed.filter(({ length }) => length > 1).map(ambiguity(definitions)), name);
    errors.add(findErrors(document, schema, SINGLE_FILE_RULES), name);
    warnings.add(findErrors(document, schema, [NoDeprecatedCustomRule]), name);
    (hasOperation ? errors : warnings).add(unused, name);
  }
  return { errors: errors.all(), warnings: warnings.all() };
}

function noOperations(files: readonly NamedText[]): MopError {
  const names = files.map(({ name }) => name).join(', ');
  return new MopError('usage', `there are no operations and no fragments in ${names}`, {
    hint: 'name the files or the directory of the operations',
  });
}

/** Unused fragments can only be found across all files, which `validateFiles` does. */
const SINGLE_FILE_RULES = RULES.filter((rule) => rule !== NoUnusedFragmentsRule);

/** The findings of all files. A fault in a fragment is found once for each file that uses it. */
class Findings {
  readonly #byPlace = new Map<string, Finding>();

  add(errors: readonly GraphQLError[], file: string): void {
    for (const error of errors) {
      const place = placeOf(error) ?? { file, line: 1, column: 1, excerpt: '' };
      const finding = { ...place, message: error.message };
      this.#byPlace.set(JSON.stringify(finding), finding);
    }
  }

  all(): readonly Finding[] {
    return [...this.#byPlace.values()];
  }
}

type Fragments = ReadonlyMap<string, readonly FragmentDefinitionNode[]>;

/** The fragments of other files that definitions use: all of one name. */
function borrowedFragments(
  definitions: readonly DefinitionNode[],
  fragments: Fragments,
): (readonly FragmentDefinitionNode[])[] {
  const known = new Set(definitions.filter(isFragment).map(({ name }) => name.value));
  const borrowed: (readonly FragmentDefinitionNode[])[] = [];
  const names = definitions.flatMap(spreadsIn);
  // The loop appends the names in each fragment.
  for (const name of names) {
    const choices = fragments.get(name);
    if (known.has(name) || !choices) continue;
    known.add(name);
    borrowed.push(choices);
    append(names, choices.slice(0, 1).flatMap(spreadsIn));
  }
  return borrowed;
}

function fragmentsByName(files: readonly ParsedFile[]): Fragments {
  const byName = new Map<string, FragmentDefinitionNode[]>();
  for (const fragment of files.flatMap(({ definitions }) => definitions.filter(isFragment))) {
    const others = byName.get(fragment.name.value) ?? [];
    // A copy of a fragment in another file has the same meaning.
    const isCopy = others.some((other) => print(other) === print(fragment));
    if (!isCopy) byName.set(fragment.name.value, [...others, fragment]);
  }
  return byName;
}

function isFragment(definition: DefinitionNode): definition is FragmentDefinitionNode {
  return definition.kind === Kind.FRAGMENT_DEFINITION;
}

function spreadsIn(node: ASTNode): string[] {
  const names: string[] = [];
  visit(node, { FragmentSpread: ({ name }) => void names.push(name.value) });
  return names;
}

function unusedFragment(fragment: FragmentDefinitionNode): GraphQLError {
  const message = `Fragment "${fragment.name.value}" is never used.`;
  return new GraphQLError(message, { nodes: fragment });
}

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
