import { MopError } from '../../../errors.ts';
import { type SchemaChanges, schemaChanges } from '../../../graphql/changes.ts';
import { loadSchema, printSchemaRequests, schemaOriginsOf } from '../../clients/schema-source.ts';
import type { Context } from '../../context/context.ts';
import { printThenFail } from '../../context/failures.ts';
import { visibleLine } from '../../context/visible-text.ts';
import type { Call } from '../../frame/command.ts';
import type { GqlOptions } from './gql-options.ts';

interface DiffOptions extends Pick<GqlOptions, 'header' | 'assumeValidSchema'> {
  readonly allowDeprecatedRemoval?: boolean;
}

export async function run({
  args: [before, after],
  options,
  context,
}: Call<DiffOptions, [string, string]>): Promise<void> {
  const older = { ...options, forClients: true, from: schemaOriginsOf([before], context) };
  const newer = { ...options, forClients: true, from: schemaOriginsOf([after], context) };
  if (context.globals.dryRun && (await printSchemaRequests([older, newer], context))) return;
  const old = await loadSchema(older, context);
  const changes = schemaChanges(old, await loadSchema(newer, context));
  await printThenFail(print(changes, context), failureOf(changes, options));
}

function failureOf(
  { breaking, deprecatedRemovals }: SchemaChanges,
  { allowDeprecatedRemoval }: DiffOptions,
): MopError | undefined {
  const removals = allowDeprecatedRemoval ? [] : deprecatedRemovals;
  const count = breaking.length + removals.length;
  if (count === 0) return undefined;
  const message = count > 1 ? `${count} breaking changes` : 'a breaking change';
  const hint =
    breaking.length > 0
      ? 'deprecate a field or value first, and remove it once clients no longer use it'
      : '--allow-deprecated-removal accepts the removal of fields that were deprecated';
  return new MopError('graphql', message, { hint });
}

async function print(changes: SchemaChanges, { output }: Context): Promise<void> {
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
  if (lines.length > 0) return output.data(lines.join('\n'));
  output.note('no breaking or dangerous changes');
}
