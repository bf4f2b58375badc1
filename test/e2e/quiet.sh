#!/usr/bin/env bash
# Nothing to do means nothing said: 100 pods that fit nowhere and a cluster in which nothing changes bring no request to
# the API server but watches and the lease. Counted in the API server's audit log.
#   test/e2e/quiet.sh [--full]     watches for 60 seconds instead of 20.  Exit status: 0, 1, or 77 without Go.
set -uo pipefail
dir=$(mktemp -d)
. "$(dirname "${BASH_SOURCE[0]}")/daemon.sh"
trap 'e2e_end; rm -rf "$dir"' EXIT
seconds=20
[ "${1:-}" != --full ] || seconds=60

begin() { e2e_begin --audit && cluster_nodes "$dir" 5 4 16Gi && namespaces a && daemon_start main $patient; }
# Ten gangs of five and fifty pods alone; each pod asks for more than any node has.
nobody_fits() {
  local i
  for ((i = 0; i < 10; ++i)); do group a "gang$i" 5; pods a "gang$i" 5 8; done | create &&
    pods a alone 50 8 | sed /annotations/d | create && soon all_told
}
all_told() {
  [ "$(kubectl -n a get pods -o 'jsonpath={range .items[*]}{.status.conditions[?(@.type=="PodScheduled")].message}{"\n"}{end}' |
    grep -c .)" = 100 ] && quiet_for 7  # what was told is written, and what waited for counts to stand still
}
# Else nothing would have been counted at all.
watches_counted() {
  grep -q '"verb":"watch"' "$dir/audit.log" && grep -q '"resource":"leases"' "$dir/audit.log" &&
    grep -q '"resource":"events"' "$dir/audit.log"
}
still_works() { { group a fits 1; pods a fits 1 1; } | create && soon placed a fits 1; }

step "a cluster that keeps an audit log starts" begin
step "100 pods that fit nowhere are told so" nobody_fits
step "for $seconds s the scheduler asks for nothing but watches and the lease" quiet_for "$seconds"
step "the audit log did count" watches_counted
step "a pod that fits gets its node" still_works
