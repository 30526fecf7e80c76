import { Option } from 'commander';
import { MopError } from '../../errors.ts';
import type { ReadLimit } from '../../http/response.ts';
import type { SignatureMode } from '../../protocol/operations.ts';
import type { NullAs } from '../../signing/canonical.ts';
import type { FieldOption } from '../context/input.ts';
import type { ContentOptions } from '../context/request-content.ts';
import type { Command } from '../frame/command.ts';
import { collect, count } from '../frame/option-values.ts';

export interface ModeOptions {
  readonly mode?: SignatureMode;
  readonly header?: readonly string[];
  readonly nullAs?: NullAs;
  readonly timestampUnit?: 's' | 'ms';
  /** False for `--no-nonce`. */
  readonly nonce?: boolean;
}

export const MAX_RESPONSE = [
  '--max-response <bytes>',
  'refuse an answer larger than this (default 256 MiB)',
  count,
] as const;

export interface AnswerOptions {
  readonly maxResponse?: number;
}

/** The size of answers that are held in memory as text: parsed, they would take fifty times it. */
const ANSWER_LIMIT: ReadLimit = { maxBytes: 256 * 1024 ** 2 };

/** The size of a text of Node, in bytes, with room for a line end. */
const MAX_TEXT = 511 * 1024 ** 2;

/** The limit of `--max-response`, or else the default. */
export function answerLimit(
  { maxResponse }: AnswerOptions,
  { maxBytes } = ANSWER_LIMIT,
): ReadLimit {
  const wanted = maxResponse ?? maxBytes;
  return wanted < MAX_TEXT
    ? { maxBytes: wanted, hint: 'raise --max-response if an answer can be that large' }
    : { maxBytes: MAX_TEXT, hint: 'request less: a text of Node has less than 512 MiB' };
}

export const KEEP_GOING = [
  '--keep-going',
  'try all items, even when the rest must fail too',
] as const;

/** Adds -F and -f for a `subject`: a field of the body, or a variable. `uploadHelp` adds --upload. */
export function addFieldOptions(command: Command, subject = 'field', uploadHelp?: string): Command {
  // One list for all keeps the fields in the order of the command line.
  const fields: FieldOption[] = [];
  const addField =
    (typed: boolean, isUpload = false) =>
    (text: string) => {
      fields.push({ typed, text, isUpload });
      return fields;
    };
  command
    .optionsGroup('Fields:')
    .option(
      '-F, --field <key=value>',
      `add a ${subject}: a JSON literal, a string, or @FILE`,
      addField(true),
    )
    .option('-f, --raw-field <key=value>', `add a ${subject} that is a string`, addField(false));
  return uploadHelp === undefined
    ? command
    : command.option('--upload <key=@file>', uploadHelp, addField(false, true));
}

export function addFormOptions(command: Command): Command {
  return command
    .option('--form <key=value>', 'a field of a multipart form (header mode)', collect)
    .option(
      '--file <key=@path>',
      'a file of a multipart form, never signed (header mode)',
      collect,
    );
}

/** `--mode`. In commands that call the platform, it overrides the setting `mode`. */
export function modeOption(
  description = 'signature mode (default: as documented for the operation)',
): Option {
  return new Option('--mode <mode>', description).choices(['body', 'header']);
}

/** `--no-nonce`. A command that also has `--nonce` must declare `--nonce` first. */
export const NO_NONCE = ['--no-nonce', 'send no nonce (header mode)'] as const;

/** The options of header mode besides `--no-nonce`. */
export function addHeaderModeOptions(command: Command): Command {
  return command
    .option('-H, --header <line>', "also sign 'X-TMS-…: value' (header mode)", collect)
    .addOption(
      new Option('--null-as <how>', 'how to sign a null (header mode; default empty)').choices([
        'empty',
        'omit',
        'text',
      ]),
    )
    .addOption(
      new Option('--timestamp-unit <unit>', 'unit of a generated timestamp (header mode)').choices([
        's',
        'ms',
      ]),
    );
}

/** `--reading` of the commands that verify, explain or check a signature. */
export function readingOption(): Option {
  const described = 'how to read an open point of the documents, repeatable: mop help readings';
  return new Option('--reading <name=value>', described).argParser(collect);
}

/** @throws {MopError} `usage` for options of header mode in body mode. */
export function checkMode(
  mode: SignatureMode,
  { header, nullAs, timestampUnit, nonce, form, file }: ModeOptions & ContentOptions,
): void {
  if (mode === 'header') return;
  const misplaced = [
    [header, '-H'],
    [nullAs, '--null-as'],
    [timestampUnit, '--timestamp-unit'],
    [nonce === false || undefined, '--no-nonce'],
    [form, '--form'],
    [file, '--file'],
  ].find(([given]) => given !== undefined);
  if (misplaced) {
    throw new MopError('usage', `${misplaced[1]} belongs to header mode`, {
      hint: 'add --mode header',
    });
  }
}
