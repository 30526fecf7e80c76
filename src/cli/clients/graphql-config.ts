import { readdir, readFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { MopError } from '../../errors.ts';
import { failureReason } from '../../files/file-error.ts';
import type { Context } from '../context/context.ts';
import type { Io } from '../context/io.ts';

/** The schema and the documents of a project, as `.graphqlrc` names them. */
export interface GraphqlProject {
  /** The file of the configuration. */
  readonly file: string;
  readonly schema: readonly SchemaEntry[];
  /** Files, directories and patterns; one that begins with `!` removes files. */
  readonly documents: readonly string[];
}

interface SchemaEntry {
  /** A file, a directory, a pattern, or the URL of an endpoint. */
  readonly source: string;
  /** Headers for a URL, as `-H` takes them. */
  readonly header: readonly string[];
}

/** The names of GraphQL Config. Only the formats with data are read; YAML includes JSON. */
const NAME = /^(?:\.graphqlrc(?:\.\w+)?|graphql\.config\.\w+)$/;
const READABLE = /(?:rc|\.json|\.ya?ml)$/;

/**
 * The project of the nearest `.graphqlrc` or `graphql.config` file (the format of GraphQL Config),
 * in the current directory or above it. Undefined without such a file. Warns of projects that are
 * not used.
 */
export async function graphqlProject(context: Context): Promise<GraphqlProject | undefined> {
  for (let directory = process.cwd(); ; directory = dirname(directory)) {
    const name = (await readdir(directory).catch(() => [])).find((each) => NAME.test(each));
    if (name !== undefined) return readProject(join(directory, name), context);
    if (dirname(directory) === directory) return undefined;
  }
}

async function readProject(file: string, { io, output }: Context): Promise<GraphqlProject> {
  if (!READABLE.test(file)) throw fault(file, 'is not in YAML or JSON');
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw fault(file, `cannot be read: ${failureReason(error)}`, error);
  });
  const { parse } = await import('yaml');
  let config: unknown;
  try {
    config = parse(interpolated(text, io.env), { merge: true });
  } catch (error) {
    const [reason] = String((error as Error).message).split('\n');
    throw fault(file, `is not YAML or JSON: ${reason}`, error);
  }
  const { project, others } = projectIn(config, file);
  if (others.length > 0) {
    output.warn(`only the project "default" of ${file} is used, not: ${others.join(', ')}`);
  }
  const { schema, documents, exclude } = project;
  const textsOf = (value: unknown, key: string): string[] => {
    const entries = entriesOf(value);
    if (entries.every(isText))
      return entries.map((path) => placedBeside(file, complete(path, file)));
    throw fault(file, `has "${key}" that is not a text or a list of texts`);
  };
  return {
    file,
    schema: entriesOf(schema).flatMap((entry) => schemaEntries(entry, file)),
    documents: [
      ...textsOf(documents, 'documents'),
      ...textsOf(exclude, 'exclude').map((path) => `!${path}`),
    ],
  };
}

const VARIABLE = /\$\{(\w+)(?::([^${}\n]*))?\}/g;

/**
 * Replaces `${NAME}` and `${NAME:default}` by variables of the environment. An empty variable takes
 * the default. One without a value stays, and so does one of mop: the file may come from someone
 * else, and could send a secret to a server.
 */
function interpolated(text: string, env: Io['env']): string {
  return text.replace(VARIABLE, (all, name: string, value?: string) =>
    OF_MOP.test(name) ? all : env[name] || value || all,
  );
}

const OF_MOP = /^MOP_/i;

/** A text of the configuration that is used. */
function complete(text: string, file: string): string {
  const [[, name = ''] = []] = text.matchAll(VARIABLE);
  if (name === '') return text;
  throw OF_MOP.test(name)
    ? fault(file, `uses ${name}, which may be a secret of mop`)
    : fault(file, `needs the variable ${name} of the environment, which is not set`);
}

type Entries = Readonly<Record<string, unknown>>;

/** The project in a configuration: the whole, its only project, or the one called `default`. */
function projectIn(config: unknown, file: string) {
  const whole = isEntries(config) ? config : {};
  const projects = isEntries(whole.projects) ? whole.projects : { default: whole };
  const names = Object.keys(projects);
  const chosen = names.length === 1 ? names[0] : 'default';
  const project = projects[chosen ?? ''];
  if (project === undefined) {
    const found = names.length === 0 ? 'no projects' : `several projects, ${names.join(', ')},`;
    throw fault(file, `has ${found} and none called "default"`);
  }
  const others = names.filter((name) => name !== chosen);
  // A project may also be only its schema.
  return { project: isEntries(project) ? project : { schema: project }, others };
}

/** An entry of `schema`: a source, or an object with a URL as its key, and headers. */
function schemaEntries(entry: unknown, file: string): SchemaEntry[] {
  if (isText(entry)) return [{ source: placedBeside(file, complete(entry, file)), header: [] }];
  if (!isEntries(entry)) throw fault(file, 'has "schema" that is not a path, a URL or a list');
  return Object.entries(entry).map(([source, options]) => {
    const headers = isEntries(options) && isEntries(options.headers) ? options.headers : {};
    const header = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    return {
      source: placedBeside(file, complete(source, file)),
      header: header.map((line) => complete(line, file)),
    };
  });
}

function entriesOf(value: unknown): readonly unknown[] {
  return [value ?? []].flat();
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isEntries(value: unknown): value is Entries {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A path of the file, relative to the current directory. URLs are unchanged. */
function placedBeside(file: string, path: string): string {
  const [, prefix, rest] = /^(!|git:[^:]+:)(.*)$/s.exec(path) ?? [];
  if (prefix !== undefined && rest !== undefined) return prefix + placedBeside(file, rest);
  if (/^\w+:/.test(path) || isAbsolute(path)) return path;
  return relative(process.cwd(), join(dirname(file), path)) || '.';
}

function fault(file: string, message: string, cause?: unknown): MopError {
  return new MopError('usage', `${file} ${message}`, {
    hint: 'pass the schema with --schema FILE, and the documents as arguments',
    cause,
  });
}
