import { describe, expect, it } from 'vitest';
import { endsInSeparator, isFileName } from '../../src/files/file-name.ts';

describe('isFileName', () => {
  it.each(['', '.', '..', 'a/b', 'a\\b', 'a\0'])('refuses %j on every system', (name) => {
    expect([isFileName(name, '/'), isFileName(name, '\\')]).toEqual([false, false]);
  });

  it.each(['a:b', 'a?', '<a>', 'a|b', 'a*', '"a"', 'a.', 'a ', 'CON', 'nul.csv', 'lpt1', 'a\n'])(
    'refuses %j on Windows only',
    (name) => {
      expect([isFileName(name, '/'), isFileName(name, '\\')]).toEqual([true, false]);
    },
  );

  it.each(['bill_2026-11-19_all.csv', 'console.csv', '.a', '账单', "a'b"])(
    'accepts %j on every system',
    (name) => {
      expect([isFileName(name, '/'), isFileName(name, '\\')]).toEqual([true, true]);
    },
  );
});

describe('endsInSeparator', () => {
  it.each([
    ['a/', true, true],
    ['a\\', false, true],
    ['a', false, false],
  ])('%j', (path, onPosix, onWindows) => {
    expect([endsInSeparator(path, '/'), endsInSeparator(path, '\\')]).toEqual([onPosix, onWindows]);
  });
});
