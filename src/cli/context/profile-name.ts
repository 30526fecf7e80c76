/** Whether a profile may have this name. It must be a valid folder name on every file system. */
export function isProfileName(name: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name);
}

export const PROFILE_NAME_HINT =
  'use letters, digits, dots, dashes and underscores; begin with a letter or a digit';
