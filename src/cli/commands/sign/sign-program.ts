import { text } from '../../../json/build.ts';
import type { JsonMember } from '../../../json/value.ts';
import { isCommonField, placeholderUrl, SIGN_HEADERS } from '../../../protocol/operations.ts';
import { type Header, sameName } from '../../../signing/header-mode.ts';
import type { ProgramLanguage } from '../../../signing/programs/languages.ts';
import { programText, strictUrl } from '../../../signing/programs/program.ts';
import type { Context } from '../../context/context.ts';
import { parseHeader } from '../../context/request-content.ts';
import { currentApiKey } from '../../context/secret.ts';
import type { SignOptions } from './sign-request.ts';
import {
  isForm,
  readBusiness,
  requestSigner,
  type SigningPlan,
  spellingOf,
} from './sign-request.ts';
import { NO_ADDRESS } from './signed-text.ts';

/**
 * Prints a program that signs and sends a JSON request. The secret is not read: the program takes
 * it from `MOP_API_SECRET`.
 */
export async function signProgram(
  language: ProgramLanguage,
  body: string | undefined,
  plan: SigningPlan,
  context: Context,
): Promise<void> {
  const { output } = context;
  const { settings, options, mode, url } = plan;
  const business = await readBusiness(body, plan, context);
  const apiKey = context.globals.apiKey ?? currentApiKey(settings);
  // Sign once: each error and warning of signing applies to the program too.
  const { warnings } = requestSigner(plan, context, { apiKey, secret: '' })(business);
  for (const warning of warnings) output.warn(warning);
  if (url === null) output.warn(NO_ADDRESS);

  const members = isForm(business) ? [] : business;
  const sent = mode === 'body' ? bodyFields(members, options, context.globals.apiKey) : members;
  const headers = mode === 'header' ? givenHeaders(plan) : [];
  const isFixed =
    mode === 'body'
      ? sent.some(({ name }) => name === 'timestamp')
      : headers.some(([name]) => sameName(name, SIGN_HEADERS.timestamp));
  if (isFixed) {
    output.warn(
      'the program sends the timestamp given here; leave it out for a fresh one each time',
    );
  }
  const program = programText(language, {
    mode,
    url: url === null ? placeholderUrl(mode) : strictUrl(url),
    apiKey,
    members: sent,
    headers,
    nullAs: options.nullAs ?? 'empty',
    timestampUnit: options.timestampUnit ?? 's',
    nonce: options.nonce !== false,
    sandbox: settings.environment === 'sandbox',
  });
  await output.data(program);
}

/** The fields of the body that the program does not generate, fields from flags last. */
function bodyFields(
  members: readonly JsonMember[],
  { timestamp, nonce, seqId }: SignOptions,
  apiKey: string | undefined,
): readonly JsonMember[] {
  const given: readonly JsonMember[] = [
    ...(seqId === undefined ? [] : [{ name: 'seq_id', value: text(seqId) }]),
    ...(timestamp === undefined
      ? []
      : [{ name: 'timestamp', value: { kind: 'number', text: timestamp } as const }]),
    ...(typeof nonce === 'string' ? [{ name: 'nonce', value: text(nonce) }] : []),
  ];
  const replaced = new Set(['sign', ...given.map(({ name }) => name)]);
  // The program contains the API key anyway.
  if (apiKey !== undefined) replaced.add('api_key');
  const isGenerated = ({ name, value }: JsonMember): boolean =>
    isCommonField(name) && value.kind === 'null';
  return [
    ...members.filter((member) => !replaced.has(member.name) && !isGenerated(member)),
    ...given,
  ];
}

/** The headers that the program does not generate. */
function givenHeaders({ options, readings }: SigningPlan): readonly Header[] {
  const { timestamp, nonce, seqId, header = [] } = options;
  const spell = spellingOf(readings);
  const flags: readonly (readonly [string, string | false | undefined])[] = [
    [SIGN_HEADERS.timestamp, timestamp],
    [SIGN_HEADERS.seqId, seqId],
    [SIGN_HEADERS.nonce, nonce],
  ];
  return [
    ...flags.filter((flag): flag is Header => typeof flag[1] === 'string'),
    ...header.map(parseHeader).map(([name, value]): Header => [spell(name), value]),
  ];
}
