import { type CommandTree, type TreeOption, type Value, valuedNames } from '../command-tree.ts';
import { PRINTERS } from './shells.ts';

/** A completion script for PowerShell, 5.0 and later. */
export function powershellCompletion({ name, globals, commands }: CommandTree): string {
  const own = commands.flatMap(({ path, options, arguments: args, commands: subcommands }) => [
    clause(`${path} options`, options.flatMap(described)),
    clause(
      `${path} 0`,
      subcommands.map((command) => `${command.name} ${command.description}`),
    ),
    ...options.flatMap((option) => valueClauses(path, option)),
    ...args.map((arg, i) => valueClause(`${path} ${arg.variadic ? `[${i}-9]*` : i}`, arg)),
  ]);
  const common = [
    clause('* options', globals.flatMap(described)),
    ...globals.flatMap((option) => valueClauses('*', option)),
  ];
  return `# PowerShell completion for ${name}, printed by: ${name} completion powershell
Register-ArgumentCompleter -Native -CommandName '${name}' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $commands = @(${list(commands.map(({ path }) => path))})
    $valued = @(${list(commands.flatMap(({ path, options }) => valuedNames(options).map((word) => `${path} ${word}`)))})
    $commonValued = @(${list(valuedNames(globals))})

    $at = '${name}'
    $option = ''
    $position = 0
    foreach ($element in $commandAst.CommandElements | Select-Object -Skip 1) {
        if ($element.Extent.EndOffset -ge $cursorPosition) { break }
        $word = $element.Extent.Text
        if ($option) { $option = '' }
        elseif ($commonValued -ccontains $word -or $valued -ccontains "$at $word") { $option = $word }
        elseif ($word -like '-?*') { }
        elseif ($position -eq 0 -and $commands -ccontains "$at $word") { $at += " $word" }
        else { $position++ }
    }
    $due = if ($option) { $option } elseif ($wordToComplete -like '-*') { 'options' } else { $position }

    # Each candidate is a word with its description.
    $isPath = $false
    $candidates = @(switch -CaseSensitive -Wildcard ("$at $due") {
${[...own, ...common].join('')}    })
    # PowerShell completes paths if the result is empty, but not if it is ''.
    if ($isPath) { return }
    $results = foreach ($candidate in $candidates) {
        $text, $meaning = $candidate -split ' ', 2
        if ($text.StartsWith($wordToComplete, [StringComparison]::Ordinal)) {
            if (-not $meaning) { $meaning = $text }
            [System.Management.Automation.CompletionResult]::new($text, $text, 'ParameterValue', $meaning)
        }
    }
    if ($results) { $results } else { '' }
}
`;
}

function valueClauses(path: string, { names, value }: TreeOption): string[] {
  return value ? names.map((word) => valueClause(`${path} ${word}`, value)) : [];
}

function valueClause(place: string, { kind }: Value): string {
  if (kind === 'text' || kind === '@file') return '';
  if (typeof kind !== 'string') return clause(place, kind);
  if (kind === 'profile' || kind === 'date') {
    return `        ${quote(place)} { ${PRINTERS[kind]} 2> $null }\n`;
  }
  return `        ${quote(place)} { $isPath = $true }\n`;
}

function clause(place: string, items: readonly string[]): string {
  if (items.length === 0) return '';
  const lines = items.map((item) => `            ${quote(item)}\n`);
  return `        ${quote(place)} {\n${lines.join('')}        }\n`;
}

function described({ names, description }: TreeOption): string[] {
  return names.map((name) => `${name} ${description}`);
}

function list(words: readonly string[]): string {
  return words.map(quote).join(', ');
}

/** PowerShell also ends a string at a typographic quote. */
function quote(text: string): string {
  return `'${text.replace(/['‘’‚‛]/g, '$&$&')}'`;
}
