import { own, quoted } from '../../errors.ts';
import { codeHint } from '../../platform/envelope.ts';
import type { Exchange } from '../../platform/operation-client.ts';
import { MAX_CLOCK_SKEW_SECONDS } from '../../protocol/limits.ts';
import {
  API_KEY_INVALID,
  AUTHENTICATION_ERROR,
  TIMESTAMP_INVALID,
} from '../../protocol/result-codes.ts';
import { readRequest, rightReading } from '../../signing/explain.ts';
import { commonFieldText } from '../../signing/received-request.ts';
import {
  checkClock,
  type PlatformRefusal,
  refusals,
  timestampRefusal,
} from '../../signing/verification/request-checks.ts';
import type { ConfigFile } from '../context/config-file.ts';
import { secretAnomaly } from '../context/secret.ts';
import { SECRET_KEYS } from '../context/setting-keys.ts';
import type { Caller } from './caller.ts';
import { SANDBOX_SECRET } from './keyring.ts';

/** The likely cause of a refused call. */
export interface RefusalCause extends PlatformRefusal {
  /** Whether the platform may instead read the request in another way than mop. */
  readonly isDoubtful?: boolean;
}

/**
 * The likely cause of a refused call, found without a search: a signature of mop is right, so the
 * suspects are the fields that the caller chose, the clock, the key and the secret. Loads no other
 * secret, because its command may prompt the user.
 */
export function refusalCause(
  { request, answer: { code }, sentAt, serverTime }: Exchange,
  caller: Caller,
  config: ConfigFile,
): RefusalCause {
  const { url, headers, form, body = '', sign, apiSecret: secret } = request;
  const received = { url: url.href, headers, body: form ?? body };
  const reads = readRequest(received);
  const reading = rightReading(reads, sign, secret);
  const content = reading ?? reads[0];
  const [fault] = refusals(received, content);
  if (fault) return { reason: fault.title, fix: fault.fix };
  const apiKey = commonFieldText(content, 'api_key') ?? '';
  if (code === AUTHENTICATION_ERROR) {
    const cause = secretCause(apiKey, secret, caller, config);
    const isAssumed = !reading || Object.keys(reading.readings).length > 0;
    if (!isAssumed && caller.environment !== 'sandbox') return cause;
    const reason = `the platform reads the request in another way, or ${cause.reason}`;
    return { ...cause, reason, isDoubtful: true };
  }
  if (code === API_KEY_INVALID) return keyCause(apiKey, caller);
  const clock = Math.floor((serverTime ?? sentAt) / 1000);
  const late = timestampRefusal(checkClock(content, clock, MAX_CLOCK_SKEW_SECONDS));
  return late ?? clockCause(serverTime !== undefined);
}

function clockCause(hasDate: boolean): RefusalCause {
  const reason = hasDate
    ? 'the platform refuses the timestamp although it agrees with the Date of the answer'
    : 'the clock of this machine is wrong; the answer has no Date to correct it';
  return { reason, fix: codeHint(TIMESTAMP_INVALID) };
}

function keyCause(
  apiKey: string,
  { apiKey: configured, keySource, environment }: Caller,
): RefusalCause {
  const source = configured === apiKey ? `, from ${keySource}` : '';
  return {
    reason: quoted`the platform does not know api_key ${apiKey}${own(source)}, in the environment ${environment}`,
    fix: 'check api_key and the environment: mop config list shows both',
  };
}

function secretCause(
  apiKey: string,
  secret: string,
  { secretSource: name }: Caller,
  config: ConfigFile,
): RefusalCause {
  const accounts = [...storedAccounts(config), SANDBOX_SECRET];
  const owner = accounts
    .filter((each) => each.secret === secret || each.name === name)
    .find((each) => each.apiKey !== undefined && each.apiKey !== apiKey);
  const clue =
    secretAnomaly(secret) ?? (owner && `${owner.name} has it for api_key ${owner.apiKey}`);
  const reason = quoted`the secret of ${own(name)} is not the one that the platform has for api_key ${apiKey}`;
  return {
    reason: clue ? `${reason}: ${clue}` : reason,
    fix: quoted`put the issued secret into ${own(name)}; mop config set api_secret stores it in the profile`,
  };
}

/** The profiles with a secret. It is undefined if a file or a command contains it. */
function storedAccounts({ profiles }: ConfigFile) {
  return Object.entries(profiles)
    .filter(([, values]) => SECRET_KEYS.some((key) => key in values))
    .map(([profile, values]) => ({
      name: `profile ${profile}`,
      apiKey: values.api_key,
      secret: values.api_secret,
    }));
}
