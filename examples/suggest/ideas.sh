#!/bin/sh
# A suggesting program in a few lines: every Python file in the folder IDEAS (default: ideas) is a candidate, at the first call only.
#   crashwright reproduce crash.txt --candidate-program examples/suggest/ideas.sh
call=$(sed -n 's/^ "call": \([0-9]*\),$/\1/p' | head -n 1)
[ "$call" = 1 ] || exit 0
for file in "${IDEAS:-ideas}"/*.py; do
    [ -f "$file" ] || continue
    # The text of the file as a JSON string: backslashes, quotes, tabs and line ends are escaped.
    code=$(sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e "s/$(printf '\t')/\\\\t/g" -e 's/$/\\n/' "$file" | tr -d '\r\n')
    printf '{"code": "%s"}\n' "$code"
done
