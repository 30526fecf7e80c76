import type { FieldOption } from '../../context/input.ts';
import type { Command } from '../../frame/command.ts';
import { collect } from '../../frame/option-values.ts';
import type { AnswerOptions } from '../request-options.ts';

export interface EndpointOptions {
  readonly endpoint?: string;
  readonly header?: readonly string[];
}

export interface VariableOptions {
  /** `-F`, `-f` and `--upload` share one list. */
  readonly field?: readonly FieldOption[];
  readonly rawField?: readonly FieldOption[];
  readonly upload?: readonly FieldOption[];
  /** JSON, `@FILE` or `-`. */
  readonly variables?: string;
}

export interface ResultOptions {
  readonly raw?: boolean;
  readonly allowPartial?: boolean;
}

export interface SchemaOptions {
  /** Files, directories, patterns or URLs: together they are one schema. */
  readonly schema?: readonly string[];
  readonly refresh?: boolean;
  readonly assumeValidSchema?: boolean;
}

export interface GqlOptions
  extends VariableOptions,
    ResultOptions,
    EndpointOptions,
    SchemaOptions,
    AnswerOptions {
  readonly operation?: string;
  readonly get?: boolean;
  readonly paginate?: boolean;
  readonly transport?: 'sse' | 'ws';
  readonly connectionParams?: string;
  readonly count?: number;
  readonly stream?: boolean;
}

export function addOperationOptions(command: Command): Command {
  return command
    .option('--variables <json>', 'variables as a JSON object: the text, @FILE, or -')
    .option('--operation <name>', 'operation to run; required when the document has several');
}

export function addResultOptions(command: Command): Command {
  return command
    .optionsGroup('Result:')
    .option('--raw', 'print data alone')
    .option('--allow-partial', 'treat data with errors as a success');
}

export function addEndpointOptions(command: Command): Command {
  return command
    .optionsGroup('Endpoint:')
    .option('--endpoint <url>', 'the endpoint, instead of gql_url')
    .option('-H, --header <line>', "send the header 'Name: value', repeatable", collect);
}

/** `--schema`, repeatable. */
export const SCHEMA_FLAG = '--schema <file-or-url>';
export const SCHEMA_HELP = 'a file, directory, quoted pattern, git:REF:PATH or URL; repeatable';

/** `--assume-valid-schema`: schemas of real servers have faults too. */
export const ASSUME_VALID = ['--assume-valid-schema', 'accept a schema with faults'] as const;
