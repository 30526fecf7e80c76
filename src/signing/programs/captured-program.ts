import {
  HEADER_OF_FIELD,
  isCommonField,
  isSignedHeaderName,
  placeholderUrl,
  SIGN_HEADERS,
} from '../../protocol/operations.ts';
import { SANDBOX_CREDENTIALS } from '../../protocol/sandbox.ts';
import type { CapturedRequest } from '../capture/captured-request.ts';
import { sameName } from '../header-mode.ts';
import { commonFieldText, headersOf, signedContent } from '../received-request.ts';
import { PROGRAM_LANGUAGES, type ProgramLanguage } from './languages.ts';
import { type ProgramRequest, programText, strictUrl } from './program.ts';

/**
 * Programs that sign and send the business fields of a captured request. Undefined for a form: the
 * programs send JSON.
 */
export function programsFor(
  capture: CapturedRequest,
): Readonly<Record<ProgramLanguage, string>> | undefined {
  if (typeof capture.body !== 'string') return undefined;
  const request = programRequest(capture);
  const programs = PROGRAM_LANGUAGES.map((language) => [language, programText(language, request)]);
  return Object.fromEntries(programs) as Record<ProgramLanguage, string>;
}

function programRequest(capture: CapturedRequest): ProgramRequest {
  const content = signedContent(capture);
  const { mode } = content;
  const { url = '' } = capture;
  const apiKey = commonFieldText(content, 'api_key') ?? '';
  const generated = [SIGN_HEADERS.version, SIGN_HEADERS.sign, ...Object.values(HEADER_OF_FIELD)];
  return {
    mode,
    url: /^https?:/i.test(url) && URL.canParse(url) ? strictUrl(url) : placeholderUrl(mode),
    apiKey,
    members: content.fields.filter(
      ({ name, source }) =>
        source !== 'header' && !(mode === 'body' && (isCommonField(name) || name === 'sign')),
    ),
    headers: headersOf(content).filter(
      ([name]) => isSignedHeaderName(name) && !generated.some((other) => sameName(name, other)),
    ),
    nullAs: 'empty',
    timestampUnit: 's',
    nonce: true,
    sandbox: apiKey === SANDBOX_CREDENTIALS.apiKey,
  };
}
