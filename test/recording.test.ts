/** The recording of the README shows what the commands print today. */
import { readFileSync, rmSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { COMMANDS, makeStage, play } from '../scripts/recording.js';
import { drawTerminal } from '../scripts/terminal-svg.js';

/** The lines of a picture. Numbers differ from day to day. */
function shown(svg: string): string[] {
  return svg
    .split('\n')
    .filter((line) => line.startsWith('<text'))
    .map((line) => line.replace(/<text[^>]*>/, '').replace(/\d+/g, '0'));
}

it('is what the commands print: npm run recording draws it again', () => {
  const stage = makeStage();
  onTestFinished(() => rmSync(stage, { recursive: true, force: true }));
  const scenes = COMMANDS.map((command) => ({ command, output: play(command, stage) }));
  const stored = readFileSync(new URL('../docs/recording.svg', import.meta.url), 'utf8');
  expect(shown(stored)).toEqual(shown(drawTerminal(scenes)));
});

it('shows colours, and no markup of the output', () => {
  const output = '\u001b[1mbold\u001b[22m \u001b[31mred\u001b[39m <b>&amp;\n';
  expect(drawTerminal([{ command: 'x', output }])).toContain(
    '<tspan font-weight="bold">bold</tspan><tspan> </tspan><tspan fill="#e06c75">red</tspan>' +
      '<tspan> &#60;b&#62;&#38;amp;</tspan>',
  );
});
