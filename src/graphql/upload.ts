import { extname } from 'node:path';
import mime from 'mime';
import type { FormField } from '../http/multipart.ts';
import { list, object, text } from '../json/build.ts';
import { printJson } from '../json/print.ts';
import { type GraphqlRequest, requestParameters } from './request.ts';

/** A file as the value of a variable, or of a part of one. */
export interface Upload {
  /** Its path in the request, such as `variables.files.0`; the value there is null. */
  readonly path: string;
  readonly file: string;
  /** The media type. Default: the type of the extension of the file. */
  readonly type?: string | undefined;
}

export { multipartForm } from '../http/multipart-body.ts';

/** The fields of a form that sends an operation with files (GraphQL multipart request). */
export function uploadForm(request: GraphqlRequest, uploads: readonly Upload[]): FormField[] {
  const map = uploads.map(({ path }, index) => [index, list([text(path)])] as const);
  return [
    { name: 'operations', value: printJson(requestParameters(request)) },
    { name: 'map', value: printJson(object(Object.fromEntries(map))) },
    ...uploads.map(({ file, type }, index) => ({
      name: String(index),
      file,
      type: type ?? mime.getType(extname(file)) ?? 'application/octet-stream',
    })),
  ];
}
