import { MopError } from '../../../errors.ts';
import { type SchemaChange, type SchemaChanges, schemaChanges } from '../../../graphql/changes.ts';
import { loadSchema, printSchemaRequests, schemaOriginOf } from '../../clients/schema-source.ts';
import type { Context } from '../../context/context.ts';
import { printThenFail } from '../../context/failures.ts';
import { visibleLine } from '../../context/visible-text.ts';
import type { Call } from '../../frame/command.ts';
import type { GqlOptions } from './gql-options.ts';

export async function run({
  args: [before, after],
  options,
  context,
}: Call<Pick<GqlOptions, 'header' | 'assumeValidSchema'>, [string, string]>): Promise<void> {
  const older = { ...options, from: schemaOriginOf(before, context) };
  const newer = { ...options, from: schemaOriginOf(after, context) };
  if (context.globals.dryRun && (await printSchemaRequests([older, newer], context))) return;
  const { schema: old } = await loadSchema(older, context);
  const { schema: current } = await loadSchema(newer, context);
  const changes = schemaChanges(old, current);
  await printThenFail(print(changes, context), failureOf(changes));
}

function failureOf({ breaking }: SchemaChanges): MopError | undefined {
  const [first, ...others] = breaking;
  if (!first) return undefined;
  const message = others.length > 0 ? `${breaking.length} breaking changes` : 'a breaking change';
  return new MopError('graphql', message, {
    hint: 'deprecate a field or value first, and remove it once clients no longer use it',
  });
}

async function print(changes: SchemaChanges, { output }: Context): Promise<void> {
  if (output.json) return output.document(changes);
  if (output.quiet) return;
  const style = output.styles('stdout');
  const line = (kind: string) => (change: SchemaChange) =>
    `${kind}  ${visibleLine(change.description)}`;
  const lines = [
    ...changes.breaking.map(line(style.red('breaking '))),
    ...changes.dangerous.map(line(style.yellow('dangerous'))),
  ];
  if (lines.length > 0) return output.data(lines.join('\n'));
  output.note('no breaking or dangerous changes');
}
