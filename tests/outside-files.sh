#!/usr/bin/env bash
# Runs every command on each file of a folder of rules files from outside, under limits of time and memory.
#
#   tests/outside-files.sh FOLDER [PROGRAM [SECONDS]]
#
# Fails on a panic, a signal, too much time or memory, and prints what failed. Mistakes that are told in words (exit
# codes 1 and 2) are answers. `perft` and `simulate` may take longer, if they stop when they are interrupted. Time is the
# processor's, so that a machine with other work changes nothing. PROGRAM is `target/release/lusoria` unless said, and
# SECONDS are 10. A debug build verifies plans behind each pass, and needs several times as long.
set -uo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
folder=${1:?name a folder of rules files}
program=${2:-$here/target/release/lusoria}
seconds=${3:-10}
kilobytes=$((256 * 1024))
[ -d "$folder" ] || { echo "$folder is no folder" >&2; exit 2; }
[ -x "$program" ] || { echo "$program is not there: build it by 'cargo build --release'" >&2; exit 2; }
output=$(mktemp)
trap 'rm -f "$output"' EXIT

# The C library reserves address space for each thread that is never used; with one arena it counts what is used.
limited() {
  # The shell's own word of a signal goes nowhere.
  local time=(-t "$seconds") patience=60
  case $1 in perft | simulate) time=() patience=20 ;; esac
  { (ulimit -v "$kilobytes" -c 0 "${time[@]}"; MALLOC_ARENA_MAX=1 exec timeout --signal=INT --kill-after=20 "$patience" \
    "$program" "$@") </dev/null >"$output" 2>&1; } 2>/dev/null
}

verdict() {
  case $1 in
    0 | 1 | 2) ;;
    124) [ "$command" = perft ] || [ "$command" = simulate ] || echo "more than a minute" ;;
    101) grep -qi 'memory' "$output" && echo "out of memory" || echo "panic" ;;
    137) echo "more than $seconds s of the processor, or it does not stop" ;;
    134) grep -qi 'memory allocation' "$output" && echo "out of memory" || echo "aborted (stack or memory)" ;;
    *) echo "exit $1" ;;
  esac
}

files=0
runs=0
failed=0
while IFS= read -r -d '' file; do
  files=$((files + 1))
  for command in check plan show moves perft simulate; do
    case $command in
      perft) more=(2) ;;
      simulate) more=(--games 10) ;;
      *) more=() ;;
    esac
    limited "$command" "$file" "${more[@]}"
    wrong=$(verdict $?)
    runs=$((runs + 1))
    [ -z "$wrong" ] && continue
    [ "$failed" -eq 0 ] && printf '%-44s %-9s %s\n' file command failure
    failed=$((failed + 1))
    printf '%-44s %-9s %s: %s\n' "${file#"$folder"/}" "$command" "$wrong" "$(grep -v '^$' "$output" | head -n 1 | cut -c 1-90)"
  done
done < <(find "$folder" -type f -name '*.rules' -print0 | sort -z)

echo "$files files, $runs runs, $failed failed"
[ "$files" -gt 0 ] && [ "$failed" -eq 0 ]
