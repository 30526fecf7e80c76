import { html } from 'hono/html';
import type { OpenAPIV3_1 as OpenApi } from 'openapi-types';
import type { Page } from '../../server/pages/frame.ts';
import { copyable, type Html, prose } from '../../server/pages/html.ts';
import type { View } from '../../server/pages/view.ts';
import { exchangeAnswer, exchangeButtons, exchangeData } from './exchange-parts.ts';
import API_DOCS from './texts/api-docs.json' with { type: 'json' };

type T = View['t'];
const TAGS_IN_CHINESE: Readonly<Record<string, string>> = API_DOCS.tagsInChinese;

type Schema = OpenApi.SchemaObject | OpenApi.ReferenceObject;
/** A parameter or a property; the note is its place, or that it is required. */
type Field = readonly [name: string, schema: Schema, note: string];
type Message = Partial<OpenApi.ResponseObject>;

interface Operation extends Pick<OpenApi.OperationObject, 'tags' | 'summary' | 'description'> {
  readonly parameters?: readonly OpenApi.ParameterObject[];
  readonly requestBody?: Message;
  readonly responses: Readonly<Record<string, Message>>;
}

/** The parts of an OpenAPI description that the page shows. */
export interface Description extends Pick<OpenApi.Document, 'info' | 'tags'> {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, OpenApi.SchemaObject>> };
}

/** A description, in the language of the document. */
const words = (text = ''): Html => html`${text && html`<p lang="en">${prose(text)}</p>`}`;
const textOf = ({ value }: OpenApi.ExampleObject): string => JSON.stringify(value, null, 2);

/** The API documentation: an OpenAPI description as a page, with forms that try its operations. */
export function apiDocs({ language, t }: View, given: Description): Page {
  const { info, tags = [], paths, components } = inlined(given, given);
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => {
      const id = method + path.replaceAll(/\W+/g, '-');
      const name = `${method.toUpperCase()} ${path}`;
      return { id, name, tags: operation.tags, part: operationPart(t, id, name, operation) };
    }),
  );
  const schemas = Object.entries(components.schemas).map(([name, schema]) => {
    return { id: `schema-${name}`, name, part: schemaPart(t, name, schema) };
  });
  const groups = tags.map(({ name, description }) => {
    const members = operations.filter((each) => each.tags?.includes(name));
    const title = t({ en: name, zh: TAGS_IN_CHINESE[name] ?? name });
    return { id: `tag-${name}`, title, description, members };
  });
  const sections = [...groups, { id: 'schemas', title: t(API_DOCS.schemas), members: schemas }];
  const content = html`
      <div class="indexed">
        <nav aria-labelledby="contents">
          <h2 id="contents">${t(API_DOCS.contents)}</h2>
          ${sections.map(
            ({ id, title, members }) => html`
          <p><a href="#${id}">${title}</a></p>
          <ul>${members.map(({ id, name }) => html`<li><a href="#${id}"><code>${name}</code></a></li>`)}</ul>`,
          )}
        </nav>
        <div>
          ${words(info.description)}
          <p><a href="/openapi.json">${t(API_DOCS.download)}</a></p>
          <p>${t(API_DOCS.descriptions)}</p>
          ${sections.map(
            ({ id, title, members, ...more }) => html`
          <section aria-labelledby="${id}">
            <h2 id="${id}">${title}</h2>
            ${'description' in more && words(more.description)} ${members.map(({ part }) => part)}
          </section>`,
          )}
        </div></div>`;
  const data = exchangeData(language);
  return { ...API_DOCS, styles: ['site.css'], script: 'api-docs.js', data, content };
}

/** A copy with the targets of all references, except schemas: the page links to them. */
function inlined<Part>(part: Part, document: object): Part {
  return JSON.parse(JSON.stringify(part), (_, value: Partial<OpenApi.ReferenceObject> | null) => {
    const [, ...keys] = value?.$ref?.split('/') ?? [];
    if (keys.length === 0 || keys.includes('schemas')) return value;
    const target = keys.reduce((parent, key) => parent[key as keyof object], document);
    return inlined(target, document);
  }) as Part;
}

function operationPart(t: T, id: string, name: string, operation: Operation): Html {
  const { summary, description, parameters = [], requestBody, responses } = operation;
  const fields = parameters.map(({ name, in: place, schema, description = '' }): Field => {
    return [name, { ...schema, description }, place];
  });
  return html`
            <section class="operation" aria-labelledby="${id}">
              <h3 id="${id}"><code>${name}</code> <span lang="en">${summary}</span></h3> ${words(description)}
              ${fields.length > 0 && html`<h4>${t(API_DOCS.parameters)}</h4> ${fieldList(t, fields)}`}
              ${requestBody && html`<h4>${t(API_DOCS.requestBody)}</h4> ${messagePart(t, `${id}-request`, requestBody)}`}
              ${tryPart(t, id, name, operation)}
              <h4>${t(API_DOCS.responses)}</h4>
              <dl class="responses">${Object.entries(responses).map(
                ([status, response]) => html`
                <dt><code>${status}</code></dt>
                <dd>${messagePart(t, `${id}-${status}`, response)}</dd>`,
              )}</dl></section>`;
}

function messagePart(t: T, id: string, message: Message): Html {
  const { description, headers = {}, content = {} } = message;
  return html`${words(description)}
              ${Object.entries(headers).map(
                ([name, { description }]) => html`
              <p>${t(API_DOCS.header)} <code>${name}</code>${t(API_DOCS.colon)}<span lang="en">${description}</span></p>`,
              )}
              ${Object.entries(content).map(
                ([type, { schema = {}, examples = {} }]) => html`
              <p><code>${type}</code>${t(API_DOCS.colon)}${typePart(t, schema)}</p>
              ${Object.entries(examples).map(
                ([name, example]) => html`
              <details class="example">
                <summary id="${id}-${name}-title">${t(API_DOCS.example)}${t(API_DOCS.colon)}<span lang="en">${example.summary ?? name}</span></summary>
                ${copyable(t, `${id}-${name}`, textOf(example))}
              </details>`,
              )}`,
              )}`;
}

/** A form that sends the operation to this service. The script shows it. */
function tryPart(t: T, id: string, name: string, operation: Operation): Html {
  const { parameters = [], requestBody } = operation;
  const [example] = Object.values(requestBody?.content?.['application/json']?.examples ?? {});
  const [method, path] = name.split(' ');
  return html`
              <details class="try" hidden>
                <summary>${t(API_DOCS.tryIt)}</summary>
                <form novalidate data-operation="${id}" data-method="${method}" data-path="${path}">
                  ${parameters.map(
                    ({ name, in: place }) => html`
                  <div class="field">
                    <label for="${id}-${place}-${name}"><code>${name}</code> (${place})</label>
                    <input id="${id}-${place}-${name}" name="${name}" data-in="${place}" autocomplete="off">
                  </div>`,
                  )}
                  ${example && html`<label for="${id}-body">${t(API_DOCS.requestBody)}</label>`}
                  ${example && html`<textarea id="${id}-body" class="code" rows="6" spellcheck="false" autocomplete="off">${textOf(example)}</textarea>`}
                  ${exchangeButtons(t, `${id}-`)}</form>
                <div id="${id}-response">${exchangeAnswer(t, `${id}-`, 5)}</div>
              </details>`;
}

/** The target is inside: browsers open the details around a target, but not a target itself. */
function schemaPart(t: T, name: string, schema: OpenApi.SchemaObject): Html {
  const fields = propertiesOf(t, schema);
  return html`
            <details class="schema">
              <summary><h3><code>${name}</code></h3></summary>
              <div id="schema-${name}">
                ${words(schema.description)}
                ${fields.length > 0 ? fieldList(t, fields) : typePart(t, schema)}
              </div></details>`;
}

function propertiesOf(t: T, schema: Schema, prefix = ''): Field[] {
  if ('$ref' in schema) return [];
  return Object.entries(schema.properties ?? {}).flatMap(([key, property]) => {
    const note = schema.required?.includes(key) ? t(API_DOCS.required) : '';
    return [[prefix + key, property, note], ...propertiesOf(t, property, `${prefix}${key}.`)];
  });
}

function fieldList(t: T, fields: readonly Field[]): Html {
  return html`
              <dl class="fields">${fields.map(
                ([name, schema, note]) => html`
                <div>
                  <dt><code>${name}</code> <small>${note}</small></dt>
                  <dd>${typePart(t, schema)}</dd> <dd>${words(schema.description)}</dd>
                </div>`,
              )}</dl>`;
}

/** The type or schema of a value, with its limits. */
function typePart(t: T, schema: Schema): Html {
  if ('$ref' in schema) {
    const name = schema.$ref.replace('#/components/schemas/', '');
    return html`<a href="#schema-${name}"><code>${name}</code></a>`;
  }
  const { type, description: _, enum: values = [], oneOf = [], ...rest } = schema;
  const limits = Object.entries(rest).filter(([, value]) => typeof value !== 'object');
  const members = 'items' in schema && schema.items ? [schema.items] : oneOf;
  const parts = [
    ...members.map((member) => typePart(t, member)),
    ...limits.map(([key, value]) => html`${key} <code>${value}</code>`),
    ...values.map((value) => html`<code>${JSON.stringify(value)}</code>`),
  ];
  return html`${oneOf.length > 0 ? t(API_DOCS.oneOf) : type}
                    ${parts.length > 0 && html`<ul>${parts.map((part) => html`<li>${part}</li>`)}</ul>`}`;
}
