import { type GraphQLSchema, print } from 'graphql';
import { MopError } from '../../../errors.ts';
import { type SchemaChanges, schemaChanges } from '../../../graphql/changes.ts';
import { schemaIntrospection } from '../../../graphql/introspection.ts';
import { assertValid } from '../../../graphql/rules.ts';
import { type Finding, type ValidationResult, validateFiles } from '../../../graphql/validation.ts';
import { type GraphqlProject, graphqlProject } from '../../clients/graphql-config.ts';
import { graphqlTexts } from '../../clients/graphql-files.ts';
import type { Endpoint } from '../../clients/open-graphql.ts';
import {
  DOCUMENT_HINT,
  isEndpoint,
  loadSchema,
  printSchemaRequests,
  projectOrigins,
  schemaOriginsOf,
} from '../../clients/schema-source.ts';
import type { Context } from '../../context/context.ts';
import { printThenFail } from '../../context/failures.ts';
import { visibleLine } from '../../context/visible-text.ts';
import type { Call } from '../../frame/command.ts';
import type { EndpointOptions, GqlOptions, SchemaOptions } from './gql-options.ts';
import type { SelectedOperation } from './read-operation.ts';

type SchemaCommandOptions = Pick<GqlOptions, 'endpoint' | 'header' | 'assumeValidSchema'> & {
  readonly as?: 'sdl' | 'json';
};

export async function schema({
  args: [source],
  options: { as, ...options },
  context,
}: Call<SchemaCommandOptions, [string | undefined]>): Promise<void> {
  const { output } = context;
  const sources = source === undefined ? undefined : [source];
  const from = schemaOriginsOf(sources, context, options.endpoint, 'FILE-OR-URL');
  const taken = { ...options, from };
  if (context.globals.dryRun && (await printSchemaRequests([taken], context))) return;
  const { schema, document } = await loadSchema(taken, context);
  if (as === 'json' || (output.json && as === undefined)) {
    return output.document(schemaIntrospection(schema));
  }
  const sdl = print(document);
  await output.result(sdl, sdl);
}

export async function validate({
  args: [files],
  options,
  context,
}: Call<EndpointOptions & SchemaOptions, [readonly string[]]>): Promise<void> {
  const { globals, io } = context;
  // An environment on the command line names an endpoint.
  const isSchemaGiven = (options.schema ?? options.endpoint ?? globals.env) !== undefined;
  const isProjectNeeded = files.length === 0 || !isSchemaGiven;
  const project = isProjectNeeded ? await graphqlProject(context) : undefined;
  const named = files.length > 0 ? files : (project?.documents ?? []);
  if (named.length === 0) throw noDocuments(project);
  const documents = await graphqlTexts(named, io);
  const ofProject = isSchemaGiven ? undefined : projectOrigins(project, context, options.header);
  const from = ofProject ?? schemaOriginsOf(options.schema, context, options.endpoint);
  const taken = { ...options, from, isCached: true };
  if (globals.dryRun && (await printSchemaRequests([taken], context))) return;
  const { schema } = await loadSchema(taken, context);
  const result = validateFiles(documents, schema);
  await printThenFail(printFindings(result, context), invalid(result, DOCUMENT_HINT));
}

function noDocuments(project: GraphqlProject | undefined): MopError {
  const where = project ? `: ${project.file} names none` : '';
  return new MopError('usage', `no documents to validate${where}`, {
    hint: 'name files: mop gql validate FILE… --schema FILE; or name them in .graphqlrc as "documents"',
  });
}

function invalid({ errors }: ValidationResult, hint: string): MopError | undefined {
  if (errors.length === 0) return undefined;
  const files = new Set(errors.map(({ file }) => file));
  const where = files.size === 1 ? [...files].join() : `${files.size} files`;
  const count = errors.length === 1 ? '1 error' : `${errors.length} errors`;
  return new MopError('graphql', `${count} in ${where}`, { hint });
}

async function printFindings(
  { errors, warnings }: ValidationResult,
  { output }: Context,
): Promise<void> {
  if (output.json) {
    const shown = ({ excerpt: _, ...finding }: Finding) => finding;
    return output.document({
      valid: errors.length === 0,
      errors: errors.map(shown),
      warnings: warnings.map(shown),
    });
  }
  if (output.quiet) return;
  const style = output.styles('stdout');
  const shown = (finding: Finding, kind: string): string => {
    const { file, line, column, message, excerpt } = finding;
    const place = style.bold(visibleLine(`${file}:${line}:${column}`));
    const lines = excerpt === '' ? [] : excerpt.split('\n').map((each) => `  ${visibleLine(each)}`);
    const colon = output.label(':', String);
    const text = place + colon + kind + colon + output.translated(visibleLine(message));
    return [text, ...lines].join('\n');
  };
  const findings = [
    ...errors.map((error) => shown(error, style.red(output.word('error')))),
    ...warnings.map((warning) => shown(warning, style.yellow(output.word('warning')))),
  ];
  if (findings.length > 0) return output.data(findings.join('\n\n'));
  output.note('valid');
}

interface DiffOptions extends Pick<GqlOptions, 'header' | 'assumeValidSchema'> {
  readonly allowDeprecatedRemoval?: boolean;
}

export async function diff({
  args: [before, after],
  options,
  context,
}: Call<DiffOptions, [string, string]>): Promise<void> {
  const older = { ...options, forClients: true, from: schemaOriginsOf([before], context) };
  const newer = { ...options, forClients: true, from: schemaOriginsOf([after], context) };
  if (context.globals.dryRun && (await printSchemaRequests([older, newer], context))) return;
  const old = await loadSchema(older, context);
  const changes = schemaChanges(old, await loadSchema(newer, context));
  await printThenFail(printChanges(changes, context), failureOf(changes, options));
}

function failureOf(
  { breaking, deprecatedRemovals }: SchemaChanges,
  { allowDeprecatedRemoval }: DiffOptions,
): MopError | undefined {
  const removals = allowDeprecatedRemoval ? [] : deprecatedRemovals;
  const count = breaking.length + removals.length;
  if (count === 0) return undefined;
  const message = count > 1 ? `${count} breaking changes` : 'a breaking change';
  return new MopError('graphql', message, {
    hint: 'deprecate a field first; --allow-deprecated-removal accepts the removal of deprecated ones',
  });
}

async function printChanges(changes: SchemaChanges, { output }: Context): Promise<void> {
  const { breaking, deprecatedRemovals, dangerous, informational, notCompared } = changes;
  if (notCompared.length > 0) {
    output.note(`not compared, because the introspection omits them: ${notCompared.join(', ')}`);
  }
  if (output.json) {
    const named = { breaking, deprecated_removals: deprecatedRemovals, dangerous, informational };
    const omitted = notCompared.length > 0 && { not_compared: notCompared };
    return output.document({ ...named, ...omitted });
  }
  if (output.quiet) return;
  const style = output.styles('stdout');
  const groups = [
    ['breaking', breaking, style.red],
    ['deprecated', deprecatedRemovals, style.red],
    ['dangerous', dangerous, style.yellow],
    ['info', informational, style.dim],
  ] as const;
  const width = deprecatedRemovals.length > 0 ? 'deprecated'.length : 'dangerous'.length;
  const lines = groups.flatMap(([kind, found, paint]) =>
    found.map(({ description }) => `${paint(kind.padEnd(width))}  ${visibleLine(description)}`),
  );
  if (lines.length > 0) return output.text(lines.join('\n'));
  output.note('no breaking or dangerous changes');
}

/**
 * The schema of `--schema`, with which the document has been checked. With `--dry-run`, a schema is
 * not fetched, and the result is undefined.
 */
export async function checkedSchema(
  { document, name }: SelectedOperation,
  endpoint: Endpoint,
  { schema: source, ...options }: GqlOptions,
  context: Context,
): Promise<GraphQLSchema | undefined> {
  const from = schemaOriginsOf(source, context);
  const endpoints = from.filter(isEndpoint);
  if (context.globals.dryRun && endpoints.length > 0) return undefined;
  const hosts = [...endpoints, endpoint].map(
    (each) => 'address' in each && new URL(each.address).host,
  );
  // Never send a credential of the endpoint to another host.
  const header = new Set(hosts).size === 1 ? options.header : [];
  const { schema } = await loadSchema({ ...options, from, header, isCached: true }, context);
  assertValid(document, schema, name, DOCUMENT_HINT);
  return schema;
}
