/** Strings, numbers, literals and punctuation. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[-\d.eE+]+|true|false|null|[{}[\],:]/g;

/** Beyond these limits, indentation and elements would need too much memory. */
const [MAX_LENGTH, MAX_DEPTH] = [1_000_000, 200];

/**
 * JSON, indented and coloured. Every token keeps its characters: numbers keep their digits. Other
 * text, and JSON that is long or deeply nested, stays unchanged.
 *
 * @param {string} text
 */
export function jsonView(text) {
  const tokens = text.length <= MAX_LENGTH && isJson(text) ? (text.match(TOKEN) ?? []) : [];
  const view = document.createDocumentFragment();
  if (tokens.length === 0 || depthOf(tokens) > MAX_DEPTH) {
    view.append(text);
    return view;
  }
  let depth = 0;
  const newLine = () => `\n${'  '.repeat(depth)}`;
  for (const [index, token] of tokens.entries()) {
    const isEmpty = /^[{[]$/.test(tokens[index - 1] ?? '') && /^[}\]]$/.test(token);
    if (token === '{' || token === '[') {
      depth += 1;
      const closesAtOnce = /^[}\]]$/.test(tokens[index + 1] ?? '');
      view.append(closesAtOnce ? token : token + newLine());
    } else if (token === '}' || token === ']') {
      depth -= 1;
      view.append(isEmpty ? token : newLine() + token);
    } else if (token === ',') view.append(token + newLine());
    else if (token === ':') view.append(': ');
    else view.append(coloured(token, tokens[index + 1] === ':'));
  }
  return view;
}

/** @param {readonly string[]} tokens */
function depthOf(tokens) {
  let [depth, most] = [0, 0];
  for (const token of tokens) {
    if (token === '{' || token === '[') depth += 1;
    else if (token === '}' || token === ']') depth -= 1;
    most = Math.max(most, depth);
  }
  return most;
}

/** @param {string} text */
export function isJson(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * @param {string} token
 * @param {boolean} isName
 */
function coloured(token, isName) {
  const kind = isName ? 'name' : token.startsWith('"') ? 'string' : 'literal';
  const made = document.createElement('span');
  made.className = `json-${kind}`;
  made.textContent = token;
  return made;
}
