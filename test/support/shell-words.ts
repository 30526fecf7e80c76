import { parse } from 'unbash';

/** The words of a command as the shell passes them; an expansion is unchanged. */
export function shellWords(text: string): readonly string[] {
  const command = parse(text).commands[0]?.command;
  if (command?.type !== 'Command') throw new Error(`${text} is not a command`);
  return [command.name, ...command.args].flatMap((word) =>
    word?.type === 'Word' ? [word.value] : [],
  );
}
