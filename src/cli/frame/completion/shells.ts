export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;

export type Shell = (typeof SHELLS)[number];

/** The commands that print the values of a kind, one per line. */
export const PRINTERS = {
  profile: 'mop config profiles --quiet',
  date: 'mop config dates',
} as const;
