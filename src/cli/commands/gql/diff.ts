import { MopError } from '../../../errors.ts';
import type { SchemaChange, SchemaChanges } from '../../../graphql/changes.ts';
import type { Context } from '../../context/context.ts';
import { concluded } from '../../context/failures.ts';
import { visibleLine } from '../../context/visible.ts';
import { type Choose, type Command, collect, optionsOf } from '../../frame/command.ts';
import { ASSUME_VALID } from './options.ts';

interface DiffOptions {
  readonly header?: readonly string[];
  readonly assumeValidSchema?: boolean;
}

export function registerDiff(parent: Command, choose: Choose): void {
  parent
    .command('diff')
    .description('Show what a new schema breaks.')
    .argument('<old-file>', 'the schema before: a file, or the URL of an endpoint')
    .argument('<new-file>', 'the schema after')
    .option('-H, --header <line>', "send 'Name: value' along to URLs, repeatable", collect)
    .option(...ASSUME_VALID)
    .explain({
      notes: `
        Breaking changes make documents invalid that were valid; the exit code is 14 when there is
        one. Dangerous changes may surprise programs. What is only added is not shown.`,
      examples: [
        'mop gql diff schema.graphql https://api.example/graphql',
        'mop gql diff before.graphql after.graphql --json',
      ],
      failures: ['api', 'network', 'graphql'],
    })
    .action((before: string, after: string, _: unknown, command: Command) =>
      choose(command, (context) =>
        runDiff(before, after, optionsOf<DiffOptions>(command), context),
      ),
    );
}

async function runDiff(
  before: string,
  after: string,
  { header, assumeValidSchema: assumeValid }: DiffOptions,
  context: Context,
): Promise<void> {
  const { schemaChanges } = await import('../../../graphql/changes.ts');
  const { loadSchema, originOf, printSchemaRequests } = await import(
    '../../clients/schema-source.ts'
  );
  const older = { from: originOf(before, context), header, assumeValid };
  const newer = { ...older, from: originOf(after, context) };
  if (context.globals.dryRun && (await printSchemaRequests([older, newer], context))) return;
  const { schema: old } = await loadSchema(older, context);
  const { schema: current } = await loadSchema(newer, context);
  const changes = schemaChanges(old, current);
  await concluded(print(changes, context), failureOf(changes));
}

function failureOf({ breaking }: SchemaChanges): MopError | undefined {
  const [first, ...others] = breaking;
  if (!first) return undefined;
  const message = others.length > 0 ? `${breaking.length} breaking changes` : 'a breaking change';
  return new MopError('graphql', message, {
    hint: 'deprecate what is to go, and remove it when nobody asks for it any more',
  });
}

async function print(changes: SchemaChanges, { output }: Context): Promise<void> {
  if (output.json) return output.document(changes);
  if (output.quiet) return;
  const style = await output.styles('stdout');
  const line = (kind: string) => (change: SchemaChange) =>
    `${kind}  ${visibleLine(change.description)}`;
  const lines = [
    ...changes.breaking.map(line(style.red('breaking '))),
    ...changes.dangerous.map(line(style.yellow('dangerous'))),
  ];
  if (lines.length > 0) return output.data(lines.join('\n'));
  output.note('nothing that breaks or surprises anybody');
}
