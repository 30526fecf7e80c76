/** Reads a page of docs/: its links, its anchors, and the commands in its code blocks. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

export interface Page {
  /** The path below the root of the repository. */
  readonly name: string;
  readonly text: string;
}

export function readPage(name: string): Page {
  return { name, text: readFileSync(`${ROOT}/${name}`, 'utf8') };
}

/** Pages that a program generates, or that contain rules instead of tasks. */
const REFERENCE = /^docs\/(?:README|contract)\.md$/;

/** The pages of docs/, without those of its folders. */
export const PAGES = readdirSync(`${ROOT}/docs`)
  .filter((name) => name.endsWith('.md'))
  .map((name) => readPage(`docs/${name}`));

/** Chinese pages, each with the English page of the same name; without their own. */
export const CHINESE_PAGES = readdirSync(`${ROOT}/docs/zh`)
  .filter((name) => name.endsWith('.md') && !/^(?:README|glossary)\.md$/.test(name))
  .map((name) => readPage(`docs/zh/${name}`));

/** The pages that describe a task. The tests run their commands. */
export const TASK_PAGES = PAGES.filter(({ name }) => !REFERENCE.test(name));

export interface Block {
  readonly language: string;
  readonly code: string;
  /** The line of the first line of code, from 1. */
  readonly line: number;
  /** The reason of a comment `<!-- not run: REASON -->` before the block. */
  readonly notRun: string | undefined;
  /** Programs of a comment `<!-- needs: PROGRAM PROGRAM -->` before the block. */
  readonly needs: readonly string[];
}

export function readBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  const pattern = /(?:<!-- (not run|needs): (.*?) -->\n+)?^```(\w*)\n(.*?)^```$/gms;
  for (const match of text.matchAll(pattern)) {
    const [whole, kind, detail = '', language = '', code = ''] = match;
    const before = text.slice(0, match.index) + whole.slice(0, whole.indexOf('```'));
    blocks.push({
      language,
      code,
      line: before.split('\n').length + 1,
      notRun: kind === 'not run' ? detail : undefined,
      needs: kind === 'needs' ? detail.split(' ') : [],
    });
  }
  return blocks;
}

/** A command of a `console` block, and the output below it. */
export interface Example {
  readonly command: string;
  readonly output: string;
}

/** The examples of a `console` block. An empty line before a command belongs to no output. */
export function readExamples(code: string): Example[] {
  return code
    .split(/^\$ /m)
    .slice(1)
    .map((text) => {
      const lines = text.split('\n');
      const end = lines.findIndex((line, index) => index > 0 && !line.startsWith('> '));
      const command = lines
        .slice(0, end)
        .map((line, index) => (index === 0 ? line : line.slice(2)));
      return { command: command.join('\n'), output: lines.slice(end).join('\n').trimEnd() };
    });
}

/** The anchors of a page, as GitHub derives them from its headings. */
export function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of withoutCode(text).matchAll(/^#{1,6} (.*)$/gm)) {
    const slug = heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, '')
      .replaceAll(' ', '-');
    let anchor = slug;
    for (let count = 1; anchors.has(anchor); count++) anchor = `${slug}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** The text of a page without its generated part. */
export function withoutGenerated(text: string): string {
  return text.replace(/<!-- Generated .*<!-- End /s, '');
}

/** The text of a page without its code blocks. */
export function withoutCode(text: string): string {
  return text.replaceAll(/^(`{3,}).*?^\1$/gms, '');
}
