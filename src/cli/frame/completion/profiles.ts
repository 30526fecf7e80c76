/** Prints the profiles that there are, one a line, for a shell that completes one. */
export const PROFILES = 'mop config profiles --quiet';
