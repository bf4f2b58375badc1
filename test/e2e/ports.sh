#!/usr/bin/env bash
# Who may see what on the scheduler's ports, and what a client can do to it: pages of /debug on loopback only, one snapshot
# at a time that holds up nobody, metrics with TLS and the cluster's tokens.  Exit status: 0, 1, or 77 without Go.
set -uo pipefail
dir=$(mktemp -d)
. "$(dirname "${BASH_SOURCE[0]}")/daemon.sh"
trap 'e2e_end; rm -rf "$dir"' EXIT

metrics=$(_e2e_free_port) health=$(_e2e_free_port) debug=$(_e2e_free_port) second=$(_e2e_free_port)
serving="--enable-metrics --listen-address=127.0.0.1:$metrics --enable-healthz --healthz-address=127.0.0.1:$health"
secure="$serving --metrics-authentication --tls-cert-file=$dir/apiserver.crt --tls-private-key-file=$dir/apiserver.key"

# An answer without its headers, and not in chunks.
page() {  # PORT PATH
  exec 8<>"/dev/tcp/127.0.0.1/$1" || return
  printf 'GET %s HTTP/1.0\r\n\r\n' "$2" >&8
  timeout 60 cat <&8 | sed '1,/^\r$/d'
  exec 8>&-
}
says() {  # PORT PATH STATUS [TEXT]
  local said
  said=$(answer "$1" "$2" | tr -d '\0')
  echo "$2 of port $1: $said" | head -n 20
  [[ $said == "HTTP/1.1 $3 "*"${4:-}"* ]]
}
put_level() {  # PORT LEVEL
  exec 8<>"/dev/tcp/127.0.0.1/$1" || return
  printf 'PUT /debug/loglevel HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s' "${#2}" "$2" >&8
  timeout 30 head -n 1 <&8
  exec 8>&-
}

# 80 objects of 250 kB: more of a snapshot than the kernel keeps for a client that does not read.
much() {
  local i note
  note=$(printf '%0250000d' 0)
  for ((i = 0; i < 80; ++i)); do
    printf -- '---\napiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: c%d, annotations: {example.com/note: "%s"}}\nvalue: 1\n' \
      "$i" "$note"
  done | create
}
begin() {
  e2e_begin && cluster_nodes "$dir" 1 4 16Gi && namespaces a && much && { group a fits 1; pods a fits 1 1; group a big 1
    pods a big 1 99; } | create && daemon_start main $patient $serving --debug-address="127.0.0.1:$debug" && soon placed a fits 1
}
nothing_on_the_metrics_port() {
  local path
  for path in /debug/conf "/debug/explain?pod=a/big-0" /debug/loglevel /debug/snapshot; do
    says "$metrics" "$path" 404 && says "$health" "$path" 404 || return
  done
  put_level "$metrics" debug | grep -F " 404 " && says "$metrics" /metrics 200 batholith_
}
pages() {
  says "$debug" /debug/conf 200 actions && soon says "$debug" "/debug/explain?pod=a/big-0" 200 "nsufficient cpu" &&
    put_level "$debug" debug | grep -F " 200 " && says "$debug" /debug/loglevel 200 debug && says "$debug" /metrics 404
}
other_hosts() {
  local said
  exec 8<>"/dev/tcp/127.0.0.1/$debug" && printf 'GET /debug/conf HTTP/1.1\r\nHost: example.com\r\n\r\n' >&8 && said=$(cat <&8)
  exec 8>&-
  [[ $said == "HTTP/1.1 421 "* ]]
}
not_elsewhere() {
  local status=0
  "$BATHOLITH" scheduler --kubeconfig "$account" --debug-address="0.0.0.0:$second" >"$dir/refused" 2>&1 || status=$?
  cat "$dir/refused"
  [ "$status" = 2 ] && grep -qF "can be reached from other machines" "$dir/refused"
}
snapshot_replays() {
  page "$debug" /debug/snapshot >"$dir/dump" && "$BATHOLITH" replay "$dir/dump" >"$dir/replayed" && ls -l "$dir/dump" &&
    grep -F "as recorded" "$dir/replayed" && [ "$(stat -c %s "$dir/dump")" -gt 20000000 ]
}
follower() {
  daemon_start second $patient --debug-address="127.0.0.1:$second"
  soon says "$second" /debug/conf 200 || return
  local began=$SECONDS
  says "$second" /debug/snapshot 503 "does not lead" && [ $((SECONDS - began)) -le 5 ] && daemon_stop second
}

# A client that has the beginning of its snapshot and takes no more of it.
stall() {
  exec 7<>"/dev/tcp/127.0.0.1/$debug" && printf 'GET /debug/snapshot HTTP/1.1\r\nHost: localhost\r\n\r\n' >&7 &&
    timeout 60 head -c 12 <&7 | grep -qxF "HTTP/1.1 200"
}
one_at_a_time() {
  soon stall && says "$debug" /debug/snapshot 429 "another snapshot is under way" && says "$metrics" /metrics 200 batholith_ &&
    says "$health" /livez 200 && says "$debug" /debug/conf 200 && { group a meanwhile 1; pods a meanwhile 1 1; } | create &&
    soon placed a meanwhile 1 && says "$debug" /debug/snapshot 429
}
free_again() { exec 7>&- && soon snapshot_replays; }
ends_in_a_snapshot() {
  soon stall || return
  local began=$SECONDS
  daemon_stop main && [ $((SECONDS - began)) -le 10 ]
  local status=$?
  exec 7>&-
  return "$status"
}

# As Prometheus asks, with this token, or without any; what was answered to a refusal is among what -v=8 tells.
scrape() {  # [TOKEN]
  local who=(--client-certificate "$dir/admin.crt" --client-key "$dir/admin.key")
  [ $# -eq 0 ] || who=(--token "$1")
  "$E2E_BIN/kubectl" --kubeconfig /dev/null --server "https://127.0.0.1:$metrics" --certificate-authority "$dir/ca.crt" \
    "${who[@]}" -v=8 get --raw /metrics </dev/null 2>&1
}
scraped() { scrape "$1" | grep -F "batholith_"; }
complains() {  # STATUS TEXT [TOKEN]
  local said
  said=$(scrape "${@:3}") && return 1
  echo "$said"
  [[ $said == *"$1 "*"$2"* ]]
}
accounts() {
  kubectl -n a create serviceaccount tenant && kubectl -n a create serviceaccount prometheus &&
    tenant=$(kubectl -n a create token tenant) && prometheus=$(kubectl -n a create token prometheus) &&
    daemon_start secure $patient $secure && soon says "$health" /readyz 200
}
no_rule() {
  soon complains 503 "could not be asked" "$prometheus" && log_has secure 'cannot create resource "tokenreviews"' &&
    says "$health" /readyz 200 '[!]rule missing: cannot create resource "tokenreviews" in API group "authentication.k8s.io"'
}
tokens() {
  kubectl apply -f "$installer/kubernetes-metrics" && kubectl create clusterrolebinding scrapes --clusterrole \
    batholith-metrics-reader --serviceaccount a:prometheus && soon scraped "$prometheus" >/dev/null
}
without_the_right() { soon complains 403 "may not get /metrics" "$tenant"; }
no_plain_text() { ! answer "$metrics" /metrics | grep -aF "batholith_"; }

step "a scheduler with pages of /debug on loopback starts" begin
step "the ports of metrics and health have no page of /debug" nothing_on_the_metrics_port
step "the pages are at --debug-address" pages
step "a request that means another host gets none" other_hosts
step "an address that other machines reach is refused" not_elsewhere
step "a snapshot of 20 MB is decided again as it was" snapshot_replays
step "a replica that does not lead has none, and says so at once" follower
step "while a client takes no more of its snapshot there is no other one, and all else goes on" one_at_a_time
step "when it is gone there is" free_again
step "SIGTERM in the middle of a snapshot ends the scheduler in 10 s" ends_in_a_snapshot
step "a scheduler whose metrics ask for tokens starts" accounts
step "without the rule to review tokens nobody is let in; the log and /readyz name it" no_rule
step "with it who has the right reads the metrics" tokens
step "who has no right is told which one it is" without_the_right
step "a token that the cluster does not know is refused" complains 401 "does not know this token" made-up
step "and so is a client without one" complains 401 "expected a header Authorization"
step "nothing is told without TLS" no_plain_text
