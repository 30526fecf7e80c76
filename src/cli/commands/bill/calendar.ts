import type { BillState, CheckedBill } from '../../../platform/bills/state.ts';
import type { Language } from '../../../protocol/language.ts';
import type { Style } from '../../context/style.ts';
import { padded } from '../../context/table.ts';

/** ASCII marks keep a calendar readable without colour and in any locale. */
const MARKS: Readonly<Record<BillState, string>> = {
  verified: '+',
  unverified: '?',
  changed: '!',
  missing: 'X',
  'no-bill': '.',
  'not-ready': '~',
};

const WEEK_DAYS = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su'];
/** A day of two digits and its mark. */
const CELL_WIDTH = 3;
const MONTH_WIDTH = WEEK_DAYS.length * (CELL_WIDTH + 1) - 1;
const LEGEND_WIDTH = 16;
const GAP = '   ';

/**
 * A calendar of days: as many months in a row as fit, weeks from Monday, and a legend. Each day has
 * a mark and a colour for its state; other days are blank.
 */
export function calendar(
  days: readonly CheckedBill[],
  columns: number,
  styles: Style,
  language: Language,
): string {
  const months = [...new Set(days.map(({ date }) => date.slice(0, 7)))];
  const blocks = months.map((month) =>
    monthLines(
      month,
      days.filter(({ date }) => date.startsWith(month)),
      styles,
      language,
    ),
  );
  const legend = legendItems(days, styles).map((item) => [item]);
  return [
    ...sideBySide(blocks, MONTH_WIDTH, columns),
    '',
    ...sideBySide(legend, LEGEND_WIDTH, columns),
  ].join('\n');
}

/** Lines of the same width: the month's name, the days of the week, and its weeks. */
function monthLines(
  month: string,
  days: readonly CheckedBill[],
  styles: Style,
  language: Language,
): string[] {
  const first = new Date(`${month}-01T00:00:00Z`);
  const name = first.toLocaleDateString(language, {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
  // getUTCDay counts from Sunday.
  const offset = (first.getUTCDay() + 6) % 7;
  const states = new Map(days.map(({ date, state }) => [Number(date.slice(8)), state]));
  const weekOf = (day: number): number => Math.floor((day - 1 + offset) / 7);
  const firstWeek = weekOf(Math.min(...states.keys()));
  const lastWeek = weekOf(Math.max(...states.keys()));
  const weeks = Array.from({ length: lastWeek - firstWeek + 1 }, (_, index) =>
    WEEK_DAYS.map((_, weekDay) => {
      const day = (firstWeek + index) * 7 + weekDay - offset + 1;
      const state = states.get(day);
      if (state === undefined) return ' '.repeat(CELL_WIDTH);
      return styleOf(state, styles)(`${String(day).padStart(2)}${MARKS[state]}`);
    }).join(' '),
  );
  return [
    styles.bold(padded(name, MONTH_WIDTH)),
    styles.dim(WEEK_DAYS.map((name) => name.padEnd(CELL_WIDTH)).join(' ')),
    ...weeks,
  ];
}

/** The mark, the count and the name of each state that occurs. */
function legendItems(days: readonly CheckedBill[], styles: Style): string[] {
  return (Object.keys(MARKS) as BillState[]).flatMap((state) => {
    const count = days.filter((day) => day.state === state).length;
    const item = `${MARKS[state]} ${count} ${state}`.padEnd(LEGEND_WIDTH);
    return count > 0 ? styleOf(state, styles)(item) : [];
  });
}

/** Arranges blocks of lines in rows that fit the terminal, with at least one block in each row. */
function sideBySide(
  blocks: readonly (readonly string[])[],
  width: number,
  columns: number,
): string[] {
  const perRow = Math.max(1, Math.floor((columns + GAP.length) / (width + GAP.length)));
  const lines: string[] = [];
  for (let start = 0; start < blocks.length; start += perRow) {
    const row = blocks.slice(start, start + perRow);
    const height = Math.max(...row.map((block) => block.length));
    // Separate rows with an empty line, unless each block is a single line.
    if (start > 0 && height > 1) lines.push('');
    for (let line = 0; line < height; line++) {
      const parts = row.map((block) => block[line] ?? ' '.repeat(width));
      lines.push(parts.join(GAP).trimEnd());
    }
  }
  return lines;
}

function styleOf(state: BillState, styles: Style): Style {
  return {
    verified: styles.green,
    unverified: styles.yellow,
    changed: styles.red.bold,
    missing: styles.yellow.bold,
    'no-bill': styles.dim,
    'not-ready': styles.cyan,
  }[state];
}
