export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;

export type Shell = (typeof SHELLS)[number];

/** Prints the profiles, one a line, for a shell that completes one. */
export const PROFILES = 'mop config profiles --quiet';
