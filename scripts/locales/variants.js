/** The alternatives of a text in a syntax tree, with `{}` for each inserted value. */

/** A text with more alternatives gets a placeholder. */
const MAX_VARIANTS = 12;

/** Functions that return their argument, as far as a text is concerned. */
const TRANSPARENT = /^(?:own|capitalized|visibleLine)$/;

const STYLE = /^(?:bold|dim|underline|inverse|red|green|yellow|blue|magenta|cyan|heading)$/;

/** A mark around a styled text, which is translated by itself. */
const BOUNDARY = '\0';

/** Reads the texts of a module. */
export class Variants {
  #constants;

  /** @param {{ body: object[] }} program */
  constructor(program) {
    this.#constants = constantsOf(program);
  }

  /**
   * @param {object} node
   * @returns {string[] | undefined} Such as singular and plural; undefined unless it is a string.
   */
  of(node) {
    switch (node?.type) {
      case 'Literal':
        return typeof node.value === 'string' ? [node.value] : undefined;
      case 'TemplateLiteral':
        return this.#ofTemplate(node);
      case 'TaggedTemplateExpression':
        return node.tag.name === 'quoted' ? this.of(node.quasi) : undefined;
      case 'BinaryExpression':
        return this.#ofSum(node);
      case 'ConditionalExpression':
        return this.#ofChoice(node);
      case 'Identifier':
        return this.of(this.#constants.get(node.name));
      case 'CallExpression':
        return this.#ofCall(node);
      default:
        return undefined;
    }
  }

  #ofTemplate({ quasis, expressions }) {
    return joined(
      quasis.flatMap(({ value }, at) => [
        [value.cooked ?? ''],
        ...(at < expressions.length ? [this.#inserted(expressions[at])] : []),
      ]),
    );
  }

  #ofSum({ operator, left, right }) {
    const parts = [left, right].map((each) => this.of(each));
    if (operator !== '+' || parts.every((part) => part === undefined)) return undefined;
    return joined(parts.map((part) => part ?? ['{}']));
  }

  #ofChoice({ consequent, alternate }) {
    const [yes, no] = [consequent, alternate].map((branch) =>
      branch.name === 'undefined' ? [''] : this.of(branch),
    );
    return yes && no ? [...yes, ...no] : undefined;
  }

  #ofCall({ callee, arguments: [first, second] }) {
    if (callee.name === 'counted') {
      return this.of(second)?.flatMap((noun) => [`{} ${noun}`, `{} ${noun}s`]);
    }
    if (TRANSPARENT.test(callee.name)) return this.of(first);
    if (!isStyle(callee)) return undefined;
    return this.of(first)?.map((text) => (/[a-z]/i.test(text) ? BOUNDARY + text + BOUNDARY : text));
  }

  #inserted(node) {
    const texts = this.of(node);
    return texts && texts.length <= MAX_VARIANTS ? texts : ['{}'];
  }
}

/** All combinations of alternatives. */
function joined(parts) {
  return parts.reduce(
    (starts, part) => {
      const all = starts.flatMap((start) => part.map((end) => start + end));
      return all.length <= MAX_VARIANTS ? all : starts.map((start) => `${start}{}`);
    },
    [''],
  );
}

/** `style.red(…)`, `style[name](…)`, or `bold(…)`. */
export function isStyle(callee) {
  if (callee.type === 'Identifier') return STYLE.test(callee.name);
  if (callee.type !== 'MemberExpression') return false;
  return STYLE.test(callee.property.name) || /^styles?$/.test(callee.object.name);
}

/** The parts of a text that are translated separately: its lines, and styled parts. */
export function separated(text) {
  return text.split(/[\n\0]/).map(trimmed);
}

/** A text without the white space around it, and with one placeholder for adjacent values. */
export function trimmed(text) {
  return text.trim().replaceAll(/(?:\{\})+/g, '{}');
}

/** The constants of a module that are strings. */
function constantsOf({ body }) {
  const found = new Map();
  for (const statement of body) {
    const { declarations = [] } = statement.declaration ?? statement;
    for (const { id, init } of declarations) {
      const isText = /^(?:Literal|TemplateLiteral)$/.test(init?.type);
      if (isText && /^[A-Z_]+$/.test(id.name)) found.set(id.name, init);
    }
  }
  return found;
}

/** The nodes within a node. */
export function* childrenOf(node) {
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child?.type === 'string') yield child;
    }
  }
}
