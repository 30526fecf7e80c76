# fish completion for mop, printed by: mop completion fish

function __mop_complete
    set -l words (commandline -opc)
    set -l typed (commandline -ct)
    # An open quotation cannot be unescaped.
    set -l current (string unescape -- "$typed"; or string trim --left --chars "\"'" -- "$typed")
    set -l lines (command mop __complete $words[2..] "$current" 2>/dev/null </dev/null)
    set -l head (string split \t -- $lines[1])
    set -l path (string replace -- "$head[2]" '' "$current")
    string join \n -- $lines[2..]
    switch "$head[1]"
        case files
            string join \n -- "$head[2]"(__fish_complete_path "$path")
        case directories
            string join \n -- "$head[2]"(__fish_complete_directories "$path")
    end
end

complete -c mop -f -a '(__mop_complete)'
