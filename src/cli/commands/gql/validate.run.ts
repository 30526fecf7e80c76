import { MopError } from '../../../errors.ts';
import { type Finding, type ValidationResult, validateFiles } from '../../../graphql/validation.ts';
import { type GraphqlProject, graphqlProject } from '../../clients/graphql-config.ts';
import { graphqlTexts } from '../../clients/graphql-files.ts';
import {
  documentHint,
  loadSchema,
  printSchemaRequests,
  projectOrigins,
  schemaOriginsOf,
} from '../../clients/schema-source.ts';
import type { Context } from '../../context/context.ts';
import { printThenFail } from '../../context/failures.ts';
import { visibleLine } from '../../context/visible-text.ts';
import type { Call } from '../../frame/command.ts';
import type { EndpointOptions, SchemaOptions } from './gql-options.ts';

export async function run({
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
  await printThenFail(print(result, context), invalid(result, documentHint(from)));
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

async function print({ errors, warnings }: ValidationResult, { output }: Context): Promise<void> {
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
  const text = (finding: Finding, kind: string): string => {
    const { file, line, column, message, excerpt } = finding;
    const place = style.bold(visibleLine(`${file}:${line}:${column}`));
    const lines = excerpt === '' ? [] : excerpt.split('\n').map((each) => `  ${visibleLine(each)}`);
    return [`${place}: ${kind}: ${visibleLine(message)}`, ...lines].join('\n');
  };
  const findings = [
    ...errors.map((error) => text(error, style.red('error'))),
    ...warnings.map((warning) => text(warning, style.yellow('warning'))),
  ];
  if (findings.length > 0) return output.data(findings.join('\n\n'));
  output.note('valid');
}
