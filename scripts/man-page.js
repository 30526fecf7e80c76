/** Man pages in the macros of man(7), which groff and mandoc both read. */

/**
 * The page of a command, section 1.
 *
 * @param command A command of `mop help --json`. `globals` are the global options, if the page
 *   shows them.
 * @param manual The meanings of exit codes (`exit_codes` of `mop help exit-codes --json`), and the
 *   topics.
 */
export function commandPage(command, { meanings, topics }, version) {
  const { path, usage, description, globals, notes, examples } = command;
  const name = path.replaceAll(' ', '-');
  return page(name, 1, version, [
    section('NAME', `${text(name)} \\- ${text(description.replace(/\.$/, ''))}`),
    section('SYNOPSIS', `.B ${text(path)}\n${text(usage.slice(path.length + 1))}`),
    section('DESCRIPTION', [description, ...notes].map(paragraph).join('\n.PP\n')),
    section('COMMANDS', command.commands.map((child) => commandEntry(name, child)).join('\n')),
    section('ARGUMENTS', command.arguments.map(argumentEntry).join('\n')),
    section('OPTIONS', grouped([...command.options, ...globals])),
    section('EXIT STATUS', command.exit_codes.map((code) => exitEntry(code, meanings)).join('\n')),
    section('EXAMPLES', example(examples.join('\n'))),
    section('SEE ALSO', seeAlso(path.split(' ').slice(0, -1).join('-'), topics)),
  ]);
}

/** The page of a topic, section 7, from `mop help TOPIC --json`. */
export function topicPage({ topic, title, text: body }, version) {
  const name = `mop-${topic}`;
  return page(name, 7, version, [
    section('NAME', `${text(name)} \\- ${text(title)}`),
    // The lines of the text are already wrapped.
    section('DESCRIPTION', example(body)),
    section('SEE ALSO', '.BR mop (1)'),
  ]);
}

function page(name, number, version, sections) {
  const head = `.TH ${text(name.toUpperCase())} ${number} "" "mop ${version}" "mop manual"`;
  return `${[head, ...sections.filter((each) => each !== '')].join('\n')}\n`;
}

function section(title, body) {
  return body === '' ? '' : `.SH ${title}\n${body}`;
}

function commandEntry(parent, { name, description }) {
  return `.TP\n.BR ${text(`${parent}-${name}`)} (1)\n${text(description)}`;
}

function argumentEntry({ name, description, kind, open, variadic }) {
  return `.TP\n.I ${text(name)}${variadic ? ' ...' : ''}\n${text(described(description, { kind, open }))}`;
}

function grouped(options) {
  return [...new Set(options.map(({ group }) => group))]
    .map((group) => {
      const members = options.filter((option) => option.group === group);
      return `.SS ${text(group)}\n${members.map(optionEntry).join('\n')}`;
    })
    .join('\n');
}

function optionEntry({ names, value, description }) {
  const words = names.map((name) => `\\fB${text(name)}\\fR`).join(', ');
  const term = value ? `${words} \\fI${text(value.name)}\\fR` : words;
  return `.TP\n${term}\n${text(described(description, value))}`;
}

/** Appends the accepted values, if they are a closed list. */
function described(description, value) {
  const { kind, open } = value ?? {};
  return Array.isArray(kind) && !open ? `${description}: ${kind.join(', ')}` : description;
}

function exitEntry({ code, name }, meanings) {
  const { meaning } = meanings.find((each) => each.code === code);
  return `.TP\n.B ${code}\n${text(`${name}: ${meaning}`)}`;
}

function seeAlso(parent, topics) {
  const pages = topics.map((topic) => `mop-${topic} (7)`);
  if (parent !== '') pages.unshift(`${parent} (1)`);
  return pages.map((page) => `.BR ${text(page)}`).join(',\n');
}

function paragraph(words) {
  return words.includes('\n') ? example(words) : text(words);
}

function example(lines) {
  return `.EX\n${text(lines)}\n.EE`;
}

/** Escapes the characters that troff interprets, so that the text can be copied from a terminal. */
function text(words) {
  return words
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll("'", '\\(aq')
    .replaceAll('`', '\\(ga')
    .replaceAll('^', '\\(ha')
    .replaceAll('~', '\\(ti')
    .replace(/[^\n -~]/gu, (character) => `\\[u${hex(character)}]`)
    .replace(/^\./gm, '\\&.');
}

function hex(character) {
  return character.codePointAt(0).toString(16).toUpperCase().padStart(4, '0');
}
