# PowerShell completion for mop, printed by: mop completion powershell
Register-ArgumentCompleter -Native -CommandName 'mop' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $commands = @('mop', 'mop sign', 'mop sign explain', 'mop sign verify', 'mop bill', 'mop bill fetch', 'mop bill info', 'mop bill verify', 'mop bill status', 'mop bill summary', 'mop bill compare', 'mop bill compact', 'mop account', 'mop account link', 'mop account find', 'mop account list', 'mop account unlink', 'mop decode', 'mop estimate', 'mop call', 'mop errors', 'mop detect', 'mop health', 'mop gql', 'mop gql validate', 'mop gql schema', 'mop gql diff', 'mop gql run', 'mop gql help', 'mop config', 'mop config init', 'mop config set', 'mop config get', 'mop config unset', 'mop config list', 'mop config path', 'mop config profiles', 'mop config use', 'mop config copy-profile', 'mop config rename-profile', 'mop config delete-profile', 'mop doctor', 'mop proxy', 'mop sandbox', 'mop sandbox debugger', 'mop sandbox encrypt', 'mop sandbox records', 'mop completion', 'mop version', 'mop help')
    $valued = @('mop sign -F', 'mop sign --field', 'mop sign -f', 'mop sign --raw-field', 'mop sign --form', 'mop sign --file', 'mop sign --mode', 'mop sign -H', 'mop sign --header', 'mop sign --null-as', 'mop sign --timestamp-unit', 'mop sign --timestamp', 'mop sign --nonce', 'mop sign --seq-id', 'mop sign --url', 'mop sign --path', 'mop sign --as', 'mop sign --batch', 'mop sign explain -F', 'mop sign explain --field', 'mop sign explain -f', 'mop sign explain --raw-field', 'mop sign explain --form', 'mop sign explain --file', 'mop sign explain --mode', 'mop sign explain -H', 'mop sign explain --header', 'mop sign explain --null-as', 'mop sign explain --timestamp-unit', 'mop sign explain --timestamp', 'mop sign explain --nonce', 'mop sign explain --seq-id', 'mop sign explain --url', 'mop sign explain --path', 'mop sign explain --reading', 'mop sign verify -H', 'mop sign verify --header', 'mop sign verify --entry', 'mop sign verify --now', 'mop sign verify --max-skew', 'mop sign verify --reading', 'mop sign verify --effort', 'mop sign verify --theirs', 'mop sign verify --save-vector', 'mop bill fetch --from', 'mop bill fetch --to', 'mop bill fetch --last', 'mop bill fetch --type', 'mop bill fetch --shard', 'mop bill fetch -o', 'mop bill fetch --out', 'mop bill fetch --name', 'mop bill fetch --tar', 'mop bill fetch --mode', 'mop bill fetch --concurrency', 'mop bill fetch --max-bytes', 'mop bill fetch --wait', 'mop bill fetch --download-header', 'mop bill info --type', 'mop bill info --tar', 'mop bill info --mode', 'mop bill verify --hash-value', 'mop bill verify --hash-type', 'mop bill verify -o', 'mop bill verify --bills', 'mop bill status -o', 'mop bill status --bills', 'mop bill status --type', 'mop bill status --since', 'mop bill status --prometheus', 'mop bill summary --by', 'mop bill summary --sum', 'mop bill summary --where', 'mop bill summary --type', 'mop bill summary -o', 'mop bill summary --bills', 'mop bill summary --from', 'mop bill summary --to', 'mop bill summary --last', 'mop bill summary --encoding', 'mop bill summary --delimiter', 'mop bill summary --header-line', 'mop bill summary --decimal', 'mop bill summary --sheet', 'mop bill compare --with', 'mop bill compare --key', 'mop bill compare --amount', 'mop bill compare --tolerance', 'mop bill compare --factor', 'mop bill compare --blank', 'mop bill compare --where', 'mop bill compare --records-where', 'mop bill compare --type', 'mop bill compare -o', 'mop bill compare --bills', 'mop bill compare --from', 'mop bill compare --to', 'mop bill compare --last', 'mop bill compare --encoding', 'mop bill compare --delimiter', 'mop bill compare --header-line', 'mop bill compare --decimal', 'mop bill compare --sheet', 'mop bill compare --limit', 'mop bill compare --out', 'mop bill compact -o', 'mop bill compact --bills', 'mop account link --user', 'mop account link --encrypt-data', 'mop account link --encrypt-id', 'mop account link --openid', 'mop account link --mobile', 'mop account link --mode', 'mop account find --user', 'mop account find --openid', 'mop account find --mobile', 'mop account unlink --user', 'mop account unlink --openid', 'mop decode --batch', 'mop decode --concurrency', 'mop decode --mode', 'mop estimate --city', 'mop estimate --lat', 'mop estimate -F', 'mop estimate --field', 'mop estimate -f', 'mop estimate --raw-field', 'mop estimate --mode', 'mop estimate -H', 'mop estimate --header', 'mop estimate --null-as', 'mop estimate --timestamp-unit', 'mop call -F', 'mop call --field', 'mop call -f', 'mop call --raw-field', 'mop call --form', 'mop call --file', 'mop call --batch', 'mop call --concurrency', 'mop call --mode', 'mop call -H', 'mop call --header', 'mop call --null-as', 'mop call --timestamp-unit', 'mop call --max-response', 'mop errors --lang', 'mop detect --field', 'mop detect --batch', 'mop detect --concurrency', 'mop detect --fail-on', 'mop detect --fail-score', 'mop detect --levels', 'mop detect --junit', 'mop detect --sarif', 'mop detect -H', 'mop detect --header', 'mop health --wait', 'mop health --min-rules', 'mop health --expect-version', 'mop health -H', 'mop health --header', 'mop gql -F', 'mop gql --field', 'mop gql -f', 'mop gql --raw-field', 'mop gql --upload', 'mop gql --variables', 'mop gql --operation', 'mop gql --schema', 'mop gql --endpoint', 'mop gql -H', 'mop gql --header', 'mop gql --transport', 'mop gql --count', 'mop gql --connection-params', 'mop gql --max-response', 'mop gql validate --schema', 'mop gql validate --endpoint', 'mop gql validate -H', 'mop gql validate --header', 'mop gql schema --as', 'mop gql schema --endpoint', 'mop gql schema -H', 'mop gql schema --header', 'mop gql diff -H', 'mop gql diff --header', 'mop gql run --schema', 'mop gql run --data', 'mop gql run -F', 'mop gql run --field', 'mop gql run -f', 'mop gql run --raw-field', 'mop gql run --variables', 'mop gql run --operation', 'mop doctor --mode', 'mop proxy --host', 'mop proxy --port', 'mop proxy --allow-origin', 'mop proxy --record', 'mop sandbox --host', 'mop sandbox --port', 'mop sandbox --allow-origin', 'mop sandbox --rows', 'mop sandbox --fault', 'mop sandbox --reading', 'mop sandbox debugger --lang', 'mop sandbox records --differences', 'mop sandbox records --type', 'mop sandbox records --rows')
    $commonValued = @('-p', '--profile', '--env', '--api-key', '--secret-file', '--timeout', '--max-time', '--retries', '--proxy', '--ca-file')

    $at = 'mop'
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
        'mop options' {
            '-V print the version'
            '--version print the version'
            '-h show help for a command'
            '--help show help for a command'
        }
        'mop 0' {
            'sign Sign one request and print it.'
            'bill Fetch and verify daily bills, and compare them with your records.'
            'account Store the links between your users and their openIds.'
            'decode Decode the encrypted parameters of a mini-program.'
            'estimate Estimate the prices of a ride.'
            'call Call any operation of the platform and print its data.'
            'errors Explain result codes of the platform.'
            'detect Check an AI reply for emotional risks.'
            'health Check the health of the detection service.'
            'gql Run, check and explore GraphQL operations.'
            'config Manage profiles: named sets of addresses and credentials.'
            'doctor Check configuration, network, clock and credentials.'
            'proxy Sign and forward the requests of tools that cannot sign.'
            'sandbox Simulate the platform, the detection service and GraphQL on this machine.'
            'completion Print a completion script for a shell.'
            'version Print the version, like --version.'
            'help Explain a command or a topic.'
        }
        'mop sign options' {
            '-F add a field: a JSON literal, a string, or @FILE'
            '--field add a field: a JSON literal, a string, or @FILE'
            '-f add a field that is a string'
            '--raw-field add a field that is a string'
            '--form a field of a multipart form (header mode)'
            '--file a file of a multipart form, never signed (header mode)'
            '--mode body (protocol 1.0) or header (2.0); default: by setting and --path'
            '-H also sign ''X-TMS-…: value'' (header mode)'
            '--header also sign ''X-TMS-…: value'' (header mode)'
            '--null-as how to sign a null (header mode; default empty)'
            '--timestamp-unit unit of a generated timestamp (header mode)'
            '--timestamp Unix time to sign with, instead of now'
            '--nonce nonce to sign with, instead of a random one'
            '--no-nonce send no nonce (header mode)'
            '--seq-id serial number to sign with, instead of a random UUID'
            '--url address of the request, for --as curl, json and programs'
            '--path path below the configured address, such as /trade/bill'
            '--as the request in this form, or a program in this language that sends it; default: body, or headers in header mode'
            '--batch sign each line of a JSON lines file, or of - for stdin'
            '-h show help for a command'
            '--help show help for a command'
        }
        'mop sign 0' {
            'explain Show how a request is signed, layer by layer.'
            'verify Find the mistakes in the signature of a request.'
        }
        'mop sign --mode' {
            'body'
            'header'
        }
        'mop sign --null-as' {
            'empty'
            'omit'
            'text'
        }
        'mop sign --timestamp-unit' {
            's'
            'ms'
        }
        'mop sign --path' { $isPath = $true }
        'mop sign --as' {
            'body'
            'headers'
            'curl'
            'sign'
            'json'
            'python'
            'go'
            'java'
            'php'
            'node'
            'ruby'
            'csharp'
            'bash'
        }
        'mop sign --batch' { $isPath = $true }
        'mop sign explain options' {
            '-F add a field: a JSON literal, a string, or @FILE'
            '--field add a field: a JSON literal, a string, or @FILE'
            '-f add a field that is a string'
            '--raw-field add a field that is a string'
            '--form a field of a multipart form (header mode)'
            '--file a file of a multipart form, never signed (header mode)'
            '--mode body (protocol 1.0) or header (2.0); default: by setting and --path'
            '-H also sign ''X-TMS-…: value'' (header mode)'
            '--header also sign ''X-TMS-…: value'' (header mode)'
            '--null-as how to sign a null (header mode; default empty)'
            '--timestamp-unit unit of a generated timestamp (header mode)'
            '--timestamp Unix time to sign with, instead of now'
            '--nonce nonce to sign with, instead of a random one'
            '--no-nonce send no nonce (header mode)'
            '--seq-id serial number to sign with, instead of a random UUID'
            '--url address of the request, for --as curl, json and programs'
            '--path path below the configured address, such as /trade/bill'
            '--reading how to read an open point of the documents, repeatable: mop help readings'
            '-h show help for a command'
            '--help show help for a command'
        }
        'mop sign explain --mode' {
            'body'
            'header'
        }
        'mop sign explain --null-as' {
            'empty'
            'omit'
            'text'
        }
        'mop sign explain --timestamp-unit' {
            's'
            'ms'
        }
        'mop sign explain --path' { $isPath = $true }
        'mop sign verify options' {
            '-H a header that came with the body (''X-TMS-…: value'')'
            '--header a header that came with the body (''X-TMS-…: value'')'
            '--entry number of the request, from 1 (default: the first signed)'
            '--all every signed request, a line for each'
            '--last the request of the last call that the platform refused'
            '--now Unix time at which the request was sent'
            '--max-skew largest accepted clock difference in seconds (default 60)'
            '--reading how to read an open point of the documents, repeatable: mop help readings'
            '--effort how long to search for mistakes (default normal)'
            '--theirs compare with the string that your program hashed'
            '--open open the request in the debugger page, instead of verifying it here'
            '--save-vector write a test vector to share, with a dummy secret'
            '-h show help for a command'
            '--help show help for a command'
        }
        'mop sign verify --effort' {
            'low'
            'normal'
            'high'
        }
        'mop sign verify --save-vector' { $isPath = $true }
        'mop bill options' {
            '-h show help for a command'
            '--help show help for a command'
        }
        'mop bill 0' {
            'fetch Fetch and verify bills, by default yesterday''s.'
            'info Show the digest and the link of a bill (default yesterday''s) without fetching it.'
            'verify Hash stored bills again and compare them with the digests of the platform.'
            'status Show which bills of the last three months are stored and verified, as a calendar.'
            'summary Count the rows of bills and add up their columns, exactly.'
            'compare Compare bills with your own records: missing rows and different amounts.'
            'compact Remove superseded lines from the ledger (bills.jsonl).'
        }
        'mop bill fetch options' {
            '--from the first day of a range'
            '--to the last day of the range (default yesterday)'
            '--last the last N days, up to yesterday'
            '--missing every bill of the last three months not recorded in bills.jsonl, or whose file is missing'
            '--type orders to include, never refunds of top-ups; repeatable (default all)'
            '--all-profiles the bills of every profile, each in a folder of its name'
            '--shard fetch only share I of N, such as 0/4'
            '-o a directory; for one bill also a file (no / at its end), or - for stdout'
            '--out a directory; for one bill also a file (no / at its end), or - for stdout'
            '--name file name with {date}, {type}, {profile} or {env} (default bill_{date}_{type}.csv)'
            '--keep-gzip store the file compressed, as .gz'
            '--overwrite replace a file that differs from the bill'
            '--accept-unverified with --overwrite, replace also a verified bill by an unverified one'
            '--tar the form to request from the platform (default gzip)'
            '--mode signature mode (default: as documented for the operation)'
            '--concurrency process up to this many bills at once (default 4), with up to 16 downloads'
            '--max-bytes refuse a larger bill (default 64 GiB)'
            '--wait wait up to this many minutes for a bill; fail immediately if it is due later'
            '--force also request dates outside the platform''s range or not ready yet'
            '--require-hash refuse a bill without a digest'
            '--accept-unknown-hash store a bill with an unknown digest name, unverified'
            '--accept-any-content store any content without a digest, also a page or a document'
            '--keep-going try all items, even when the rest must fail too'
            '--download-header send ''Name: value'' with the download request, repeatable'
            '-h show help for a command'
            '--help show help for a command'
        }
        'mop bill fetch --from' { mop config dates 2> $null }
        'mop bill fetch --to' { mop config dates 2> $null }
        'mop bill fetch --type' {
            'all'
            'paid'
            'refund'
        }
        'mop bill fetch -o' { $isPath = $true }
        'mop bill fetch --out' { $isPath = $true }
        'mop bill fetch --tar' {
            'stream'
            'gzip'
        }
        'mop bill fetch --mode' {
            'body'
            'header'
        }
        'mop bill fetch [0-9]*' { mop config dates 2> $null }
        'mop bill info options' {
            '--type orders to include, never refunds of top-ups (default all)'
            '--tar the form to request from the platform (default gzip)'
            '--mode signature mode (default: as documented for the operation)'
            '--force also request dates outside the platform''s range or not ready yet'
            '-h show help for a command'
            '--help show help for a command'
        }
        'mop bill info --type' {
            'all'
            'paid'
            'refund'
        }
        'mop bill info --tar' {
            'stream'
            'gzip'
        }
        'mop bill info --mode' {
            'body'
            'header'
        }
        'mop bill info 0' { mop config dates 2> $null }
        'mop bill verify options' {
            '--hash-value the digest of one file, as hex or base64'
            '--hash-type its algorithm, such as MD5 (default: the length of the digest decides)'
            '-o directory of the bills (default bill_dir, or .)'
            '--bills directory of the bills (default bill_dir, or .)'
            '--all-profiles verify the folder of each profile'
            '-h show help for a command'
            '--help show help for a command'
        }
        'mop bill verify --hash-type' {
            'MD5'
            'SHA-1'
            'SHA-256'
            'SHA-512'
            'SM3'
        }
        'mop bill verify -o' { $isPath = $true }
        'mop bill verify --bills' { $isPath = $true }
        'mop bill verify [0-9]*' { $isPath = $true }
        'mop bill status options' {
            '-o directory of the bills (default bill_dir, or .)'
            '--bills directory of the bills (default bill_dir, or .)'
            '--type orders to include, never refunds of top-ups; repeatable (default all)'
            '--since only the bills of this day and of later days'
            '--all-profiles check the folder of each profile'
            '--check also ask the platform which bills it has; nothing is downloaded'
            '--missing print the dates of missing bills, one per line'
            '--exit-code exit with 15 when a bill is missing or changed'
            '--prometheus also write metrics to this file, for node_exporter'
            '-h show help for a command'
            '--help show help for a command'
        }
        'mop bill status -o' { $isPath = $true }
        'mop bill status --bills' { $isPath = $true }
        'mop bill status --type' {
            'all'
            'paid'
            'refund'
        }
        'mop bill status --since' { mop config dates 2> $null }
        'mop bill status --prometheus' { $isPath = $true }
        'mop bill status 0' { $isPath = $true }
        'mop bill summary options' {
            '--by group the rows by the values of this column, repeatable'
            '--sum add up only this column, repeatable (default all columns of amounts)'
            '--where only rows with this value, repeatable'
            '--type orders to include, never refunds of top-ups (default all)'
            '-o directory of the bills (default bill_dir, or .)'
            '--bills directory of the bills (default bill_dir, or .)'
            '--from the first day of a range of bills'
            '--to the last day (default yesterday)'
            '--last the last N days, up to yesterday'
            '--encoding the encoding of the files (default: detected)'
            '--delimiter the separator of fields, such as ";" or tab (default: detected)'
            '--header-line the line of the header (default: detected)'
            '--no-header no header line: columns are named by their numbers, from 1'
            '--decimal the decimal mark of amounts such as 1,234, where others do not show it'
            '--sheet the sheet of a workbook, by name or number (default: the first)'
            '-h show help for a command'
            '--help show help for a command'
        }
        'mop bill summary --type' {
            'all'
            'paid'
            'refund'
        }
        'mop bill summary -o' { $isPath = $true }
        'mop bill summary --bills' { $isPath = $true }
        'mop bill summary --from' { mop config dates 2> $null }
        'mop bill summary --to' { mop config dates 2> $null }
        'mop bill summary --encoding' {
            'utf-8'
            'gb18030'
            'utf-16le'
            'utf-16be'
            'windows-1252'
        }
        'mop bill summary --decimal' {
            ','
            '.'
        }
        'mop bill compare options' {
            '--with your own records, or - for stdin'
            '--key a column that identifies an order, repeatable'
            '--amount a column of amounts that must be equal, repeatable'
            '--tolerance accept amounts that differ by at most this, such as 0.01 or 1%'
            '--factor multiply the amounts of your records, such as 0.01 for fen'
            '--net add up the rows of a key before comparing, such as payments and refunds'
            '--blank read blank amounts as this, such as 0'
            '--ignore-zeros ignore zeros at the beginning of keys'
            '--ignore-case ignore the case of keys'
            '--ignore-format ignore the form of dates, a decimal part .0 and full-width characters in keys'
            '--where only rows of the bill with this value, repeatable'
            '--records-where only rows of your records with this value, repeatable'
            '--type orders to include, never refunds of top-ups (default all)'
            '-o directory of the bills (default bill_dir, or .)'
            '--bills directory of the bills (default bill_dir, or .)'
            '--from the first day of a range of bills'
            '--to the last day (default yesterday)'
            '--last the last N days, up to yesterday'
            '--encoding the encoding of your records (default: detected)'
            '--delimiter the separator of fields, such as ";" or tab (default: detected)'
            '--header-line the line of the header (default: detected)'
            '--no-header no header line: columns are named by their numbers, from 1'
            '--decimal the decimal mark of amounts such as 1,234, where others do not show it'
            '--sheet the sheet of a workbook, by name or number (default: the first)'
            '--limit print at most this many differences (default 20)'
            '--out write all differences to CSV files in a directory, or to FILE.xlsx'
            '--bom begin the CSV files with a byte order mark, for Excel'
            '-h show help for a command'
            '--help show help for a command'
        }
        'mop bill compare --with' { $isPath = $true }
        'mop bill compare --type' {
            'all'
            'paid'
            'refund'
        }
        'mop bill compare -o' { $isPath = $true }
        'mop bill compare --bills' { $isPath = $true }
        'mop bill compare --from' { mop config dates 2> $null }
        'mop bill compare --to' { mop config dates 2> $null }
        'mop bill compare --encoding' {
            'utf-8'
            'gb18030'
            'utf-16le'
            'utf-16be'
            'windows-1252'
        }
        'mop bill compare --decimal' {
            ','
            '.'
        }
        'mop bill compare --out' { $isPath = $true }
        'mop bill compact options' {
            '-o directory of the bills (default bill_dir, or .)'
            '--bills directory of the bills (default bill_dir, or .)'
            '-h show help for a command'
            '--help show help for a command'
        }
        'mop bill compact -o' { $isPath = $true }
        'mop bill compact --bills' { $isPath = $true }
        'mop bill compact 0' { $isPath = $true }
        'mop account options' {
            '-h show help for a command'
            '--help show help for a command'
        }
        'mop account 0' {
            'link Link a user and an openId, or update the mobile number of a link.'
            'find Show the link of a user, an openId or a mobile number.'
            'list List the links of the profile.'
            'unlink Remove a link and its history.'
        }
        'mop account link options' {
            '--user the ID of the user in your system'
            '--encrypt-data encrypt_data of the mini-program: the text, @FILE, or -'
            '--encrypt-id encrypt_id of the mini-program'
            '--openid the openId, if it is known'
            '--mobile the mobile number (default: keep the stored one)'
            '--move take the openId, the user or the number away from other links'
            '--mode signature mode of the decode call (default: as documented)'
            '-h show help for a command'
            '--help show help for a command'
        }
        'mop account link --mode' {
            'body'
            'header'
        }
        'mop account find options' {
            '--user the ID of the user in your system'
            '--openid the openId'
            '--mobile the current mobile number'
            '-h show help for a command'
            '--help show help for a command'
        }
        'mop account list options' {
            '-h show help for a command'
            '--help show help for a command'
        }
        'mop account unlink options' {
            '--user the ID of the user in your system'
            '--openid the openId'
            '-h show help for a command'
            '--help show help for a command'
        }
        'mop decode options' {
            '--raw print json_string unchanged'
            '--batch decode each JSON line of a file, or of stdin (-)'
            '--concurrency maximum number of lines in flight (default 16)'
            '--keep-going try all items, even when the rest must fail too'
            '--mode signature mode (default: as documented for the operation)'
            '-h show help for a command'
            '--help show help for a command'
        }
        'mop decode --batch' { $isPath = $true }
        'mop decode --mode' {
            'body'
            'header'
        }
        'mop estimate options' {
            '--city the city where the ride begins'
            '--lat the latitude of the start in degrees, sent as typed'
            '-F add a field: a JSON literal, a string, or @FILE'
            '--field add a field: a JSON literal, a string, or @FILE'
            '-f add a field that is a string'
            '--raw-field add a field that is a string'
            '--mode signature mode (default: as documented for the operation)'
            '-H also sign ''X-TMS-…: value'' (header mode)'
            '--header also sign ''X-TMS-…: value'' (header mode)'
            '--null-as how to sign a null (header mode; default empty)'
            '--timestamp-unit unit of a generated timestamp (header mode)'
            '--no-nonce send no nonce (header mode)'
            '-h show help for a command'
            '--help show help for a command'
        }
        'mop estimate --mode' {
            'body'
            'header'
        }
        'mop estimate --null-as' {
            'empty'
            'omit'
            'text'
        }
        'mop estimate --timestamp-unit' {
            's'
            'ms'
        }
        'mop call options' {
            '-F add a field: a JSON literal, a string, or @FILE'
            '--field add a field: a JSON literal, a string, or @FILE'
            '-f add a field that is a string'
            '--raw-field add a field that is a string'
            '--form a field of a multipart form (header mode)'
            '--file a file of a multipart form, never signed (header mode)'
            '--batch send each line of a file, or of stdin (-), as the body of a call'
            '--concurrency maximum number of calls in flight (default 4)'
            '--keep-going try all items, even when the rest must fail too'
            '--mode signature mode (default: as documented for the operation)'
            '-H also sign ''X-TMS-…: value'' (header mode)'
            '--header also sign ''X-TMS-…: value'' (header mode)'
            '--null-as how to sign a null (header mode; default empty)'
            '--timestamp-unit unit of a generated timestamp (header mode)'
            '--no-nonce send no nonce (header mode)'
            '--envelope print the whole envelope, also for a failure'
            '--max-response refuse an answer larger than this (default 256 MiB)'
            '-h show help for a command'
            '--help show help for a command'
        }
        'mop call --batch' { $isPath = $true }
        'mop call --mode' {
            'body'
            'header'
        }
        'mop call --null-as' {
            'empty'
            'omit'
            'text'
        }
        'mop call --timestamp-unit' {
            's'
            'ms'
        }
        'mop call 0' {
            '/trade/bill'
            '/param/decode'
            '/takecar/estimate/price'
            '/user/sync'
        }
        'mop errors options' {
            '--lang language of the texts (default: from the locale)'
            '-h show help for a command'
            '--help show help for a command'
        }
        'mop errors --lang' {
            'en'
            'zh'
        }
        'mop errors 0' {
            '0'
            '-1'
            '1001'
            '1002'
            '1003'
            '1004'
            '1005'
            '1006'
            '1007'
            '1008'
            '1009'
            '1010'
            '1011'
            '1012'
            '1013'
            '1014'
            '1015'
            '1016'
            '1050'
            '1051'
            '1052'
            '1053'
            '1054'
            '1055'
            '1056'
            '2000'
            '2001'
            '2002'
            '2003'
            '2004'
            '2005'
            '2006'
            '2301'
            '2302'
            '2303'
        }
        'mop detect options' {
            '--field path of the text in JSON, such as choices.0.message.content'
            '--batch check the text (field) in each JSON line of a file, or of stdin (-)'
            '--lines check each line as a separate text'
            '--concurrency maximum number of texts in flight (default 16)'
            '--keep-going try all items, even when the rest must fail too'
            '--fail-on exit with 10 at this level or above'
            '--fail-score exit with 10 at this score or above'
            '--levels levels of the service, such as ''safe<low<high'' (default: the setting detect_levels)'
            '--as-is judge the text as given: also a text that a gate refuses or unwraps'
            '--junit also write a JUnit report'
            '--sarif also write a SARIF report'
            '--include-text quote the texts in the reports'
            '--rewrite print only the safer rewrite'
            '-H send the header ''Name: value'', repeatable'
            '--header send the header ''Name: value'', repeatable'
            '-h show help for a command'
            '--help show help for a command'
        }
        'mop detect --field' { $isPath = $true }
        'mop detect --batch' { $isPath = $true }
        'mop detect --fail-on' {
            'none'
            'low'
            'medium'
            'high'
            'critical'
        }
        'mop detect --junit' { $isPath = $true }
        'mop detect --sarif' { $isPath = $true }
        'mop health options' {
            '--wait retry for up to this many seconds'
            '--min-rules exit with 11 if the service reports fewer than N rules'
            '--expect-version exit with 11 if the service reports another version'
            '-H send the header ''Name: value'', repeatable'
            '--header send the header ''Name: value'', repeatable'
            '-h show help for a command'
            '--help show help for a command'
        }
        'mop gql options' {
            '-F add a variable: a JSON literal, a string, or @FILE'
            '--field add a variable: a JSON literal, a string, or @FILE'
            '-f add a variable that is a string'
            '--raw-field add a variable that is a string'
            '--upload send a file as the value of a variable, repeatable; append ;type=TYPE for its media type'
            '--variables variables as a JSON object: the text, @FILE, or -'
            '--operation operation to run; required when the document has several'
            '--schema first validate against a schema: a file, directory, quoted pattern, git:REF:PATH or URL; repeatable'
            '--refresh fetch the schema of a URL again; it is cached for an hour'
            '--assume-valid-schema accept a schema with faults'
            '--endpoint the endpoint, instead of gql_url'
            '-H send the header ''Name: value'', repeatable'
            '--header send the header ''Name: value'', repeatable'
            '--get send a GET request, which caches can answer; not for mutations'
            '--paginate repeat the query for each page, with $endCursor'
            '--transport receive results over server-sent events or a WebSocket'
            '--count stop after N results'
            '--connection-params parameters to open a WebSocket with: JSON, @FILE, or -'
            '--raw print data alone'
            '--allow-partial treat data with errors as a success'
            '--stream print each part of an @defer or @stream answer as a JSON line'
            '--max-response refuse an answer larger than this (default 256 MiB)'
            '-h show help for a command'
            '--help show help for a command'
        }
        'mop gql 0' {
            'validate Check documents against a schema.'
            'schema Print the schema of an endpoint or a file.'
            'diff Show the breaking changes of a new schema.'
            'run Execute an operation on this machine, against JSON data.'
            'help Explain the query language, with examples that run.'
        }
        'mop gql --schema' { $isPath = $true }
        'mop gql --transport' {
            'sse'
            'ws'
        }
        'mop gql validate options' {
            '--schema SDL or introspection JSON: a file, directory, quoted pattern, git:REF:PATH or URL; repeatable'
            '--refresh fetch the schema again; it is cached for an hour'
            '--assume-valid-schema accept a schema with faults'
            '--endpoint the endpoint, instead of gql_url'
            '-H send the header ''Name: value'', repeatable'
            '--header send the header ''Name: value'', repeatable'
            '-h show help for a command'
            '--help show help for a command'
        }
        'mop gql validate --schema' { $isPath = $true }
        'mop gql validate [0-9]*' { $isPath = $true }
        'mop gql schema options' {
            '--as SDL, the schema language (default), or introspection JSON'
            '--assume-valid-schema accept a schema with faults'
            '--endpoint the endpoint, instead of gql_url'
            '-H send the header ''Name: value'', repeatable'
            '--header send the header ''Name: value'', repeatable'
            '-h show help for a command'
            '--help show help for a command'
        }
        'mop gql schema --as' {
            'sdl'
            'json'
        }
        'mop gql schema 0' { $isPath = $true }
        'mop gql diff options' {
            '--allow-deprecated-removal accept the removal of fields that were deprecated'
            '-H send the header ''Name: value'' to URLs, repeatable'
            '--header send the header ''Name: value'' to URLs, repeatable'
            '--assume-valid-schema accept a schema with faults'
            '-h show help for a command'
            '--help show help for a command'
        }
        'mop gql run options' {
            '--schema SDL or introspection JSON: a file, directory, quoted pattern, git:REF:PATH or URL; repeatable'
            '--data the data: an object with the fields of the root types'
            '--refresh fetch the schema of a URL again; it is cached for an hour'
            '--assume-valid-schema accept a schema with faults'
            '-F add a variable: a JSON literal, a string, or @FILE'
            '--field add a variable: a JSON literal, a string, or @FILE'
            '-f add a variable that is a string'
            '--raw-field add a variable that is a string'
            '--variables variables as a JSON object: the text, @FILE, or -'
            '--operation operation to run; required when the document has several'
            '--raw print data alone'
            '--allow-partial treat data with errors as a success'
            '-h show help for a command'
            '--help show help for a command'
        }
        'mop gql run --schema' { $isPath = $true }
        'mop gql run --data' { $isPath = $true }
        'mop gql help options' {
            '-h show help for a command'
            '--help show help for a command'
        }
        'mop gql help 0' {
            'kinds'
            'scalars'
            'types'
            'modifiers'
            'definitions'
            'fields'
            'comments'
            'arguments'
            'aliases'
            'fragments'
            'inline-fragments'
            'operation-names'
            'variables'
            'default-variables'
            'directives'
            'include'
            'skip'
            'mutations'
            'subscriptions'
            'typename'
            'results'
        }
        'mop config options' {
            '-h show help for a command'
            '--help show help for a command'
        }
        'mop config 0' {
            'init Ask for the settings of a profile, test them, and store them.'
            'set Store a setting in the profile. The secret is entered at a prompt, or piped.'
            'get Print the value of a setting.'
            'unset Remove a setting from the profile.'
            'list Print all settings with their values and sources.'
            'path Print the path of the configuration file.'
            'profiles List the profiles; with --quiet, only their names.'
            'use Select the profile that commands use by default.'
            'copy-profile Copy a profile with all its settings, including the secret.'
            'rename-profile Rename a profile. The current profile stays the current one.'
            'delete-profile Delete a profile with its settings. Asks for confirmation on a terminal.'
        }
        'mop config init options' {
            '-h show help for a command'
            '--help show help for a command'
        }
        'mop config set options' {
            '-h show help for a command'
            '--help show help for a command'
        }
        'mop config set 0' {
            'environment'
            'api_key'
            'api_secret'
            'api_secret_file'
            'api_secret_command'
            'base_url'
            'test_base_url'
            'open_base_url'
            'open_test_base_url'
            'detect_url'
            'gql_url'
            'timezone'
            'bill_dir'
            'bill_name'
            'bill_file_mode'
            'bill_content'
            'bill_late_hours'
            'bill_auth_header'
            'mode'
            'detect_levels'
            'compare_key'
            'compare_amount'
            'compare_encoding'
            'compare_delimiter'
            'compare_where'
            'compare_records_where'
            'compare_factor'
            'compare_net'
            'compare_blank'
            'bill_ready_time'
            'no_bill_codes'
        }
        'mop config get options' {
            '-h show help for a command'
            '--help show help for a command'
        }
        'mop config get 0' {
            'environment'
            'api_key'
            'api_secret'
            'api_secret_file'
            'api_secret_command'
            'base_url'
            'test_base_url'
            'open_base_url'
            'open_test_base_url'
            'detect_url'
            'gql_url'
            'timezone'
            'bill_dir'
            'bill_name'
            'bill_file_mode'
            'bill_content'
            'bill_late_hours'
            'bill_auth_header'
            'mode'
            'detect_levels'
            'compare_key'
            'compare_amount'
            'compare_encoding'
            'compare_delimiter'
            'compare_where'
            'compare_records_where'
            'compare_factor'
            'compare_net'
            'compare_blank'
            'bill_ready_time'
            'no_bill_codes'
        }
        'mop config unset options' {
            '-h show help for a command'
            '--help show help for a command'
        }
        'mop config unset 0' {
            'environment'
            'api_key'
            'api_secret'
            'api_secret_file'
            'api_secret_command'
            'base_url'
            'test_base_url'
            'open_base_url'
            'open_test_base_url'
            'detect_url'
            'gql_url'
            'timezone'
            'bill_dir'
            'bill_name'
            'bill_file_mode'
            'bill_content'
            'bill_late_hours'
            'bill_auth_header'
            'mode'
            'detect_levels'
            'compare_key'
            'compare_amount'
            'compare_encoding'
            'compare_delimiter'
            'compare_where'
            'compare_records_where'
            'compare_factor'
            'compare_net'
            'compare_blank'
            'bill_ready_time'
            'no_bill_codes'
        }
        'mop config list options' {
            '-h show help for a command'
            '--help show help for a command'
        }
        'mop config path options' {
            '-h show help for a command'
            '--help show help for a command'
        }
        'mop config profiles options' {
            '-h show help for a command'
            '--help show help for a command'
        }
        'mop config use options' {
            '-h show help for a command'
            '--help show help for a command'
        }
        'mop config use 0' { mop config profiles --quiet 2> $null }
        'mop config copy-profile options' {
            '-h show help for a command'
            '--help show help for a command'
        }
        'mop config copy-profile 0' { mop config profiles --quiet 2> $null }
        'mop config rename-profile options' {
            '-h show help for a command'
            '--help show help for a command'
        }
        'mop config rename-profile 0' { mop config profiles --quiet 2> $null }
        'mop config delete-profile options' {
            '-h show help for a command'
            '--help show help for a command'
        }
        'mop config delete-profile 0' { mop config profiles --quiet 2> $null }
        'mop doctor options' {
            '--all-profiles check every profile'
            '--mode signature mode of the signed call'
            '-h show help for a command'
            '--help show help for a command'
        }
        'mop doctor --mode' {
            'body'
            'header'
        }
        'mop proxy options' {
            '--host listen on this address (default 127.0.0.1)'
            '--allow-remote allow a --host that other machines can reach'
            '--port listen on this port, 0 for any (default 7801)'
            '--allow-origin allow pages of this origin, repeatable'
            '--sign-all replace the signatures of requests that are already signed'
            '--log write a line for each request to stderr'
            '--record write the exchanges to a new HAR file, without secrets'
            '-h show help for a command'
            '--help show help for a command'
        }
        'mop proxy --record' { $isPath = $true }
        'mop sandbox options' {
            '--host listen on this address (default 127.0.0.1)'
            '--allow-remote allow a --host that other machines can reach'
            '--port listen on this port, 0 for any (default 7800)'
            '--allow-origin allow pages of this origin, repeatable'
            '--log write a line for each request to stderr'
            '--rows orders in a bill (default 200)'
            '--fault simulate a fault, repeatable; see below'
            '--reading how to read an open point of the documents, repeatable: mop help readings'
            '-h show help for a command'
            '--help show help for a command'
        }
        'mop sandbox 0' {
            'debugger Print the signature debugger as one HTML file, which works without a server.'
            'encrypt Encrypt parameters for decode, as a mini-program would.'
            'records Print a day''s orders as your own system would hold them, for bill compare.'
        }
        'mop sandbox --fault' {
            'code'
            'http'
            'latency'
            'drop'
            'truncate'
            'corrupt'
            'expire'
            'no-hash'
            'hash-type'
            'slow'
            'skew'
        }
        'mop sandbox debugger options' {
            '--lang language of the texts (default: from the locale)'
            '-h show help for a command'
            '--help show help for a command'
        }
        'mop sandbox debugger --lang' {
            'en'
            'zh'
        }
        'mop sandbox encrypt options' {
            '-h show help for a command'
            '--help show help for a command'
        }
        'mop sandbox records options' {
            '--differences the number of differences from the bill (default 0)'
            '--type orders to include, never refunds of top-ups (default all)'
            '--rows orders in a bill (default 200)'
            '-h show help for a command'
            '--help show help for a command'
        }
        'mop sandbox records --type' {
            'all'
            'paid'
            'refund'
        }
        'mop sandbox records 0' { mop config dates 2> $null }
        'mop completion options' {
            '-h show help for a command'
            '--help show help for a command'
        }
        'mop completion 0' {
            'bash'
            'zsh'
            'fish'
            'powershell'
        }
        'mop version options' {
            '-h show help for a command'
            '--help show help for a command'
        }
        'mop help options' {
            '-h show help for a command'
            '--help show help for a command'
        }
        'mop help 0' {
            'sign'
            'bill'
            'account'
            'decode'
            'estimate'
            'call'
            'errors'
            'detect'
            'health'
            'gql'
            'config'
            'doctor'
            'proxy'
            'sandbox'
            'completion'
            'version'
            'help'
            'exit-codes'
            'environment'
            'signing'
            'scheduling'
            'settings'
            'readings'
        }
        'mop help [1-9]*' {
            'explain'
            'verify'
            'fetch'
            'info'
            'status'
            'summary'
            'compare'
            'compact'
            'link'
            'find'
            'list'
            'unlink'
            'validate'
            'schema'
            'diff'
            'run'
            'help'
            'init'
            'set'
            'get'
            'unset'
            'path'
            'profiles'
            'use'
            'copy-profile'
            'rename-profile'
            'delete-profile'
            'debugger'
            'encrypt'
            'records'
        }
        '* options' {
            '-p use this profile of the configuration'
            '--profile use this profile of the configuration'
            '--env the environment to use'
            '--api-key the api_key to sign with'
            '--secret-file read the api secret from a file'
            '--json write JSON'
            '-q print no progress and no table'
            '--quiet print no progress and no table'
            '-v print each HTTP exchange to stderr, secrets redacted'
            '--verbose print each HTTP exchange to stderr, secrets redacted'
            '--debug print the stack trace of an error'
            '--no-color print without colour'
            '--timeout fail when nothing arrives for this many seconds (default 30)'
            '--max-time fail when the whole command takes longer (exit code 6)'
            '--retries retries after a failed attempt (default 4)'
            '--proxy send requests through this proxy, except to loopback'
            '--ca-file also trust these certificates (PEM)'
            '--dry-run print the request instead of sending it'
            '--reveal with --dry-run, print the signature and other credentials too'
        }
        '* -p' { mop config profiles --quiet 2> $null }
        '* --profile' { mop config profiles --quiet 2> $null }
        '* --env' {
            'production'
            'test'
            'sandbox'
        }
        '* --secret-file' { $isPath = $true }
        '* --ca-file' { $isPath = $true }
    })
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
