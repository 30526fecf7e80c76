import { access } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import { MopError } from '../../../errors.ts';
import { MAX_SEQ_ID_LENGTH, NONCE_LENGTH } from '../../../protocol/limits.ts';
import {
  PROTOCOL_VERSION,
  SIGN_HEADERS,
  type SignatureMode,
} from '../../../protocol/operations.ts';
import { signBody } from '../../../signing/body-mode.ts';
import type { Entry, Omitted } from '../../../signing/canonical.ts';
import {
  type FormField,
  type Header,
  type NullAs,
  signHeaders,
} from '../../../signing/header-mode.ts';
import { portabilityWarnings } from '../../../signing/portability.ts';
import { type Credentials, freshFields } from '../../../signing/request-fields.ts';
import { readBody } from '../../../signing/value-text.ts';
import { collect } from '../../command.ts';
import { type Context, settingsOf } from '../../context.ts';
import { bodyFromFields, type FieldOption, readText, splitAssignment } from '../../input.ts';
import { loadCredentials } from '../../secret.ts';

/** The options of `mop sign` and `mop sign explain`. */
export interface SignOptions {
  readonly mode?: SignatureMode;
  readonly timestamp?: string;
  readonly timestampUnit?: 's' | 'ms';
  /** False for `--no-nonce`. */
  readonly nonce?: string | false;
  readonly seqId?: string;
  readonly header?: readonly string[];
  readonly nullAs?: NullAs;
  /** `-F` and `-f` share one list. */
  readonly field?: readonly FieldOption[];
  readonly rawField?: readonly FieldOption[];
  readonly form?: readonly string[];
  readonly file?: readonly string[];
  readonly url?: string;
}

export function addSignOptions(command: Command): Command {
  // One list for both, so that the fields keep the order of the command line.
  const fields: FieldOption[] = [];
  const addField = (typed: boolean) => (text: string) => {
    fields.push({ typed, text });
    return fields;
  };
  return command
    .argument('[body]', 'a JSON object: the text, @FILE, or - for stdin')
    .optionsGroup('Fields:')
    .option(
      '-F, --field <key=value>',
      'add a field: a JSON literal, a string, or @FILE',
      addField(true),
    )
    .option('-f, --raw-field <key=value>', 'add a field that is a string', addField(false))
    .option('--form <key=value>', 'a field of a multipart form (header mode)', collect)
    .option('--file <key=@path>', 'a file of a multipart form, never signed (header mode)', collect)
    .optionsGroup('Signature:')
    .addOption(
      new Option('--mode <mode>', 'body: protocol 1.0 (the default); header: 2.0').choices([
        'body',
        'header',
      ]),
    )
    .option('--timestamp <n>', 'Unix time to sign with, instead of now')
    .addOption(
      new Option('--timestamp-unit <unit>', 'unit of a generated timestamp (header mode)').choices([
        's',
        'ms',
      ]),
    )
    .option('--nonce <s>', 'nonce to sign with, instead of a random one')
    .option('--no-nonce', 'send no nonce (header mode)')
    .option('--seq-id <s>', 'serial number to sign with, instead of a random UUID')
    .option('-H, --header <line>', "sign 'X-TMS-…: value' as well (header mode)", collect)
    .addOption(
      new Option('--null-as <how>', 'how a null is signed (header mode; empty)').choices([
        'empty',
        'omit',
        'text',
      ]),
    )
    .option('--url <url>', 'where the request goes, for --as curl and json');
}

/** A signed request, in either mode, with everything that can be told about it. */
export interface SigningReport {
  readonly mode: SignatureMode;
  readonly version: string;
  readonly url: string | null;
  /** All headers to send. */
  readonly headers: Readonly<Record<string, string>>;
  /** The JSON to send; null for a multipart form. */
  readonly body: string | null;
  readonly form: readonly FormField[];
  readonly entries: readonly Entry[];
  readonly omitted: readonly Omitted[];
  readonly canonical: string;
  readonly sign: string;
  /** What the platform would refuse. */
  readonly warnings: readonly string[];
  /** What other languages may write differently. */
  readonly portability: readonly string[];
  readonly secretLength: number;
}

/**
 * Signs what the options describe.
 *
 * @throws {MopError} `usage` for a body or an option that does not fit, `config` without credentials.
 */
export async function signRequest(
  body: string | undefined,
  options: SignOptions,
  context: Context,
): Promise<SigningReport> {
  const mode = options.mode ?? 'body';
  checkMode(mode, options);
  const url = checkUrl(options.url);
  const form = await formFields(options);
  const bodyText = form.length > 0 ? undefined : await bodyOf(body, options, context);
  if (form.length > 0 && (body !== undefined || fieldsOf(options))) {
    throw new MopError('usage', 'a request has either a JSON body or a multipart form', {
      hint: 'leave out BODY, -F and -f, or --form and --file',
    });
  }

  // What is wrong with the body is said first: it is what the command line is about.
  const members = bodyText === undefined ? [] : readBody(bodyText);
  const credentials = await loadCredentials(settingsOf(context), context);
  const source = { ...freshFields, now: context.io.now };
  const fields = {
    apiKey: context.globals.apiKey,
    timestamp: options.timestamp,
    seqId: options.seqId,
  };
  const nonce = options.nonce;
  const signed =
    mode === 'body' && bodyText !== undefined
      ? {
          headers: {},
          ...signBody(
            bodyText,
            credentials,
            { ...fields, nonce: nonce === false ? undefined : nonce },
            source,
          ),
        }
      : signHeaders(
          bodyText ?? form,
          credentials,
          {
            ...fields,
            nonce,
            timestampUnit: options.timestampUnit,
            nullAs: options.nullAs,
            headers: options.header?.map(parseHeader),
          },
          source,
        );
  return {
    mode,
    version: PROTOCOL_VERSION[mode],
    url,
    headers: {
      // For a form the sender adds its own, with the boundary.
      ...(bodyText !== undefined && { 'Content-Type': 'application/json' }),
      ...signed.headers,
    },
    body: signed.body,
    form,
    entries: signed.entries,
    omitted: signed.omitted,
    canonical: signed.canonical,
    sign: signed.sign,
    warnings: limitWarnings(signed.entries, credentials),
    portability: portabilityWarnings(members),
    secretLength: [...credentials.secret].length,
  };
}

/** A signed request as `--as json` shows it; its keys are stable. */
export function signedDocument(signed: SigningReport): Record<string, unknown> {
  const { mode, version, url, headers, body, entries, omitted, canonical, sign } = signed;
  const warnings = [...signed.warnings, ...signed.portability];
  const method = 'POST';
  return { mode, version, method, url, headers, body, entries, omitted, canonical, sign, warnings };
}

function checkMode(mode: SignatureMode, options: SignOptions): void {
  if (mode === 'header') return;
  const misplaced = [
    [options.timestampUnit, '--timestamp-unit'],
    [options.nonce === false || undefined, '--no-nonce'],
    [options.header, '-H'],
    [options.nullAs, '--null-as'],
    [options.form, '--form'],
    [options.file, '--file'],
  ].find(([value]) => value !== undefined);
  if (misplaced) {
    throw new MopError('usage', `${misplaced[1]} belongs to header mode`, {
      hint: 'add --mode header',
    });
  }
}

function checkUrl(url: string | undefined): string | null {
  if (url === undefined) return null;
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url;
  throw new MopError('usage', `--url ${JSON.stringify(url)} is not an http or https address`, {
    hint: 'write it whole, such as https://HOST/open/v1/trade/bill',
  });
}

async function bodyOf(
  body: string | undefined,
  options: SignOptions,
  { io }: Context,
): Promise<string> {
  const fields = fieldsOf(options);
  if (body !== undefined && fields) {
    throw new MopError('usage', 'a body comes as BODY or from -F and -f, not from both', {
      hint: 'write all fields in one of the two ways',
    });
  }
  if (fields) return bodyFromFields(fields, io);
  if (body !== undefined) return readText(body, io);
  throw new MopError('usage', 'nothing to sign', {
    hint: `pass the body: mop sign '{"bill_type":0}', @FILE or - for stdin, or fields with -F; '{}' has none`,
  });
}

function fieldsOf({ field, rawField }: SignOptions): readonly FieldOption[] | undefined {
  return field ?? rawField;
}

async function formFields({ form = [], file = [] }: SignOptions): Promise<FormField[]> {
  const texts = form.map((text): FormField => {
    const [name, value] = splitAssignment(text, '--form');
    return { name, value };
  });
  const files = file.map((text): FormField => {
    const [name, value] = splitAssignment(text, '--file');
    if (value.startsWith('@')) return { name, file: value.slice(1) };
    throw new MopError('usage', `--file takes key=@path, not ${JSON.stringify(text)}`, {
      hint: `write it as --file ${name}=@PATH`,
    });
  });
  for (const field of files) {
    if (!('file' in field)) continue;
    await access(field.file).catch((error: NodeJS.ErrnoException) => {
      throw new MopError('usage', `cannot read the file ${field.file} (${error.code})`, {
        hint: `check the path behind ${field.name}=@`,
        cause: error,
      });
    });
  }
  return [...texts, ...files];
}

/** A header line as curl takes it: `Name: value`, or `Name;` for an empty value. */
export function parseHeader(line: string): Header {
  const [, name, value] = /^([^:;\s]+)(?::[ \t]*(.*?)[ \t]*|;)$/s.exec(line) ?? [];
  if (name !== undefined) return [name, value ?? ''];
  throw new MopError('usage', `-H takes 'Name: value', not ${JSON.stringify(line)}`, {
    hint: "write it as -H 'X-TMS-Trace: 1'",
  });
}

function limitWarnings(entries: readonly Entry[], { apiKey }: Credentials): string[] {
  const common = entries.filter(({ source }) => source !== 'business');
  const valueNamed = (name: string, header: string): string | undefined =>
    common.find((entry) => entry.name === name || entry.name.toLowerCase() === header.toLowerCase())
      ?.value;
  const nonce = valueNamed('nonce', SIGN_HEADERS.nonce);
  const seqId = valueNamed('seq_id', SIGN_HEADERS.seqId);
  const key = valueNamed('api_key', SIGN_HEADERS.apiKey);
  return [
    nonce !== undefined && [...nonce].length !== NONCE_LENGTH
      ? `the nonce has ${[...nonce].length} characters; the platform wants ${NONCE_LENGTH}`
      : '',
    seqId !== undefined && seqId.length > MAX_SEQ_ID_LENGTH
      ? `the serial number has ${seqId.length} characters; the platform takes ${MAX_SEQ_ID_LENGTH}`
      : '',
    key !== undefined && key !== apiKey
      ? `the request's api_key is ${key}, but the secret belongs to ${apiKey}`
      : '',
  ].filter((warning) => warning !== '');
}
