/** Draws the output of a terminal as an animated SVG. */

const [CHARACTER, LINE, PADDING] = [8.4, 19, 18];
/** Width of the terminal, in characters. */
export const COLUMNS = 100;

/** Seconds for typing a command, and for reading its output. */
const [TYPING, READING] = [0.9, 1.6];

/** Colours by the SGR codes that mop writes: 30 to 37, and 90 for grey. */
const COLOURS = {
  30: '#3b4252',
  31: '#e06c75',
  32: '#98c379',
  33: '#e5c07b',
  34: '#61afef',
  35: '#c678dd',
  36: '#56b6c2',
  37: '#dcdfe4',
  90: '#7f848e',
};

/**
 * @param scenes Commands with their output, colours included.
 * @returns The SVG. Without animation, it shows all commands at once.
 */
export function drawTerminal(scenes) {
  const lines = [];
  let moment = 0.3;
  for (const { command, output } of scenes) {
    lines.push({
      moment,
      spans: [
        { text: '$ ', fill: COLOURS[32] },
        { text: command, bold: true },
      ],
    });
    moment += TYPING;
    const text = output.trimEnd();
    if (text !== '') {
      for (const line of text.split('\n')) lines.push({ moment, spans: spansOf(line) });
    }
    lines.push({ moment, spans: [] });
    moment += READING;
  }
  const width = Math.ceil(COLUMNS * CHARACTER + 2 * PADDING);
  const height = (lines.length - 1) * LINE + 2 * PADDING;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="A terminal: mop explains a wrong signature, fetches verified bills, and compares a day with orders">
<style>
text { font: 14px ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace; fill: #dcdfe4; white-space: pre; }
@media (prefers-reduced-motion: no-preference) {
  text { animation: appear 0.01s linear backwards; }
  @keyframes appear { from { opacity: 0; } }
}
</style>
<rect width="100%" height="100%" rx="8" fill="#1e222a"/>
${lines.map(drawLine).join('')}</svg>
`;
}

function drawLine({ moment, spans }, row) {
  if (spans.length === 0) return '';
  const y = PADDING + row * LINE + 10;
  const text = spans.map(drawSpan).join('');
  return `<text x="${PADDING}" y="${y}" style="animation-delay:${moment.toFixed(1)}s" xml:space="preserve">${text}</text>\n`;
}

function drawSpan({ text, fill, bold }) {
  const style = `${fill ? ` fill="${fill}"` : ''}${bold ? ' font-weight="bold"' : ''}`;
  return `<tspan${style}>${escaped(text)}</tspan>`;
}

/** Splits a line into pieces of one colour and weight. */
function spansOf(line) {
  const spans = [];
  let style = {};
  // biome-ignore lint/suspicious/noControlCharactersInRegex: SGR codes begin with ESC
  for (const [, code, text] of line.matchAll(/(?:\u001b\[([\d;]*)m)?([^\u001b]*)/g)) {
    for (const number of code?.split(';') ?? []) style = styleAfter(style, Number(number));
    if (text) spans.push({ text, ...style });
  }
  return spans;
}

function styleAfter(style, number) {
  if (number === 0) return {};
  if (number === 1) return { ...style, bold: true };
  if (number === 22) return { ...style, bold: false };
  if (number === 39) return { ...style, fill: undefined };
  return COLOURS[number] ? { ...style, fill: COLOURS[number] } : style;
}

function escaped(text) {
  return text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);
}
