/** The types of terminal-svg.js. */
export function drawTerminal(
  scenes: readonly { readonly command: string; readonly output: string }[],
): string;
