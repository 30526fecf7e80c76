export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;

export type Shell = (typeof SHELLS)[number];

/** The commands that print the values of a kind, one a line, for a shell that completes one. */
export const PRINTERS = {
  profile: 'mop config profiles --quiet',
  date: 'mop config dates',
} as const;
