import { printJson } from '../../json/print.ts';
import type { JsonMember } from '../../json/value.ts';
import type { SignatureMode } from '../../protocol/operations.ts';
import type { NullAs } from '../canonical.ts';
import type { Header } from '../header-mode.ts';
import type { ProgramLanguage } from './languages.ts';
import { escapeInvisible, LITERALS } from './literals.ts';
import bash from './templates/bash.sh?raw';
import csharp from './templates/csharp.cs?raw';
import go from './templates/go.go?raw';
import java from './templates/java.java?raw';
import node from './templates/node.mjs?raw';
import php from './templates/php.php?raw';
import python from './templates/python.py?raw';
import ruby from './templates/ruby.rb?raw';

export interface ProgramRequest {
  readonly mode: SignatureMode;
  readonly url: string;
  readonly apiKey: string;
  /** The fields of the body, without generated ones. */
  readonly members: readonly JsonMember[];
  /** The `X-TMS-*` headers that are given; the program generates the others. */
  readonly headers: readonly Header[];
  readonly nullAs: NullAs;
  readonly timestampUnit: 's' | 'ms';
  readonly nonce: boolean;
  /** Whether the address and the credentials are those of the sandbox. */
  readonly sandbox: boolean;
}

const TEMPLATES: { readonly [language in ProgramLanguage]: string } = {
  python,
  go,
  java,
  php,
  node,
  ruby,
  csharp,
  bash,
};

/** A program that signs a request with fresh common fields and sends it. It contains no secret. */
export function programText(language: ProgramLanguage, request: ProgramRequest): string {
  const lines = withSections(TEMPLATES[language], sectionsOf(request));
  return filled(lines, language, request).trimEnd();
}

function sectionsOf(request: ProgramRequest): ReadonlySet<string> {
  const { mode, nullAs, timestampUnit, nonce, sandbox } = request;
  const sections = new Set<string>([mode, nullAs, timestampUnit]);
  if (nonce) sections.add('nonce');
  if (sandbox) sections.add('sandbox');
  return sections;
}

/** Keeps the lines between `{{#name}}` and `{{/name}}` for the names given; sections may nest. */
function withSections(template: string, kept: ReadonlySet<string>): string {
  const open: string[] = [];
  const lines = template.split('\n').filter((line) => {
    const [, sign, name = ''] = /^\s*\{\{([#/])(\w+)\}\}$/.exec(line) ?? [];
    if (sign === '#') open.push(name);
    if (sign === '/') open.pop();
    return sign === undefined && open.every((section) => kept.has(section));
  });
  return lines.join('\n');
}

/** Replaces the placeholders by literals, in one pass: placeholders in the user's text stay. */
function filled(
  template: string,
  language: ProgramLanguage,
  { url, apiKey, members, headers }: ProgramRequest,
): string {
  const { text, headers: map } = LITERALS[language];
  const values: Readonly<Record<string, string>> = {
    url: text(url),
    api_key: text(apiKey),
    request_body: text(escapeInvisible(printJson({ kind: 'object', members }))),
    headers: map(headers),
  };
  return template.replace(
    /\{\{(url|api_key|request_body|headers)\}\}/g,
    (_, name: string) => values[name] ?? '',
  );
}

/** Encodes characters outside RFC 3986: browsers accept them, but Java does not. */
export function strictUrl(text: string): string {
  const url = new URL(text);
  url.pathname = url.pathname.replace(LENIENT, encodeURIComponent);
  url.search = url.search.replace(LENIENT, encodeURIComponent);
  return url.href;
}

const LENIENT = /[[\]\\^`{|}]/g;
