/** Collections of requests for Postman and Bruno, made from the OpenAPI document of the platform. */

/**
 * The date of the newest bill that is ready on any platform. The bill of a day is ready from 10:00
 * of the next day in Asia/Shanghai: 02:00 UTC, 26 hours after the day began in UTC.
 */
const BILL_DATE = 'new Date(Date.now() - 26 * 3600 * 1000).toISOString().slice(0, 10)';

const DESCRIPTION =
  'The operations of the platform in both signature modes, for use through `mop proxy`, which signs them. Start it first: `mop proxy --env sandbox`. The examples are made for the sandbox. The variable `proxy` is the address of the proxy.';

/** Values that Postman and Bruno generate for each request. */
export const VARIABLES = { server: '{{proxy}}', billDate: '{{bill_date}}' };

/**
 * The files of the collections, by their path below docs/clients/.
 *
 * @param document The document with {@link VARIABLES}.
 * @param proxy The address of the proxy.
 */
export function clientFiles(document, proxy) {
  const folders = document.tags.map(({ name, description }) => ({
    name,
    description,
    requests: requestsOf(document, name),
  }));
  const { title } = document.info;
  return {
    'mop.postman_collection.json': json(postmanCollection(title, folders, proxy)),
    ...brunoFiles(title, folders, proxy),
  };
}

/** The operations with a tag, each with its first example. */
function requestsOf({ paths, servers: [{ url }] }, tag) {
  return Object.entries(paths)
    .filter(([, { post }]) => post.tags.includes(tag))
    .map(([path, { post }]) => {
      const [example] = Object.values(post.requestBody.content['application/json'].examples);
      return {
        name: post.summary,
        id: post.operationId,
        url: url + path,
        body: JSON.stringify(example.value, null, 2),
      };
    });
}

/** A collection in format 2.1 of Postman. */
function postmanCollection(name, folders, proxy) {
  return {
    info: {
      name,
      description: DESCRIPTION,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    item: folders.map(({ name: folder, description, requests }) => ({
      name: folder,
      description,
      item: requests.map(postmanItem),
    })),
    event: [postmanScript('prerequest', [`pm.variables.set('bill_date', ${BILL_DATE});`])],
    variable: [{ key: 'proxy', value: proxy }],
  };
}

function postmanItem({ name, url, body }) {
  return {
    name,
    request: {
      method: 'POST',
      header: [{ key: 'Content-Type', value: 'application/json' }],
      body: { mode: 'raw', raw: body, options: { raw: { language: 'json' } } },
      url,
    },
    event: [
      postmanScript('test', [
        "pm.test('code is 0', () => {",
        '  pm.expect(pm.response.json().code).to.equal(0);',
        '});',
      ]),
    ],
  };
}

function postmanScript(listen, exec) {
  return { listen, script: { type: 'text/javascript', exec } };
}

/** A collection of Bruno: a file for each request. */
function brunoFiles(name, folders, proxy) {
  const files = {
    'bruno/bruno.json': json({ version: '1', name, type: 'collection' }),
    'bruno/collection.bru': blocks({
      'vars:pre-request': `proxy: ${proxy}`,
      'script:pre-request': `bru.setVar('bill_date', ${BILL_DATE});`,
      docs: DESCRIPTION,
    }),
  };
  folders.forEach(({ name: folder, description, requests }, index) => {
    const directory = `bruno/${folder.toLowerCase().replaceAll(' ', '-')}`;
    files[`${directory}/folder.bru`] = blocks({
      meta: `name: ${folder}\nseq: ${index + 1}`,
      docs: description,
    });
    requests.forEach(({ name: request, id, url, body }, position) => {
      files[`${directory}/${id}.bru`] = blocks({
        meta: `name: ${request}\ntype: http\nseq: ${position + 1}`,
        post: `url: ${url}\nbody: json\nauth: none`,
        'body:json': body,
        tests: "test('code is 0', () => {\n  expect(res.getBody().code).to.equal(0);\n});",
      });
    });
  });
  return files;
}

/** A file in the language of Bruno. */
function blocks(contents) {
  return Object.entries(contents)
    .map(([name, content]) => `${name} {\n${content.replaceAll(/^/gm, '  ')}\n}\n`)
    .join('\n');
}

function json(value) {
  return `${JSON.stringify(value, null, 2)}\n`;
}
