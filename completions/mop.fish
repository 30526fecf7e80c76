# fish completion for mop, printed by: mop completion fish

# Whether the cursor is at COMMAND:POSITION, that of the argument which is due.
function __mop_at
    set -l commands 'mop' 'mop sign' 'mop sign explain' 'mop sign verify' 'mop bill' 'mop bill fetch' 'mop bill help' 'mop config' 'mop config init' 'mop config set' 'mop config get' 'mop config unset' 'mop config list' 'mop config path' 'mop config profiles' 'mop config use' 'mop config delete-profile' 'mop config help' 'mop sandbox' 'mop completion' 'mop help'
    set -l valued 'mop sign -F' 'mop sign --field' 'mop sign -f' 'mop sign --raw-field' 'mop sign --form' 'mop sign --file' 'mop sign --mode' 'mop sign --timestamp' 'mop sign --timestamp-unit' 'mop sign --nonce' 'mop sign --seq-id' 'mop sign -H' 'mop sign --header' 'mop sign --null-as' 'mop sign --url' 'mop sign --as' 'mop sign explain -F' 'mop sign explain --field' 'mop sign explain -f' 'mop sign explain --raw-field' 'mop sign explain --form' 'mop sign explain --file' 'mop sign explain --mode' 'mop sign explain --timestamp' 'mop sign explain --timestamp-unit' 'mop sign explain --nonce' 'mop sign explain --seq-id' 'mop sign explain -H' 'mop sign explain --header' 'mop sign explain --null-as' 'mop sign explain --url' 'mop sign verify -H' 'mop sign verify --header' 'mop sign verify --entry' 'mop sign verify --now' 'mop sign verify --max-skew' 'mop sign verify --theirs' 'mop sign verify --save-vector' 'mop bill fetch --from' 'mop bill fetch --to' 'mop bill fetch --last' 'mop bill fetch --type' 'mop bill fetch --shard' 'mop bill fetch -o' 'mop bill fetch --out' 'mop bill fetch --name' 'mop bill fetch --tar' 'mop bill fetch --concurrency' 'mop bill fetch --max-bytes' 'mop bill fetch --wait' 'mop sandbox --host' 'mop sandbox --port' 'mop sandbox --rows' 'mop sandbox --fault'
    set -l at mop
    set -l position 0
    set -l skip no
    for word in (commandline -opc)[2..]
        if test $skip = yes
            set skip no
        else if contains -- $word '-p' '--profile' '--env' '--api-key' '--secret-file' '--timeout' '--max-time' '--retries' '--proxy' '--ca-file'; or contains -- "$at $word" $valued
            set skip yes
        else if string match -qr '^-.' -- $word
            continue
        else if test $position = 0; and contains -- "$at $word" $commands
            set at "$at $word"
        else
            set position (math $position + 1)
        end
    end
    string match -q -- $argv "$at:$position"
end

# The files that complete a text which is @FILE, alone or after a key.
function __mop_file
    set -l parts (string match -r '^(.*@)(.*)$' -- (commandline -ct))
    and printf '%s\n' $parts[2](__fish_complete_path $parts[3])
end

complete -c mop -f
complete -c mop -s p -l profile -r -f -d 'use this profile of the configuration'
complete -c mop -l env -r -f -a 'production test sandbox' -d 'the environment to talk to'
complete -c mop -l api-key -r -f -d 'the api_key to sign with'
complete -c mop -l secret-file -r -F -d 'read the api secret from a file'
complete -c mop -l json -d 'write JSON'
complete -c mop -s q -l quiet -d 'no progress and no table'
complete -c mop -s v -l verbose -d 'show each HTTP exchange on stderr, secrets taken out'
complete -c mop -l debug -d 'show the stack trace of an error'
complete -c mop -l no-color -d 'no colour'
complete -c mop -l timeout -r -f -d 'give up without progress for so long (30)'
complete -c mop -l max-time -r -f -d 'give up the whole command after so long'
complete -c mop -l retries -r -f -d 'attempts after a first one that failed (4)'
complete -c mop -l proxy -r -f -d 'send everything through this proxy'
complete -c mop -l ca-file -r -F -d 'trust these certificates (PEM) as well'
complete -c mop -l dry-run -d 'print the request that would be sent, and send nothing'
complete -c mop -n "__mop_at 'mop:0'" -a 'sign' -d 'Sign one request and print it.'
complete -c mop -n "__mop_at 'mop:0'" -a 'bill' -d 'Fetch daily bills and keep their books.'
complete -c mop -n "__mop_at 'mop:0'" -a 'config' -d 'Keep addresses and credentials in named profiles.'
complete -c mop -n "__mop_at 'mop:0'" -a 'sandbox' -d 'Serve the platform on this machine, to try things and to test against.'
complete -c mop -n "__mop_at 'mop:0'" -a 'completion' -d 'Print a script that completes mop in a shell.'
complete -c mop -n "__mop_at 'mop:0'" -a 'help' -d 'display help for command'
complete -c mop -n "__mop_at 'mop:*'" -s V -l version -d 'print the version'
complete -c mop -n "__mop_at 'mop:*'" -s h -l help -d 'show help for a command'
complete -c mop -n "__mop_at 'mop sign:0'" -a 'explain' -d 'Show how a request is signed, layer by layer.'
complete -c mop -n "__mop_at 'mop sign:0'" -a 'verify' -d 'Find out what is wrong with the signature of a request.'
complete -c mop -n "__mop_at 'mop sign:0'" -f -a '(__mop_file)'
complete -c mop -n "__mop_at 'mop sign:*'" -s F -l field -r -f -a '(__mop_file)' -d 'add a field: a JSON literal, a string, or @FILE'
complete -c mop -n "__mop_at 'mop sign:*'" -s f -l raw-field -r -f -d 'add a field that is a string'
complete -c mop -n "__mop_at 'mop sign:*'" -l form -r -f -d 'a field of a multipart form (header mode)'
complete -c mop -n "__mop_at 'mop sign:*'" -l file -r -f -a '(__mop_file)' -d 'a file of a multipart form, never signed (header mode)'
complete -c mop -n "__mop_at 'mop sign:*'" -l mode -r -f -a 'body header' -d 'body: protocol 1.0 (the default); header: 2.0'
complete -c mop -n "__mop_at 'mop sign:*'" -l timestamp -r -f -d 'Unix time to sign with, instead of now'
complete -c mop -n "__mop_at 'mop sign:*'" -l timestamp-unit -r -f -a 's ms' -d 'unit of a generated timestamp (header mode)'
complete -c mop -n "__mop_at 'mop sign:*'" -l nonce -r -f -d 'nonce to sign with, instead of a random one'
complete -c mop -n "__mop_at 'mop sign:*'" -l no-nonce -d 'send no nonce (header mode)'
complete -c mop -n "__mop_at 'mop sign:*'" -l seq-id -r -f -d 'serial number to sign with, instead of a random UUID'
complete -c mop -n "__mop_at 'mop sign:*'" -s H -l header -r -f -d 'sign \'X-TMS-…: value\' as well (header mode)'
complete -c mop -n "__mop_at 'mop sign:*'" -l null-as -r -f -a 'empty omit text' -d 'how a null is signed (header mode; empty)'
complete -c mop -n "__mop_at 'mop sign:*'" -l url -r -f -d 'where the request goes, for --as curl and json'
complete -c mop -n "__mop_at 'mop sign:*'" -l as -r -f -a 'body headers curl sign json' -d 'what to print; body by default, headers in header mode'
complete -c mop -n "__mop_at 'mop sign:*'" -s h -l help -d 'show help for a command'
complete -c mop -n "__mop_at 'mop sign explain:0'" -f -a '(__mop_file)'
complete -c mop -n "__mop_at 'mop sign explain:*'" -s F -l field -r -f -a '(__mop_file)' -d 'add a field: a JSON literal, a string, or @FILE'
complete -c mop -n "__mop_at 'mop sign explain:*'" -s f -l raw-field -r -f -d 'add a field that is a string'
complete -c mop -n "__mop_at 'mop sign explain:*'" -l form -r -f -d 'a field of a multipart form (header mode)'
complete -c mop -n "__mop_at 'mop sign explain:*'" -l file -r -f -a '(__mop_file)' -d 'a file of a multipart form, never signed (header mode)'
complete -c mop -n "__mop_at 'mop sign explain:*'" -l mode -r -f -a 'body header' -d 'body: protocol 1.0 (the default); header: 2.0'
complete -c mop -n "__mop_at 'mop sign explain:*'" -l timestamp -r -f -d 'Unix time to sign with, instead of now'
complete -c mop -n "__mop_at 'mop sign explain:*'" -l timestamp-unit -r -f -a 's ms' -d 'unit of a generated timestamp (header mode)'
complete -c mop -n "__mop_at 'mop sign explain:*'" -l nonce -r -f -d 'nonce to sign with, instead of a random one'
complete -c mop -n "__mop_at 'mop sign explain:*'" -l no-nonce -d 'send no nonce (header mode)'
complete -c mop -n "__mop_at 'mop sign explain:*'" -l seq-id -r -f -d 'serial number to sign with, instead of a random UUID'
complete -c mop -n "__mop_at 'mop sign explain:*'" -s H -l header -r -f -d 'sign \'X-TMS-…: value\' as well (header mode)'
complete -c mop -n "__mop_at 'mop sign explain:*'" -l null-as -r -f -a 'empty omit text' -d 'how a null is signed (header mode; empty)'
complete -c mop -n "__mop_at 'mop sign explain:*'" -l url -r -f -d 'where the request goes, for --as curl and json'
complete -c mop -n "__mop_at 'mop sign explain:*'" -s h -l help -d 'show help for a command'
complete -c mop -n "__mop_at 'mop sign verify:0'" -f -a '(__mop_file)'
complete -c mop -n "__mop_at 'mop sign verify:*'" -s H -l header -r -f -d 'a header that came with the body (\'X-TMS-…: value\')'
complete -c mop -n "__mop_at 'mop sign verify:*'" -l entry -r -f -d 'the entry of a HAR file, from 1; by default the first signed'
complete -c mop -n "__mop_at 'mop sign verify:*'" -l now -r -f -d 'Unix time to compare the timestamp with, instead of now'
complete -c mop -n "__mop_at 'mop sign verify:*'" -l max-skew -r -f -d 'how far apart the two may be (60)'
complete -c mop -n "__mop_at 'mop sign verify:*'" -l theirs -r -f -d 'compare with the string that the signer printed'
complete -c mop -n "__mop_at 'mop sign verify:*'" -l save-vector -r -F -d 'write the case for others, with a dummy secret'
complete -c mop -n "__mop_at 'mop sign verify:*'" -s h -l help -d 'show help for a command'
complete -c mop -n "__mop_at 'mop bill:0'" -a 'fetch' -d 'Fetch and verify bills, by default yesterday\'s.'
complete -c mop -n "__mop_at 'mop bill:0'" -a 'help' -d 'display help for command'
complete -c mop -n "__mop_at 'mop bill:*'" -s h -l help -d 'show help for a command'
complete -c mop -n "__mop_at 'mop bill fetch:*'" -f
complete -c mop -n "__mop_at 'mop bill fetch:*'" -l from -r -f -d 'from this day on'
complete -c mop -n "__mop_at 'mop bill fetch:*'" -l to -r -f -d 'up to this day (yesterday)'
complete -c mop -n "__mop_at 'mop bill fetch:*'" -l last -r -f -d 'so many days, ending yesterday'
complete -c mop -n "__mop_at 'mop bill fetch:*'" -l missing -d 'what the ledger does not account for, of the three months'
complete -c mop -n "__mop_at 'mop bill fetch:*'" -l type -r -f -a 'all paid refund' -d 'all by default; repeatable'
complete -c mop -n "__mop_at 'mop bill fetch:*'" -l all-profiles -d 'for every profile, each in a folder of its name'
complete -c mop -n "__mop_at 'mop bill fetch:*'" -l shard -r -f -d 'this worker\'s share, such as 0/4'
complete -c mop -n "__mop_at 'mop bill fetch:*'" -s o -l out -r -F -d 'a directory (ends in / or exists), a file, or - for stdout'
complete -c mop -n "__mop_at 'mop bill fetch:*'" -l name -r -f -d 'file name: {date} {type} {profile} {env}'
complete -c mop -n "__mop_at 'mop bill fetch:*'" -l keep-gzip -d 'keep the file compressed'
complete -c mop -n "__mop_at 'mop bill fetch:*'" -l overwrite -d 'replace a file that differs from the bill'
complete -c mop -n "__mop_at 'mop bill fetch:*'" -l tar -r -f -a 'stream gzip' -d 'what to ask the platform for (gzip)'
complete -c mop -n "__mop_at 'mop bill fetch:*'" -l concurrency -r -f -d 'bills in flight (4)'
complete -c mop -n "__mop_at 'mop bill fetch:*'" -l max-bytes -r -f -d 'refuse a larger bill (64 GiB)'
complete -c mop -n "__mop_at 'mop bill fetch:*'" -l wait -r -f -d 'wait so long for a bill that is not there yet'
complete -c mop -n "__mop_at 'mop bill fetch:*'" -l force -d 'ask the platform even for a date it should not have'
complete -c mop -n "__mop_at 'mop bill fetch:*'" -l require-hash -d 'refuse a bill that comes without a digest'
complete -c mop -n "__mop_at 'mop bill fetch:*'" -s h -l help -d 'show help for a command'
complete -c mop -n "__mop_at 'mop bill help:0'" -f -a 'fetch help'
complete -c mop -n "__mop_at 'mop config:0'" -a 'init' -d 'Ask for what a profile needs, and store it.'
complete -c mop -n "__mop_at 'mop config:0'" -a 'set' -d 'Store a setting in the profile. The secret is asked for, or read from a pipe.'
complete -c mop -n "__mop_at 'mop config:0'" -a 'get' -d 'Print the value in force.'
complete -c mop -n "__mop_at 'mop config:0'" -a 'unset' -d 'Remove a setting from the profile.'
complete -c mop -n "__mop_at 'mop config:0'" -a 'list' -d 'Show every setting in force, and where it comes from.'
complete -c mop -n "__mop_at 'mop config:0'" -a 'path' -d 'Print where the configuration is kept.'
complete -c mop -n "__mop_at 'mop config:0'" -a 'profiles' -d 'List the profiles.'
complete -c mop -n "__mop_at 'mop config:0'" -a 'use' -d 'Make a profile the one in force.'
complete -c mop -n "__mop_at 'mop config:0'" -a 'delete-profile' -d 'Remove a profile and what it holds.'
complete -c mop -n "__mop_at 'mop config:0'" -a 'help' -d 'display help for command'
complete -c mop -n "__mop_at 'mop config:*'" -s h -l help -d 'show help for a command'
complete -c mop -n "__mop_at 'mop config init:*'" -s h -l help -d 'show help for a command'
complete -c mop -n "__mop_at 'mop config set:0'" -f -a 'environment api_key api_secret api_secret_file api_secret_command base_url test_base_url open_base_url open_test_base_url detect_url gql_url timezone bill_dir bill_name bill_file_mode bill_late_hours bill_auth_header bill_ready_time no_bill_codes'
complete -c mop -n "__mop_at 'mop config set:1'" -f
complete -c mop -n "__mop_at 'mop config set:*'" -s h -l help -d 'show help for a command'
complete -c mop -n "__mop_at 'mop config get:0'" -f -a 'environment api_key api_secret api_secret_file api_secret_command base_url test_base_url open_base_url open_test_base_url detect_url gql_url timezone bill_dir bill_name bill_file_mode bill_late_hours bill_auth_header bill_ready_time no_bill_codes'
complete -c mop -n "__mop_at 'mop config get:*'" -s h -l help -d 'show help for a command'
complete -c mop -n "__mop_at 'mop config unset:0'" -f -a 'environment api_key api_secret api_secret_file api_secret_command base_url test_base_url open_base_url open_test_base_url detect_url gql_url timezone bill_dir bill_name bill_file_mode bill_late_hours bill_auth_header bill_ready_time no_bill_codes'
complete -c mop -n "__mop_at 'mop config unset:*'" -s h -l help -d 'show help for a command'
complete -c mop -n "__mop_at 'mop config list:*'" -s h -l help -d 'show help for a command'
complete -c mop -n "__mop_at 'mop config path:*'" -s h -l help -d 'show help for a command'
complete -c mop -n "__mop_at 'mop config profiles:*'" -s h -l help -d 'show help for a command'
complete -c mop -n "__mop_at 'mop config use:0'" -f
complete -c mop -n "__mop_at 'mop config use:*'" -s h -l help -d 'show help for a command'
complete -c mop -n "__mop_at 'mop config delete-profile:0'" -f
complete -c mop -n "__mop_at 'mop config delete-profile:*'" -s h -l help -d 'show help for a command'
complete -c mop -n "__mop_at 'mop config help:0'" -f -a 'init set get unset list path profiles use delete-profile help'
complete -c mop -n "__mop_at 'mop sandbox:*'" -l host -r -f -d 'listen on this address (127.0.0.1)'
complete -c mop -n "__mop_at 'mop sandbox:*'" -l allow-remote -d 'allow a --host that other machines can reach'
complete -c mop -n "__mop_at 'mop sandbox:*'" -l port -r -f -d 'listen on this port, 0 for any (7800)'
complete -c mop -n "__mop_at 'mop sandbox:*'" -l rows -r -f -d 'orders in a bill (200)'
complete -c mop -n "__mop_at 'mop sandbox:*'" -l fault -r -f -d 'misbehave, repeatable; see below'
complete -c mop -n "__mop_at 'mop sandbox:*'" -l log -d 'write a line for each request to stderr'
complete -c mop -n "__mop_at 'mop sandbox:*'" -s h -l help -d 'show help for a command'
complete -c mop -n "__mop_at 'mop completion:0'" -f -a 'bash zsh fish powershell'
complete -c mop -n "__mop_at 'mop completion:*'" -s h -l help -d 'show help for a command'
complete -c mop -n "__mop_at 'mop help:0'" -f -a 'sign bill config sandbox completion help'
