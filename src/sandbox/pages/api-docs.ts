import { html } from 'hono/html';
import type { OpenAPIV3_1 as OpenApi } from 'openapi-types';
import { copyable } from '../../server/pages/copyable.ts';
import type { Page } from '../../server/pages/frame.ts';
import { type Html, prose } from '../../server/pages/html.ts';
import { LANGUAGE_TAGS, type Text, translated, type View } from '../../server/pages/view.ts';
import type { OpenApiDocument } from '../detection/openapi.ts';
import { exchangeAnswer, exchangeButtons } from './exchange-parts.ts';
import type { ApiDocsData } from './script-data.ts';
import API_DOCS from './texts/api-docs.json' with { type: 'json' };
import EXCHANGE from './texts/exchange.json' with { type: 'json' };

type Schema = OpenApi.SchemaObject | OpenApi.ReferenceObject;
type Content = Readonly<Record<string, OpenApi.MediaTypeObject>>;

interface Operation extends OpenApi.OperationObject {
  readonly method: string;
  readonly path: string;
  readonly id: string;
}

interface Docs {
  readonly t: View['t'];
  readonly document: OpenApiDocument;
}

const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const;

/** The API documentation: an OpenAPI description as a page, with forms that try its operations. */
export function apiDocs({ language, t }: View, document: OpenApiDocument): Page {
  const docs: Docs = { t, document };
  const operations = operationsOf(document);
  const schemas = Object.entries(document.components?.schemas ?? {});
  const groups = (document.tags ?? []).map((tag) => ({
    tag,
    members: operations.filter(({ tags }) => tags?.includes(tag.name)),
  }));
  const data: ApiDocsData = {
    language: LANGUAGE_TAGS[language],
    exchangeTexts: translated(EXCHANGE.script, language),
  };
  return {
    title: API_DOCS.title,
    summary: API_DOCS.summary,
    styles: ['site.css'],
    script: 'api-docs.js',
    data,
    content: html`
      ${words(document.info.description)}
      <p><a href="/openapi.json">${t(API_DOCS.download)}</a></p>
      <p>${t(API_DOCS.descriptions)}</p>
      <nav class="contents" aria-labelledby="contents">
        <h2 id="contents">${t(API_DOCS.contents)}</h2>
        <ul class="plain">
          ${operations.map(
            ({ id, method, path, summary }) =>
              html`<li><a href="#${id}"><code>${method} ${path}</code></a>
                <span lang="en">${summary}</span></li>`,
          )}
          <li><a href="#schemas">${t(API_DOCS.schemas)}</a></li>
        </ul>
      </nav>
      ${groups.map(
        ({ tag, members }) => html`
      <section aria-labelledby="${tagId(tag)}">
        <h2 id="${tagId(tag)}" lang="en">${tag.name}</h2>
        ${words(tag.description)}
        ${members.map((operation) => operationPart(docs, operation))}
      </section>`,
      )}
      <section aria-labelledby="schemas">
        <h2 id="schemas">${t(API_DOCS.schemas)}</h2>
        ${schemas.map(([name, schema]) => schemaPart(docs, name, schema))}
      </section>`,
  };
}

function operationsOf({ paths = {} }: OpenApiDocument): Operation[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item?.[method];
      const id = `${method}${path.replaceAll(/\W+/g, '-')}`;
      return operation ? [{ ...operation, method: method.toUpperCase(), path, id }] : [];
    }),
  );
}

function tagId({ name }: OpenApi.TagObject): string {
  return `tag-${name}`;
}

function operationPart(docs: Docs, operation: Operation): Html {
  const { t, document } = docs;
  const { id, method, path, summary, description } = operation;
  const parameters = (operation.parameters ?? []).map((given) => resolve(given, document));
  const request = operation.requestBody && resolve(operation.requestBody, document);
  return html`
        <section class="operation" aria-labelledby="${id}">
          <h3 id="${id}"><code>${method} ${path}</code> <span lang="en">${summary}</span></h3>
          ${words(description)}
          ${parameters.length > 0 && parameterTable(docs, id, parameters)}
          ${
            request &&
            html`
          <h4>${t(API_DOCS.requestBody)}</h4>
          ${words(request.description)}
          ${contentPart(docs, `${id}-request`, request.content)}`
          }
          ${tryPart(docs, operation, parameters, request)}
          <h4>${t(API_DOCS.responses)}</h4>
          <dl class="responses">
            ${Object.entries(operation.responses ?? {}).map(([status, response]) =>
              responsePart(docs, `${id}-${status}`, status, resolve(response, document)),
            )}
          </dl>
        </section>`;
}

function parameterTable(
  docs: Docs,
  id: string,
  parameters: readonly OpenApi.ParameterObject[],
): Html {
  const { t } = docs;
  const rows = parameters.map(({ name, in: place, required, schema = {}, description }) => [
    nameCell(docs, name, required),
    html`<code>${place}</code>`,
    typeCell(docs, schema),
    words(description),
  ]);
  return html`
          <h4 id="${id}-parameters">${t(API_DOCS.parameters)}</h4>
          ${table(docs, `${id}-parameters`, COLUMNS.parameter, rows)}`;
}

function responsePart(
  docs: Docs,
  id: string,
  status: string,
  response: OpenApi.ResponseObject,
): Html {
  const headers = Object.entries(response.headers ?? {}).map(
    ([name, header]) => [name, resolve(header, docs.document)] as const,
  );
  return html`
            <dt><code>${status}</code></dt>
            <dd>
              ${words(response.description)}
              ${headers.map(
                ([name, { description }]) => html`
              <p>${docs.t(API_DOCS.header)} <code>${name}</code>: <span lang="en">${description}</span></p>`,
              )}
              ${response.content && contentPart(docs, id, response.content)}
            </dd>`;
}

function contentPart(docs: Docs, id: string, content: Content): Html {
  const { t, document } = docs;
  return html`${Object.entries(content).map(
    ([type, { schema, examples = {} }]) => html`
          <p><code>${type}</code>${schema && html`: ${typeCell(docs, schema)}`}</p>
          ${Object.entries(examples).map(([name, example]) => {
            const { summary, value } = resolve(example, document);
            const exampleId = `${id}-${name}`;
            return html`
          <details class="example">
            <summary id="${exampleId}-title">${t(API_DOCS.example)}: <span lang="en">${summary ?? name}</span></summary>
            ${copyable(exampleId, '', JSON.stringify(value, null, 2), t)}
          </details>`;
          })}`,
  )}`;
}

/** A form that sends the operation to this service. The script shows it. */
function tryPart(
  { t, document }: Docs,
  { id, method, path }: Operation,
  parameters: readonly OpenApi.ParameterObject[],
  request: OpenApi.RequestBodyObject | undefined,
): Html {
  const prefix = `${id}-`;
  const [example] = Object.values(request?.content['application/json']?.examples ?? {});
  const body = example && JSON.stringify(resolve(example, document).value, null, 2);
  return html`
          <details class="try" hidden>
            <summary>${t(API_DOCS.tryIt)}</summary>
            <form novalidate data-operation="${id}" data-method="${method}" data-path="${path}">
              ${parameters.map(
                ({ name, in: place }) => html`
              <div class="field">
                <label for="${prefix}${place}-${name}"><code>${name}</code> (${place})</label>
                <input id="${prefix}${place}-${name}" name="${name}" data-in="${place}" autocomplete="off">
              </div>`,
              )}
              ${
                body !== undefined &&
                html`
              <label for="${prefix}body">${t(API_DOCS.requestBody)}</label>
              <textarea id="${prefix}body" class="code" rows="6" spellcheck="false" autocomplete="off">${body}</textarea>`
              }
              ${exchangeButtons(t, prefix)}
            </form>
            <div id="${prefix}response">${exchangeAnswer(t, prefix, 5)}</div>
          </details>`;
}

function schemaPart(docs: Docs, name: string, schema: OpenApi.SchemaObject): Html {
  const id = schemaId(name);
  const rows = propertyRows(docs, schema);
  return html`
        <div>
          <h3 id="${id}"><code>${name}</code></h3>
          ${words(schema.description)}
          ${
            rows.length > 0
              ? table(docs, id, COLUMNS.property, rows)
              : html`<p>${typeCell(docs, schema)}</p>`
          }
        </div>`;
}

/** A row for each property, including the properties of nested objects. */
function propertyRows(docs: Docs, schema: OpenApi.SchemaObject, prefix = ''): Html[][] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const path = `${prefix}${name}`;
    const row = [
      nameCell(docs, path, schema.required?.includes(name)),
      typeCell(docs, property),
      words(resolve(property, docs.document).description),
    ];
    return [row, ...('$ref' in property ? [] : propertyRows(docs, property, `${path}.`))];
  });
}

const COLUMNS = {
  parameter: [API_DOCS.name, API_DOCS.place, API_DOCS.type, API_DOCS.meaning],
  property: [API_DOCS.name, API_DOCS.type, API_DOCS.meaning],
};

/** The roles keep the table semantics on narrow screens, where the style sheet shows a list. */
function table(
  { t }: Docs,
  labelledBy: string,
  columns: readonly Text[],
  rows: readonly Html[][],
): Html {
  return html`
          <table role="table" class="fields" aria-labelledby="${labelledBy}">
            <thead role="rowgroup">
              <tr role="row">${columns.map(
                (title) => html`<th role="columnheader" scope="col">${t(title)}</th>`,
              )}</tr>
            </thead>
            <tbody role="rowgroup">
              ${rows.map(
                ([head, ...cells]) => html`
              <tr role="row">
                <th role="rowheader" scope="row">${head}</th>
                ${cells.map((cell) => html`<td role="cell">${cell}</td>`)}
              </tr>`,
              )}
            </tbody>
          </table>`;
}

function nameCell({ t }: Docs, name: string, required = false): Html {
  return html`<code>${name}</code>${
    required && html` <span class="required">${t(API_DOCS.required)}</span>`
  }`;
}

/** The type or schema of a value, with its limits. */
function typeCell(docs: Docs, schema: Schema): Html {
  const { t } = docs;
  if ('$ref' in schema) {
    const name = schema.$ref.split('/').at(-1) ?? '';
    return html`<a href="#${schemaId(name)}"><code>${name}</code></a>`;
  }
  if (schema.oneOf) {
    const members = schema.oneOf.map((member) => html`<li>${typeCell(docs, member)}</li>`);
    return html`${t(API_DOCS.oneOf)} <ul class="plain">${members}</ul>`;
  }
  if (schema.type === 'array') {
    return html`${t(API_DOCS.listOf)} ${typeCell(docs, schema.items ?? {})}`;
  }
  if ('const' in schema) return html`<code>${JSON.stringify(schema.const)}</code>`;
  const keywords = KEYWORDS.flatMap((keyword) => {
    const value = schema[keyword];
    return value === undefined ? [] : html`<li>${keyword} <code>${value}</code></li>`;
  });
  const values = schema.enum?.map((value) => html`<li><code>${JSON.stringify(value)}</code></li>`);
  return html`${schema.type}${
    keywords.length > 0 && html`<ul class="plain limits">${keywords}</ul>`
  }${values && html`<ul class="values" aria-label="${t(API_DOCS.oneOf)}">${values}</ul>`}`;
}

const KEYWORDS = [
  'minimum',
  'exclusiveMinimum',
  'maximum',
  'minLength',
  'maxLength',
  'pattern',
  'default',
] as const;

function schemaId(name: string): string {
  return `schema-${name}`;
}

/** A description, in the language of the document. */
function words(text = ''): Html {
  return html`${text !== '' && html`<p lang="en">${prose(text)}</p>`}`;
}

/** The target of a reference within the document, or `part` itself. */
function resolve<T extends object>(
  part: T | OpenApi.ReferenceObject,
  document: OpenApiDocument,
): T {
  if (!('$ref' in part)) return part as T;
  const [, ...keys] = (part as OpenApi.ReferenceObject).$ref.split('/');
  const found = keys.reduce<unknown>(
    (parent, key) => (parent as Record<string, unknown>)[key],
    document,
  );
  return found as T;
}
