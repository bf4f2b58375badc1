#!/usr/bin/env bash
# Runs the rows of suite.txt and prints a line of JSON for each, then a table of figures against what must be reached and what is aimed at.
#   test/bench/run_suite.sh [--small] [--soak] [--only REGEX] [--table FILE] [PROGRAM]     build/release/session_bench
# --small: sizes and repetitions that only show that all of it works. --soak: the rows that take an hour as well. --only: rows whose
# id matches. --table: the table goes there. The openb trace is looked for in $BATHOLITH_SHARED/data/openb; without it its rows are left
# out, and said so. Ends with status 1 when a check of a result failed, whatever the figures.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
program=$here/../../build/release/session_bench small='' soak='' only='' table=''
while [ $# -gt 0 ]; do
  case $1 in
    --small) small=1 ;;
    --soak) soak=1 ;;
    --only) only=$2; shift ;;
    --table) table=$2; shift ;;
    -*) echo "run_suite.sh: unknown flag $1" >&2; exit 2 ;;
    *) program=$1 ;;
  esac
  shift
done
TRACE=${BATHOLITH_SHARED:-$here/../../../shared}/data/openb
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# No size above these.
shrink() {  # WORD...
  local word cap=
  for word in "$@"; do
    [ -z "$cap" ] || [ "$word" -le "$cap" ] || word=$cap
    printf '%s\n' "$word"
    case $word in
      --nodes) cap=30 ;;
      --pods) cap=150 ;;
      --running) cap=300 ;;
      --gang) cap=50 ;;
      --changes | --node-changes | --queues | --quotas | --node-groups) cap=20 ;;
      --repeat | --warmup) cap=2 ;;
      --gangs | --claims) cap=40 ;;
      --levels) cap=2 ;;
      --duration) cap=1 ;;
      *) cap= ;;
    esac
  done
  printf '%s\n' --repeat 2 --warmup 1
}

# The number at a path of the line of JSON in a file: "seconds.median".
figure() {  # FILE PATH
  awk -v path="$2" '{
    text = $0
    n = split(path, names, ".")
    for (i = 1; i <= n; ++i) {
      at = index(text, "\"" names[i] "\":")
      if (at == 0) exit
      text = substr(text, at + length(names[i]) + 3)
    }
    if (match(text, /^-?[0-9.]+([eE][-+]?[0-9]+)?/)) print substr(text, 1, RLENGTH)
  }' "$1"
}

run_row() {  # ID FLAG...
  local id=$1 words=() seen=() word
  shift
  for word in "$@"; do
    if [ "$word" = --soak ]; then
      [ -n "$soak$small" ] || return 0
    else
      words+=("${word/\$TRACE/$TRACE}")
    fi
  done
  [[ -z $small || "$*" != *--scale* ]] || return 0  # the same as without copies
  if [[ "$*" == *'$TRACE'* && ! -d $TRACE ]]; then
    echo "left out $id: no trace in $TRACE" >&2
    return 0
  fi
  if [ -n "$small" ]; then
    mapfile -t words < <(shrink "${words[@]}" | awk '/^--(repeat|warmup)$/ { if (seen[$0]++) { getline; next } } 1')
  fi
  "$program" "${words[@]}" >"$work/line" || failed=1
  [ -s "$work/line" ] || return 0
  mv "$work/line" "$work/$id"
  sed "s/^{/{\"id\":\"$id\",/" "$work/$id"
}

judge() {  # FIGURE BOUND: yes, no or -
  [ "$2" != - ] && [ -z "$small" ] || { echo -; return; }
  awk -v figure="$1" -v bound="$2" 'BEGIN {
    least = sub(/^>/, "", bound)
    print (least ? figure + 0 >= bound + 0 : figure + 0 <= bound + 0) ? "yes" : "no" }'
}

tell_row() {  # ID LINE-ID MEASURE MUST AIM
  [ -s "$work/$2" ] || return 0
  local path=${3%% / *} other='' value by
  [ "$path" = "$3" ] || other=${3##* / }
  value=$(figure "$work/$2" "$path")
  if [ -n "$other" ]; then
    [ -s "$work/$other" ] || return 0
    by=$(figure "$work/$other" "$path")
    value=$(awk -v a="$value" -v b="$by" 'BEGIN { if (b > 0) print a / b }')
  fi
  [ -n "$value" ] || { echo "run_suite.sh: $1 has no $3" >&2; failed=1; return 0; }
  printf '| %s | %s | %.4g | %.4g | %s | %s | %s | %s |\n' "$1" "$3" "$value" "$(figure "$work/$2" cpu_seconds.median)" \
    "$4" "$(judge "$value" "$4")" "$5" "$(judge "$value" "$5")" >>"$work/.table"
}

commit=$(git -C "$here" rev-parse --short HEAD 2>/dev/null || echo unknown)
printf '%s\n\n| id | measure | figure (commit %s) | cpu seconds | must | reached | aim | reached |\n|---|---|---:|---:|---:|---|---:|---|\n' \
  "Sizes: $([ -n "$small" ] && echo small || echo full). Cores: $(nproc)." "$commit" >"$work/.table"
trim() { sed 's/^ *//; s/ *$//' <<<"$1"; }
while IFS='|' read -r id flags measure must aim; do
  id=$(trim "$id")
  [[ -z $id || $id == '#'* ]] && continue
  [[ $id =~ $only ]] || continue
  read -ra words <<<"$flags"
  line=$id
  if [ "${words[0]}" = = ]; then line=${words[1]}; else run_row "$id" "${words[@]}"; fi
  tell_row "$id" "$line" "$(trim "$measure")" "$(trim "$must")" "$(trim "$aim")"
done <"$here/suite.txt"
if [ -n "$table" ]; then cp "$work/.table" "$table"; else cat "$work/.table"; fi
exit $failed
