#!/usr/bin/env bash
# What can be said of the Dockerfile without building it: its sources, packages and user.   dockerfile_test.sh BUILD-DIR
set -euo pipefail
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
. "$here/checks.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build" --strip --prefix "$work/stage" >/dev/null

# One instruction a line.
sed -e ':a' -e '/\\$/{N;s/\\\n//;ba}' "$root/installer/dockerfile/Dockerfile" | grep -vE '^(#|$)' >"$work/dockerfile"

copies_from_stage() {
  local source found=0
  for source in $(sed -n 's|^COPY --from=build /stage/\([^ ]*\) .*|\1|p' "$work/dockerfile"); do
    found=1
    [ -e "$work/stage/$source" ] || { echo "cmake --install lays down no $source"; return 1; }
  done
  [ "$found" = 1 ]
}
copies_from_tree() {
  local source
  for source in $(sed -n 's|^COPY \([^-][^ ]*\) .*|\1|p' "$work/dockerfile"); do
    [ -e "$root/$source" ] || { echo "the tree has no $source"; return 1; }
    ! grep -qxF "$source" "$root/.dockerignore" || { echo "$source is in .dockerignore"; return 1; }
  done
}
packages=$(grep -o 'apt-get install [^&]*' "$work/dockerfile" | tr ' ' '\n' | grep -vE '^(apt-get|install|-.*|)$')
# A package that is installed exists, whatever apt's lists say.
packages_exist() {
  local package
  for package in $packages; do
    dpkg-query -W "$package" >/dev/null 2>&1 || apt-cache show "$package" >/dev/null 2>&1 ||
      { echo "no package $package"; return 1; }
  done
}
# Every library that the program itself asks for comes from a package that is named, or is part of the base image. What
# these ask for in turn comes with their packages.
libraries_are_named() {
  local name library package
  for name in $(objdump -p "$work/stage/bin/batholith" | awk '$1 == "NEEDED" {print $2}'); do
    [[ $name != *san.so* ]] || continue
    library=$(ldd "$work/stage/bin/batholith" | awk -v name="$name" '$1 == name {print $3}')
    [ -n "$library" ] || continue  # the loader itself
    package=$(dpkg-query -S "$(readlink -f "$library")" "$library" 2>/dev/null | head -n 1 | cut -d: -f1)
    case $package in
      libc6 | libgcc-s1) ;;
      *) grep -qxF "$package" <<<"$packages" || { echo "$library of $package is missing"; return 1; } ;;
    esac
  done
}
one_release() {
  local images
  images=$(sed -n 's/^FROM \([^ ]*\).*/\1/p' "$work/dockerfile" | sort -u)
  [ "$(wc -l <<<"$images")" = 1 ] || { echo "$images"; return 1; }
}
by_digest() {
  grep -qxE 'ARG BASE=debian:bookworm-[0-9]{8}-slim@sha256:[0-9a-f]{64}' "$work/dockerfile" &&
    ! grep -E '^FROM ' "$work/dockerfile" | grep -vE '^FROM \$\{BASE\}( |$)'
}
# With the arguments of Volcano's chart, and with those of ours.
entry_is_volcanos() {
  local entry
  entry=$(sed -n 's|^ENTRYPOINT \["\(.*\)"\]$|\1|p' "$work/dockerfile")
  grep -qxF "RUN ln -s /usr/bin/batholith $entry" "$work/dockerfile" || { echo "no link $entry"; return 1; }
  ln -s "$work/stage/bin/batholith" "$work/$(basename "$entry")"
  "$work/$(basename "$entry")" --logtostderr -v=3 --version '2>&1' | grep -q '^batholith ' &&
    "$work/$(basename "$entry")" scheduler --logtostderr --version | grep -q '^batholith '
}
not_root() { grep -qE '^USER [1-9][0-9]*:[1-9][0-9]*$' "$work/dockerfile"; }

check "each file that is copied out of the build is one that cmake --install lays down" copies_from_stage
check "each file that is copied into the build is in the tree" copies_from_tree
check "each package exists" packages_exist
check "the packages hold every library of the program" libraries_are_named
check "both stages are of one release, so that the libraries are those of the build" one_release
check "they are of an image by its digest" by_digest
check "the program does not run as root" not_root
check "it starts with the arguments of Volcano's chart and with those of ours" entry_is_volcanos
checks_done
