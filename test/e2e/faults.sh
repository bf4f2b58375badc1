#!/usr/bin/env bash
# What is killed comes back and nothing is lost: in the middle of binding gangs the scheduler, the API server, etcd and
# the leader of two replicas are killed, a leader is frozen and wakes up again, and a scheduler misses what etcd keeps no
# longer. After each run as many gangs as fit are whole, the others have no pod on a node, no pod ever moved and no node
# holds more than it has.
#   test/e2e/faults.sh [--kills N] [--short | --full]    N: how often the scheduler is killed, 3; --short: nothing else
#                                              is; --full: 20 times, and 1000 pods a run instead of 200
# Exit status: 0, 1, or 77 without Go.
set -uo pipefail
dir=$(mktemp -d)
. "$(dirname "${BASH_SOURCE[0]}")/daemon.sh"
trap 'e2e_end; rm -rf "$dir"' EXIT
kills=3 total=200 short=
while [ $# -gt 0 ]; do
  case $1 in
    --kills) kills=${2:?--kills takes a number}; shift ;;
    --short) short=1 ;;
    --full) total=1000 kills=20 E2E_DEADLINE=$((2 * E2E_DEADLINE)) ;;
    *) echo "unknown flag $1" >&2; exit 2 ;;
  esac
  shift
done
room=25                  # pods a node, of 1 cpu each: together the nodes hold exactly the pods of a run
gangs=$((total / 5 + 1)) # one gang of five more than fits
lease="--leader-elect-lease-duration=4s --leader-elect-renew-deadline=3s --leader-elect-retry-period=300ms"

start() { daemon_start "$1" $lease; }
# Every pod that is seen, as UID NAME NODE; goes on through what is killed, until the test is over.
_watch_pods() {
  while [ -e "$dir/pids" ]; do  # until the cluster is ended
    kubectl -n a get pods --watch -o 'jsonpath={.metadata.uid}{" "}{.metadata.name}{" "}{.spec.nodeName}{"\n"}' 2>/dev/null
    sleep 0.2
  done
}
begin() {
  e2e_begin && cluster_nodes "$dir" $((total / room)) "$room" 256Gi 110 && namespaces a || return
  : >"$dir/seen"
  _watch_pods </dev/null >>"$dir/seen" 2>/dev/null &
}
# All but what is there already.
made() { [ -z "$(kubectl create -f "$dir/gangs.yaml" 2>&1 >/dev/null | grep -vF "(AlreadyExists)")" ]; }
# What could not be created while the API server was away is, once it is back.
make_gangs() {  # FIRST LAST
  local i
  for ((i = $1; i <= $2; ++i)); do group a "gang-$i" 5; pods a "gang-$i" 5 1; done >"$dir/gangs.yaml"
  soon made
}
bound_now() { kubectl -n a get pods -o 'jsonpath={range .items[*]}{.metadata.name} {.spec.nodeName}{"\n"}{end}' 2>/dev/null | grep ' .' >"$dir/bound"; }
# A replica that ended, as one does that could not renew its lease, is started again.
keep() {  # REPLICA...
  local name
  for name in "$@"; do daemon_pid "$name" >/dev/null || start "$name"; done
}
bound_seen() { keep "${@:2}" && [ "$(grep -c ' node-' "$dir/seen")" -ge "$1" ]; }  # COUNT REPLICA...: in all, from the watch
# Whether as many as fit are bound.
all_bound() { keep "$@" && bound_now && [ "$(wc -l <"$dir/bound")" -eq "$total" ]; }  # REPLICA...
verdict() {
  local said
  said=$(sed -E 's/^(gang-[0-9]+)-.*/\1/' "$dir/bound" | sort | uniq -c | awk '$1 != 5 { print $2 ": " $1 " of 5 pods have a node" }')
  said+=$(awk '{ print $2 }' "$dir/bound" | sort | uniq -c | awk -v room="$room" '$1 > room { print $2 " holds " $1 " pods" }')
  said+=$(awk 'NF == 3 { if (($1 in node) && node[$1] != $3) print $2 " was on " node[$1] " and is on " $3; node[$1] = $3 }' "$dir/seen")
  [ -z "$said" ] || { echo "$said"; return 1; }
}
# A run: gangs come, something happens when a random number of them is bound, and the end is looked at.
run() {  # REPLICAS COMMAND...
  local replicas=$1 moment before maker
  shift
  before=$(grep -c ' node-' "$dir/seen")
  moment=$((before + RANDOM % total))
  make_gangs 1 "$gangs" &
  maker=$!
  soon bound_seen "$moment" $replicas || { echo "no $moment pods were bound"; return 1; }
  echo "at $((moment - before)) pods"
  "$@" && wait "$maker" || return
  soon all_bound $replicas || { echo "$(wc -l <"$dir/bound") pods have a node"; verdict; return 1; }
  verdict && clean a
}
kill_main() { daemon_stop main KILL && start main; }
kill_part() {  # PART
  local pid
  pid=$(_e2e_pid "$dir" "$1") && kill -KILL "$pid" && soon _e2e_gone "$dir" "$pid" && cluster_start "$dir" "$1" && cluster_ready "$dir"
}
no_pods() { [ -z "$(kubectl -n a get pods -l "$1" -o name)" ]; }  # SELECTOR
# All while it stands still: its connection is cut, since what the API server sends would wait for it there. Then a quarter of
# the gangs is gone, another quarter is replaced under the same names, new ones wait, and neither etcd nor an API server that
# has just started knows the versions that it has.
missed() {
  local quarter=$((gangs / 4)) half
  half="app in ($(seq -f 'gang-%.0f' -s , 1 $((2 * quarter))))"
  kill_part kube-apiserver && kubectl -n a delete podgroups.scheduling.volcano.sh $(seq -f 'gang-%.0f' 1 "$quarter") --wait=false &&
    kubectl -n a delete pods -l "$half" --wait=false && soon no_pods "$half" &&
    make_gangs $((quarter + 1)) $((gangs + quarter)) && cluster_compact "$dir" && kill_part kube-apiserver
}
far_behind() {
  daemon_stop main && daemon_start late --leader-elect=false && make_gangs 1 "$gangs" && soon all_bound && verdict &&
    kill -STOP "$(daemon_pid late)" && missed && kill -CONT "$(daemon_pid late)" || return
  soon all_bound || { echo "$(wc -l <"$dir/bound") pods have a node"; verdict; return 1; }
  verdict && log_has late "Pod: watch: 410: " && log_has late "PodGroup.scheduling.volcano.sh: watch: 410: " && daemon_stop late && clean a
}
leader() {  # prints who of two and three has the lease
  local holder name
  holder=$(kubectl -n batholith-system get lease volcano -o 'jsonpath={.spec.holderIdentity}')
  for name in two three; do
    [ "$(daemon_pid "$name")" != "$(cut -d_ -f2 <<<"$holder")" ] || echo "$name"
  done
}
has_leader() { [ -n "$(leader)" ]; }
two_replicas() { daemon_stop main && start two && start three && soon has_leader; }
kill_leader() { daemon_stop "$(leader)" KILL; }
freeze_leader() { frozen=$(leader) && kill -STOP "$(daemon_pid "$frozen")"; }
# The other one has bound them all; what wakes up has lost the lease, says so and ends, and has changed nothing.
leader_is_frozen() {
  local pid other=two
  run_until_frozen || return
  [ "$frozen" = three ] || other=three
  soon all_bound "$other" && verdict || return
  pid=$(daemon_pid "$frozen") && kill -CONT "$pid" && soon _e2e_gone "$BATHOLITH" "$pid" &&
    log_has "$frozen" "the lease was lost" && all_bound "$other" && verdict && clean a
}
run_until_frozen() {
  local moment maker
  moment=$(($(grep -c ' node-' "$dir/seen") + RANDOM % total))
  make_gangs 1 "$gangs" &
  maker=$!
  soon bound_seen "$moment" two three && freeze_leader && wait "$maker"
}
no_complaint() {
  ! cat "$dir"/{main,late,two,three}.log | grep -E ' (error|warning) ' |
    grep -vE 'is not served|initializing|forbidden|connect|closed|refused|reset|lease|[Tt]imed? ?out|: 5[0-9][0-9]: |: 429: |end of|stream|[Bb]roken pipe|rpc error|not the leader|lead any more'
}

step "a cluster starts" begin
step "the scheduler starts" start main
for ((i = 1; i <= kills; ++i)); do step "the scheduler is killed, $i of $kills" run main kill_main; done
if [ -z "$short" ]; then
  step "the API server is killed and started again" run main kill_part kube-apiserver
  step "etcd is killed and started again" run main kill_part etcd
  step "a scheduler that is far behind reads anew what it missed" far_behind
  step "two replicas start, and one leads" two_replicas
  step "the leader of two is killed" run "two three" kill_leader
  step "again two replicas run, and one leads" soon has_leader
  step "the leader is frozen, the other one goes on, and what wakes up writes nothing" leader_is_frozen
fi
step "the logs have no complaint but the expected ones" no_complaint
