import { member, memberText } from '../../json/value.ts';
import { captureError } from './capture-error.ts';
import type { CaptureReader } from './capture-reader.ts';

/** Refuses a Postman collection: it contains templates, not sent requests. */
export const POSTMAN_COLLECTION: CaptureReader = {
  format: 'postman',
  isFormat: ({ head, document }) =>
    head.startsWith('{') &&
    /getpostman\.com|postman_id/.test(head) &&
    document !== undefined &&
    memberText(member(document, 'info'), 'name') !== undefined,
  read: () => {
    throw captureError(
      'postman',
      'it contains templates with variables and scripts, not the request that was sent',
      'in Postman choose Code, then cURL, and pass that; or copy the request from the console',
    );
  },
};
