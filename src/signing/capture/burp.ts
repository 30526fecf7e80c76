import { captureError } from './capture-error.ts';
import { type CaptureEntry, type CaptureReader, mentionsSignature } from './capture-reader.ts';
import { readHttpMessage } from './http-message.ts';

const REQUEST = /<request(?: base64="(true|false)")?>(<!\[CDATA\[)?/;
const URL_ELEMENT = /<url>(?:<!\[CDATA\[)?([^\]<]*)/;

/** Reads the items that Burp Suite saves ("Save items"). */
export const BURP_FILE: CaptureReader = {
  format: 'burp',
  isFormat: ({ head }) => /^<(?:\?xml|!DOCTYPE|items)/.test(head) && /<items\b/.test(head),
  read: (capture) => capture.textAs('burp').split('<item>').slice(1).map(entryOf),
};

function entryOf(item: string, index: number): CaptureEntry {
  const message = messageOf(item);
  return {
    looksSigned: message !== undefined && mentionsSignature(message.toString('latin1')),
    read: () => {
      if (message === undefined) {
        throw captureError(
          'burp',
          `item ${index + 1} has no complete <request>`,
          'save the items again, with requests, and pass the whole file',
        );
      }
      const request = readHttpMessage(new Uint8Array(message));
      const url = URL_ELEMENT.exec(item)?.[1] || request.url;
      return { ...request, format: 'burp', url };
    },
  };
}

function messageOf(item: string): Buffer | undefined {
  const [opening, base64, data] = REQUEST.exec(item) ?? [];
  if (opening === undefined) return undefined;
  const start = item.indexOf(opening) + opening.length;
  const end = item.indexOf(data === undefined ? '</request>' : ']]></request>', start);
  if (end === -1) return undefined;
  return Buffer.from(item.slice(start, end), base64 === 'true' ? 'base64' : 'utf8');
}
