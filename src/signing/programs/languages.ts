export const PROGRAM_LANGUAGES = [
  'python',
  'go',
  'java',
  'php',
  'node',
  'ruby',
  'csharp',
  'bash',
] as const;

export type ProgramLanguage = (typeof PROGRAM_LANGUAGES)[number];

export function isProgramLanguage(form: string | undefined): form is ProgramLanguage {
  return (PROGRAM_LANGUAGES as readonly (string | undefined)[]).includes(form);
}
