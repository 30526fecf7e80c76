import { MopError, own, quoted } from '../../../errors.ts';
import {
  type DocumentFile,
  type Finding,
  type ValidationResult,
  validateFiles,
} from '../../../graphql/validation.ts';
import {
  loadSchema,
  printSchemaRequests,
  REFRESH,
  schemaOriginOf,
} from '../../clients/schema-source.ts';
import type { Context } from '../../context/context.ts';
import { printThenFail } from '../../context/failures.ts';
import { argumentText } from '../../context/input.ts';
import { visibleLine } from '../../context/visible-text.ts';
import type { Call } from '../../frame/command.ts';
import type { EndpointOptions, SchemaOptions } from './gql-options.ts';

export async function run({
  args: [files],
  options,
  context,
}: Call<EndpointOptions & SchemaOptions, [readonly string[]]>): Promise<void> {
  const documents = await readDocuments(files, context);
  const from = schemaOriginOf(options.schema, context, options.endpoint);
  const taken = { ...options, from, isCached: true };
  if (context.globals.dryRun && (await printSchemaRequests([taken], context))) return;
  const { schema } = await loadSchema(taken, context);
  const result = validateFiles(documents, schema);
  const refresh = 'file' in from ? '' : `; ${REFRESH}`;
  const failure = invalid(result, quoted`mop gql help explains the language${own(refresh)}`);
  await printThenFail(print(result, context), failure);
}

/** Reads each file once, even if it is given several times. */
async function readDocuments(files: readonly string[], { io }: Context): Promise<DocumentFile[]> {
  const documents: DocumentFile[] = [];
  for (const file of new Set(files)) {
    const name = file === '-' ? 'stdin' : file;
    documents.push({ name, text: await argumentText(`@${file}`, io) });
  }
  return documents;
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
