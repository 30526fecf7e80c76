import { MopError } from '../../../errors.ts';
import { type Finding, failed, ok, reportable } from '../../../platform/doctor/finding.ts';
import { profileOption, type Settings } from '../../settings.ts';
import { placeOf } from './place.ts';

export interface KeyFindings {
  readonly apiKey: Finding;
  readonly key: string | undefined;
}

/** The check `api-key`: whether there is one of the right shape (D1 2.1). */
export function examineKey(settings: Settings): KeyFindings {
  try {
    const key = settings.get('api_key');
    const place = settings.find('api_key');
    if (key !== undefined && place) {
      return { key, apiKey: ok(`${key}, from ${placeOf('api_key', place, settings)}`) };
    }
    const missing = new MopError('config', 'no api_key is set', {
      hint: `set it: mop config set api_key KEY${profileOption(settings.profile)} (or MOP_API_KEY)`,
    });
    return { key, apiKey: failed(missing) };
  } catch (error) {
    return { key: undefined, apiKey: failed(reportable(error)) };
  }
}
