#!/bin/sh
# A bot in POSIX sh, with nothing but sed and awk, that makes random legal moves.
# It takes its messages apart by hand: "type" stands first in each, and "moves" next in "choose".

seed=1

while IFS= read -r line; do
    case $line in
    '{"type":"hello"'*)
        echo '{"type": "hello", "protocol": 1, "name": "Random Shell"}'
        ;;
    '{"type":"new"'*)
        seed=$(printf '%s\n' "$line" | sed 's/.*"seed":\([0-9]*\).*/\1/')
        ;;
    '{"type":"choose"'*)
        seed=$(((seed * 16807 + 11) % 2147483647))
        move=$(printf '%s\n' "$line" | sed 's/^[^[]*\["//; s/"\].*//' |
            awk -F '","' -v seed="$seed" '{ print $(1 + seed % NF) }')
        printf '{"type": "move", "move": "%s"}\n' "$move"
        ;;
    '{"type":"bye"'*)
        exit
        ;;
    esac
done
