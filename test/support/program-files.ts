import type { ProgramLanguage } from '../../src/signing/programs/languages.ts';

/** The file name for a program; javac requires the name of the Java class. */
export const PROGRAM_FILES: { readonly [language in ProgramLanguage]: string } = {
  python: 'sign.py',
  go: 'main.go',
  java: 'Sign.java',
  php: 'sign.php',
  node: 'sign.mjs',
  ruby: 'sign.rb',
  csharp: 'Program.cs',
  bash: 'sign.sh',
};
