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
  visit,
} from 'graphql';
import { append } from '../any-length.ts';
import { type Place, parseSource, placeOf } from './document.ts';
import { findErrors, RULES } from './rules.ts';

export interface DocumentFile {
  readonly name: string;
  readonly text: string;
}

/** An error or a warning about a document. */
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

/**
 * Checks documents against a schema. Fragments may be in other files than the operations that use
 * them. A syntax error is returned as an error, not thrown.
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
  const checked = parsed.map((file) => checkFile(file, fragments, used, schema));
  const reported = new Set(
    checked.flatMap(({ file, errors }) => errors.filter((error) => isOf(file, error)).map(keyOf)),
  );
  return {
    errors: [
      ...syntaxErrors,
      ...checked.flatMap(({ file, errors }) =>
        errors.flatMap((error) => ownFinding(error, file, reported)),
      ),
    ],
    warnings: checked.flatMap(({ file, warnings }) =>
      warnings
        .filter((warning) => isOf(file, warning))
        .map((warning) => asFinding(warning, file.name)),
    ),
  };
}

type Fragments = ReadonlyMap<string, readonly FragmentDefinitionNode[]>;

/** The errors of a file and the fragments that it uses from other files. */
function checkFile(
  file: ParsedFile,
  fragments: Fragments,
  used: ReadonlySet<string>,
  schema: GraphQLSchema,
) {
  const { definitions } = file;
  const borrowed = borrowedFragments(definitions, fragments);
  const document: DocumentNode = {
    kind: Kind.DOCUMENT,
    definitions: [...definitions, ...borrowed.flatMap(([first]) => first ?? [])],
  };
  const unused = definitions
    .filter(isFragment)
    .filter(({ name }) => !used.has(name.value))
    .map(unusedFragment);
  const hasOperation = definitions.some(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  return {
    file,
    errors: [
      ...borrowed.filter(({ length }) => length > 1).map(ambiguity(definitions)),
      ...findErrors(document, schema, SINGLE_FILE_RULES),
      ...(hasOperation ? unused : []),
    ],
    warnings: [
      ...findErrors(document, schema, [NoDeprecatedCustomRule]),
      ...(hasOperation ? [] : unused),
    ],
  };
}

/** Unused fragments can only be found across all files, which `validateFiles` does. */
const SINGLE_FILE_RULES = RULES.filter((rule) => rule !== NoUnusedFragmentsRule);

/**
 * The finding of an error in this file; none for an error in a borrowed fragment, which the
 * fragment's own file reports.
 */
function ownFinding(
  error: GraphQLError,
  file: ParsedFile,
  reported: ReadonlySet<string>,
): readonly Finding[] {
  if (isOf(file, error)) return [asFinding(error, file.name)];
  if (reported.has(keyOf(error))) return [];
  // The operation and the fragment cause it together: for example an undeclared variable.
  const isHere = (node: ASTNode): boolean => node.loc?.source.name === file.name;
  const operation = file.definitions.find(({ kind }) => kind === Kind.OPERATION_DEFINITION);
  const nodes = error.nodes?.find(isHere) ?? operation ?? file.definitions;
  return [asFinding(new GraphQLError(error.message, { nodes }), file.name)];
}

function isOf({ name }: ParsedFile, { source }: GraphQLError): boolean {
  return source === undefined || source.name === name;
}

function keyOf({ message, source, positions }: GraphQLError): string {
  return JSON.stringify([source?.name, positions, message]);
}

/**
 * The fragments of other files that definitions use; for a name with several fragments, all of
 * them.
 */
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
    byName.set(fragment.name.value, [...(byName.get(fragment.name.value) ?? []), fragment]);
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

/** The error for a fragment that several other files define. */
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
