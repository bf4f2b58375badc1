#!/usr/bin/env bash
# What cmake --install lays down works by itself, and cpack packs it.      stage_test.sh BUILD-DIR
set -euo pipefail
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
. "$here/checks.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$build" --strip --prefix "$work/stage" >/dev/null
share=$work/stage/share/batholith

simulate() {
  "$work/stage/bin/batholith" simulate -f "$share/examples/cluster" -f "$share/examples/jobs.yaml" \
    --scheduler-conf "$share/batholith-scheduler.conf" >"$work/out"
  grep -q train-resnet "$work/out"
}
no_links() { [ -z "$(find "$work/stage" -type l)" ] || { find "$work/stage" -type l; return 1; }; }
has() { [ -s "$work/stage/$1" ]; }

check "the program runs on the installed examples under the installed conf" simulate
check "the installed conf is the shipped one" cmp "$share/batholith-scheduler.conf" "$root/installer/volcano-scheduler.conf"
check "every custom kind is installed" diff -r "$root/installer/crds" "$share/crds"
check "the manifests are installed" diff -r "$root/installer/kubernetes" "$share/kubernetes"
for more in slack autoscale metrics servicemonitor; do
  check "those of kubernetes-$more are installed apart" diff -r "$root/installer/kubernetes-$more" "$share/kubernetes-$more"
done
check "the chart is whole without the source tree" diff -r "$root/installer/helm" "$share/helm"
check "nothing installed is a link" no_links
check "the licence is installed" has share/doc/batholith/copyright
check "manual pages are installed" has share/man/man1/batholith-queue-list.1
check "completion for bash is installed" has share/bash-completion/completions/batholith
check "completion for zsh is installed" has share/zsh/site-functions/_batholith
check "completion for fish is installed" has share/fish/vendor_completions.d/batholith.fish
check "the documents are installed" has share/doc/batholith/docs/live.md
check "so is what changed" has share/doc/batholith/CHANGELOG.md

pack() {
  cpack --config "$build/CPackConfig.cmake" -G DEB -B "$work/deb" >/dev/null &&
    dpkg-deb --fsys-tarfile "$work"/deb/*.deb | tar -t >"$work/files" && dpkg-deb -f "$work"/deb/*.deb Depends >"$work/depends"
}
holds() { grep -qxF "$1" "$work/files"; }
depends() { grep -qF "$1" "$work/depends"; }
if command -v dpkg-deb >/dev/null && command -v dpkg-shlibdeps >/dev/null; then
  check "cpack packs it" pack
  check "the package has the program" holds ./usr/bin/batholith
  check "the package has manual pages" holds ./usr/share/man/man1/batholith.1
  check "the package has the conf" holds ./usr/share/batholith/batholith-scheduler.conf
  check "the package has the licence" holds ./usr/share/doc/batholith/copyright
  check "the package asks for the libraries of the program" depends libyaml-0-2
else
  echo "skipped the package: dpkg-deb and dpkg-shlibdeps (dpkg-dev) are not both there"
fi
checks_done
