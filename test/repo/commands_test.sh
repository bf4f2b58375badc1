#!/usr/bin/env bash
# Every block of commands in README and docs, run as printed. The rule for writers stands in CONTRIBUTING.md.
#   commands_test.sh PROGRAM [PAGE...]
set -euo pipefail
program=$(realpath "$1")
shift
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
all=
[ $# -gt 0 ] || { all=1 && set -- "$root"/*.md "$root"/docs/*.md; }
export LC_ALL=C.UTF-8 TZ=UTC NO_COLOR=1
unset KUBECONFIG
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ran=0 looked_at=0 failed=0

# A page starts in a folder of its own: what a block makes is there for the blocks after it, and nothing else is.
fresh_folder() {
  rm -rf "$work/at"
  mkdir -p "$work/at/build/release" "$work/at/build/dev"
  for preset in release dev; do ln -s "$program" "$work/at/build/$preset/batholith"; done
  for name in docs installer test README.md; do ln -s "$root/$name" "$work/at/$name"; done
}

# Whether a line of a block is a command: its first word says so. "batholith 1.2" and "batholith verify: …" are printed.
is_command() {
  [[ ! $1 =~ ^batholith(\ [a-z]+){1,2}: ]] || return 1
  [[ $1 =~ ^(build/(release|dev)/)?batholith\ +[a-z-] || $1 =~ ^(build|installer|test)/[^\ :]+(\ |$) ||
    $1 =~ ^(cat|cp|diff|echo|grep|head|mkdir|mv|printf|rm|sed|tail|kubectl|helm|curl|docker|git|cmake|ctest)\  ]]
}

# Why a command is looked at and not run; nothing for what is run.
why_not_run() {
  case $1 in
    kubectl\ * | helm\ * | curl\ * | docker\ *) echo "needs a cluster or a network" ;;
    git\ * | cmake\ * | ctest\ * | installer/* | test/*) echo "builds, tests or changes this machine" ;;
    *batholith\ scheduler*) echo "needs a cluster" ;;
    *batholith\ queue* | *batholith\ job* | *batholith\ quota*)
      [[ $1 =~ \ (-f|--file)[\ =] ]] || echo "needs a cluster" ;;
  esac
}

fails() {  # LINE COMMAND WHAT
  failed=$((failed + 1))
  printf '%s:%s: %s\n  %s\n' "$page" "$1" "$3" "${2%%$'\n'*}"
}

# Of a command that is not run: its files are there, its flags are among the help's.
look_at() {  # LINE COMMAND
  local words word help=
  read -ra words <<<"${2//$'\\\n'/ }"
  looked_at=$((looked_at + 1))
  if [[ ${words[0]} == *batholith ]]; then
    local name=("${words[1]}")
    [ "${words[1]}" = scheduler ] || name+=("${words[2]:-}")
    help=$("$program" "${name[@]}" --help 2>&1) || { fails "$1" "$2" "no such command"; return; }
  fi
  for word in "${words[@]}"; do
    case $word in
      '#'*) return ;;
      installer/* | test/* | docs/*) [ -e "$root/$word" ] || fails "$1" "$2" "$word is not there" ;;
      -*) [ -z "$help" ] || grep -qE -- "(^|[ ,])${word%%=*}([ ,=]|$)" <<<"$help" || fails "$1" "$2" "its help has no $word" ;;
    esac
  done
}

# Whether a line is the printed one, where "…" stands for any text.
line_is() {  # LINE PRINTED
  local line=$1 printed=$2 piece=${2%%…*}
  [[ $printed == *…* ]] || { [ "$line" = "$printed" ]; return; }
  [[ $line == "$piece"* ]] || return 1
  line=${line#"$piece"} printed=${printed#*…}
  while [[ $printed == *…* ]]; do
    piece=${printed%%…*}
    [[ $line == *"$piece"* ]] || return 1
    line=${line#*"$piece"} printed=${printed#*…}
  done
  [[ $line == *"$printed" ]]
}

# Whether `output` from line $1 on is `printed` from line $2 on, where a line "…" stands for any lines.
lines_are() {
  local at=$1 want=$2
  while [ "$want" -lt ${#printed[@]} ]; do
    if [[ ${printed[want]} =~ ^\ *…$ ]]; then
      for (( ; at <= ${#output[@]}; at++)); do
        if lines_are "$at" $((want + 1)); then return 0; fi
      done
      return 1
    fi
    [ "$at" -lt ${#output[@]} ] && line_is "${output[at]}" "${printed[want]}" || return 1
    at=$((at + 1)) want=$((want + 1))
  done
  [ "$at" -eq ${#output[@]} ]
}

run() {  # LINE COMMAND; `printed` is what stands under it
  local status=0 expected=0 output=()
  ran=$((ran + 1))
  [[ $2 =~ \#\ status\ ([0-9]+) ]] && expected=${BASH_REMATCH[1]}
  (cd "$work/at" && PATH=$work/at/build/release:$PATH HOME=$work/at timeout 300 bash -c "$2") \
    >"$work/out" 2>&1 </dev/null || status=$?
  sed -i 's/[[:space:]]*$//' "$work/out"
  if [ "$status" -ne "$expected" ]; then
    fails "$1" "$2" "ends with status $status, not $expected:"
    head -n 20 "$work/out"
    return
  fi
  [ ${#printed[@]} -eq 0 ] && return
  mapfile -t output <"$work/out"
  if ! lines_are 0 0; then
    fails "$1" "$2" "prints something else than the page (-):"
    printf '%s\n' "${printed[@]}" | diff -u - "$work/out" | tail -n +3 | head -n 100 || true
  fi
}

# What was collected of a command, once its end is known.
finish_command() {
  [ -n "$command" ] || return 0
  while [ ${#printed[@]} -gt 0 ] && [ -z "${printed[-1]}" ]; do unset 'printed[-1]'; done
  if [ -n "$(why_not_run "$command")" ]; then look_at "$command_line" "$command"; else run "$command_line" "$command"; fi
  command=
}

# The block in `block`, which starts at line `block_line` of the page.
do_block() {
  local command= command_line=0 printed=() line i=0 first=0 end
  while [[ $first -lt ${#block[@]} && ${block[first]} =~ ^(\#.*)?$ ]]; do first=$((first + 1)); done
  if [ "$first" -eq ${#block[@]} ] || ! is_command "${block[first]}"; then
    for line in "${block[@]}"; do
      is_command "$line" && fails "$block_line" "$line" "a block of commands starts with a command"
    done
    return 0
  fi
  for ((i = first; i < ${#block[@]}; i++)); do
    line=${block[i]}
    if is_command "$line"; then
      finish_command
      command=$line command_line=$((block_line + i)) printed=()
      while [[ ${block[i]} == *\\ ]]; do i=$((i + 1)) command+=$'\n'${block[i]-}; done
      if [[ $line =~ \<\<\'?([A-Z]+) ]]; then
        end=${BASH_REMATCH[1]}
        until [ "${block[i]}" = "$end" ] || [ $((i + 1)) -eq ${#block[@]} ]; do i=$((i + 1)) command+=$'\n'${block[i]}; done
      fi
    elif [[ ! $line =~ ^\ +\# ]]; then
      printed+=("$line")
    fi
  done
  finish_command
}

# A block is fenced, or indented by four spaces or more after an empty line (in a list it is more), all of it as its first line.
do_page() {
  local line number=0 fence= before= indent= block=() block_line=0
  fresh_folder
  while IFS= read -r line || [ -n "$line" ]; do
    number=$((number + 1))
    line=${line%"${line##*[![:space:]]}"}
    if [ -n "$fence" ]; then
      if [ "${line#"$indent"}" = '```' ]; then
        do_block
        fence= block=()
      else
        block+=("${line#"$indent"}")
      fi
    elif [[ $line =~ ^(\ *)\`\`\` ]]; then
      indent=${BASH_REMATCH[1]}
      [ ${#block[@]} -eq 0 ] || do_block
      fence=1 block=() block_line=$((number + 1))
    elif [[ $line == '    '* && (${#block[@]} -gt 0 || -z $before) ]]; then
      [ ${#block[@]} -gt 0 ] || { block_line=$number && indent=${line%%[! ]*}; }
      block+=("${line#"$indent"}")
    elif [ ${#block[@]} -gt 0 ] && [ -z "$line" ]; then
      block+=("")
    elif [ ${#block[@]} -gt 0 ]; then
      do_block
      block=()
    fi
    before=$line
  done <"$page"
  [ ${#block[@]} -eq 0 ] || do_block
}

# A page that is wrong has to be found out, by the message that is its first line.
check_wrong_pages() {
  local wrong
  for wrong in "$root"/test/repo/wrong_pages/*.md; do
    if "${BASH_SOURCE[0]}" "$program" "$wrong" >"$work/found" || ! grep -qF -- "$(head -n 1 "$wrong")" "$work/found"; then
      echo "not found out: $wrong"
      failed=$((failed + 1))
    fi
  done
}

# A page that another one names is there, and the README names every page.
check_names() {
  local name
  grep -ohE '`docs/[a-z-]+\.md`' "$root"/*.md "$root"/docs/*.md | tr -d '`' | sort -u >"$work/named"
  while read -r name; do
    [ -e "$root/$name" ] || { echo "$name is named and is not there" && failed=$((failed + 1)); }
  done <"$work/named"
  for name in "$root"/docs/*.md; do
    grep -qF "docs/${name##*/}" "$root/README.md" || { echo "README.md does not name docs/${name##*/}" && failed=$((failed + 1)); }
  done
}

for page in "$@"; do
  page=$(realpath --relative-to="$PWD" "$page")
  do_page
done
[ -z "$all" ] || { check_wrong_pages && check_names; }
echo "$ran commands run, $looked_at looked at, $failed wrong"
[ "$failed" -eq 0 ] && [ $((ran + looked_at)) -gt 0 ]
