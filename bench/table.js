/** Formats figures as a table that is readable in a terminal and valid in Markdown. */

const COLUMNS = ['case', 'goal', 'measured', 'met', 'runs', 'wall', 'CPU', 'CPU ratio'];

/**
 * @param rows `{ subject, value, unit, atMost or atLeast, runs, wall, cpu }`, or `{ subject, text }` for
 *   a figure in words; `wall` and `cpu` are seconds of one or two sides.
 */
export function table(rows, columns = COLUMNS) {
  const cells = rows.map((row) => ({ ...row, case: row.subject, ...cellsOf(row) }));
  const shown = columns.filter((name) => cells.some((row) => row[name]));
  const lines = [
    Object.fromEntries(shown.map((name) => [name, name])),
    Object.fromEntries(shown.map((name) => [name, '---'])),
    ...cells,
  ].map((row) => shown.map((name) => String(row[name] ?? '').replaceAll('|', '\\|')));
  const widths = shown.map((_, at) => Math.max(...lines.map((line) => line[at].length)));
  return lines
    .map((line) => `| ${line.map((cell, at) => cell.padEnd(widths[at])).join(' | ')} |\n`)
    .join('');
}

/** The table of several parts, each row with the name of its part. */
export function wholeTable(parts) {
  const rows = parts.flatMap(({ name, rows }) => rows.map((row) => ({ part: name, ...row })));
  return table(rows, ['part', ...COLUMNS]);
}

/** One row as a line of text. */
export function lineOf(row) {
  const { subject, measured, goal, met } = { ...row, ...cellsOf(row) };
  return `${subject}: ${measured}${goal ? ` (goal ${goal}: ${met})` : ''}`;
}

function cellsOf({ value, unit, text, atMost, atLeast, runs, wall, cpu }) {
  if (value === undefined) return { measured: text };
  const goal = atMost ?? atLeast;
  const sign = atMost === undefined ? '≥' : '≤';
  const isMet = atMost === undefined ? value >= atLeast : value <= atMost;
  return {
    goal: goal === undefined ? '' : `${sign} ${amount(goal, unit, 0)}`,
    measured: text === undefined ? amount(value, unit) : `${amount(value, unit)}; ${text}`,
    met: goal === undefined ? '' : isMet ? 'yes' : 'no',
    runs,
    wall: wall && durations(wall),
    CPU: cpu && durations(cpu),
    'CPU ratio': cpu?.length === 2 && cpu[1] > 0 ? (cpu[0] / cpu[1]).toFixed(2) : '',
  };
}

function amount(value, unit, leastDigits) {
  const digits = { MiB: 0, '%': 1 }[unit] ?? (value < 10 ? 2 : 0);
  const number = value.toLocaleString('en', {
    signDisplay: 'negative',
    maximumFractionDigits: digits,
    minimumFractionDigits: leastDigits ?? digits,
  });
  return unit ? `${number} ${unit}` : number;
}

/** All durations have one unit: whole milliseconds if all are below a second. */
export function durations(seconds) {
  const isShort = seconds.every((each) => each < 1);
  const numbers = seconds.map((each) => (isShort ? (1000 * each).toFixed(0) : each.toFixed(2)));
  return `${numbers.join(' / ')} ${isShort ? 'ms' : 's'}`;
}
