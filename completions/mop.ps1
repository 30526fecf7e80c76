# PowerShell completion for mop (PowerShell 5.0 and later), printed by: mop completion powershell
Register-ArgumentCompleter -Native -CommandName 'mop' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $current = $wordToComplete.Trim('"', "'")
    $words = @(foreach ($element in $commandAst.CommandElements | Select-Object -Skip 1) {
        if ($element.Extent.EndOffset -ge $cursorPosition) { break }
        if ($element -is [System.Management.Automation.Language.StringConstantExpressionAst]) {
            $element.Value
        } else {
            $element.Extent.Text
        }
    })
    # Before 7.3, PowerShell drops an empty argument. mop reads two quotes as one.
    $words += if ($current) { $current } else { '""' }

    $encoding = [Console]::OutputEncoding
    try {
        [Console]::OutputEncoding = [System.Text.Encoding]::UTF8
        $lines = @(mop __complete @words 2> $null)
    } finally {
        [Console]::OutputEncoding = $encoding
    }
    $results = foreach ($line in $lines | Select-Object -Skip 1) {
        $value, $description = $line -split "`t", 2
        if (-not $value.StartsWith($current, [StringComparison]::Ordinal)) { continue }
        $text = $value
        # PowerShell also ends a string at a typographic quote.
        if ($value -notmatch '^[\w./:=+-]+$') {
            $text = "'" + ($value -replace "['\u2018-\u201b]", '$0$0') + "'"
        }
        if (-not $description) { $description = $value }
        [System.Management.Automation.CompletionResult]::new($text, $value, 'ParameterValue', $description)
    }
    # PowerShell completes paths if the result is empty, but not if it is ''.
    if ($results -or $lines[0] -match '^(files|directories)') { $results } else { '' }
}
