# A scheduler under test on a real cluster, for tests to source after `dir` is set; sources lib.sh.
#
#   e2e_begin [--audit] [FLAG...]     a cluster with the custom kinds and the installer's account and rules, in $dir; sets
#                                `account`, the kubeconfig of that account. Flags are those of cluster_up; with --audit
#                                $dir/audit.log has a line for each request of that account
#   audit_end / audit_since AT   where the audit log ends now; prints what came after that and is neither a watch nor the
#                                lease, in the order of arrival, a line "VERB URI CODE" each, with BODY for Cluster API
#   quiet_for SECONDS            whether nothing of that sort comes for so long
#   answer PORT PATH             what the scheduler's server on that port of 127.0.0.1 answers, with its headers
#   kubectl ...                  as the admin
#   daemon_start NAME [FLAG...]  a scheduler with that account; its log is $dir/NAME.log,
#                                and it ends where it cannot renew its lease for ten seconds, with $patient for minutes
#   daemon_pid NAME / daemon_stop NAME [SIGNAL]    its process id; ends it and waits until it is gone
#   step NAME COMMAND...         a line for each step and how long it took; the first that fails ends the test and shows
#                                what it printed, the pods and the scheduler's last lines
#   soon COMMAND...              waits until it succeeds, at most $E2E_DEADLINE seconds
#   namespaces NAME...           makes them;  clean NAME... removes their pods and groups and waits until they are gone
#   group NS NAME MIN [SPEC]     prints a PodGroup; SPEC is more of its spec, such as "queue: q"
#   pods NS NAME COUNT CPU [LINE...]     prints pods NAME-0... of the group NAME, labelled app: NAME; each LINE is one
#                                        more line of their spec, such as "priorityClassName: high"
#   create                       creates what stands on its input
#   field OBJECT PATH VALUE [FLAG...]    whether that JSON path of the object is that text
#   no_node NS NAME              whether not one pod of the group has a node
#   placed NS NAME COUNT         whether so many pods of the group have a node and are not on their way out
#   told NS NAME TEXT            whether the condition PodScheduled of one of the group's pods says so, in any case of letters
#   log_has NAME TEXT            whether the log of that scheduler does
e2e_here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$e2e_here/lib.sh"
installer=$e2e_here/../../installer
BATHOLITH=${BATHOLITH:-$e2e_here/../../build/dev/batholith}

# Flags of a scheduler that leads on through minutes in which the machine has no time for it.
patient="--leader-elect-lease-duration=200s --leader-elect-renew-deadline=180s"

kubectl() { cluster_kubectl "$dir" "$@"; }
soon() { e2e_poll "$E2E_DEADLINE" "$@"; }
create() { kubectl create -f - >/dev/null; }
log_has() { grep -qF -- "$2" "$dir/$1.log"; }

_e2e_audit_policy() {
  cat >"$dir/audit.yaml" <<EOP
apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- {level: Request, users: ["system:serviceaccount:batholith-system:batholith-scheduler"], resources: [{group: cluster.x-k8s.io}]}
- {level: Metadata, users: ["system:serviceaccount:batholith-system:batholith-scheduler"]}
- {level: None}
EOP
}

e2e_begin() {
  if [ "${1:-}" = --audit ]; then
    shift
    _e2e_audit_policy
    set -- --api-flag "--audit-policy-file=$dir/audit.yaml" --api-flag "--audit-log-path=$dir/audit.log" "$@"
  fi
  e2e_require cluster kwok
  [ -x "$BATHOLITH" ] || { echo "no program at $BATHOLITH"; exit 1; }
  cluster_up "$dir" --owner $$ "$@" && cluster_crds "$dir" || return
  local file
  for file in 00-namespace serviceaccount rbac; do
    kubectl apply -f "$installer/kubernetes/$file.yaml" || return
  done
  account=$(cluster_account "$dir" batholith-system batholith-scheduler)
}

audit_end() { echo $(($(stat -c %s "$dir/audit.log") + 1)); }
audit_since() {
  tail -c "+$1" "$dir/audit.log" | grep -v -e '"verb":"watch"' -e '"resource":"leases"' |
    sed -E 's/.*"requestURI":"([^"]*)","verb":"([^"]*)"(.*)"requestReceivedTimestamp":"([^"]*)".*/\4 \2 \1 \3/
      s/^([^ ]* [^ ]* [^ ]*) .*"code":([0-9]+)\},"requestObject":(.*),$/\1 \2 \3/
      s/^([^ ]* [^ ]* [^ ]*) .*"code":([0-9]+).*/\1 \2/' | sort | cut -d ' ' -f 2-
}
_e2e_asked_since() { audit_since "$1" | grep -q .; }
quiet_for() {
  local at
  at=$(audit_end)
  e2e_poll "$1" _e2e_asked_since "$at" || return 0
  echo "$(audit_since "$at" | wc -l) requests in a cluster that is thought to be at rest:"
  audit_since "$at" | head -n 20
  return 1
}

# Over a bare connection: machines without curl run this, too.
answer() {
  exec 9<>"/dev/tcp/127.0.0.1/$1" || return
  printf 'GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' "$2" >&9
  timeout 30 cat <&9
  exec 9>&-
}

# Ends what the test started; what is frozen as well.
e2e_end() {
  local name
  for name in $(sed -n 's/^daemon-\([^ ]*\) .*/\1/p' "$dir/daemons" 2>/dev/null | sort -u); do
    daemon_stop "$name" KILL
  done
  cluster_down "$dir"
}

daemon_start() {  # NAME [FLAG...]
  local name=$1
  shift
  setsid "$BATHOLITH" scheduler --kubeconfig "$account" --leader-elect-resource-namespace=batholith-system \
    --schedule-period=200ms "$@" </dev/null >>"$dir/$name.log" 2>&1 &
  echo "daemon-$name $!" >>"$dir/daemons"
  disown $!
  soon _e2e_begun "$BATHOLITH" $!
}

daemon_pid() {
  local pid
  pid=$(awk -v name="daemon-$1" '$1 == name { pid = $2 } END { print pid }' "$dir/daemons")
  _e2e_runs "$BATHOLITH" "$pid" && echo "$pid"
}

daemon_stop() {  # NAME [SIGNAL]
  local pid
  pid=$(daemon_pid "$1") || return 0
  kill "-${2:-TERM}" "$pid"
  soon _e2e_gone "$BATHOLITH" "$pid" || e2e_fail "scheduler $1 (pid $pid) does not end"
}

step() {  # NAME COMMAND...
  local name=$1 began=$SECONDS log
  shift
  if "$@" >"$dir/step.out" 2>&1; then
    echo "ok      $name ($((SECONDS - began)) s)"
    return 0
  fi
  echo "FAILED  $name ($((SECONDS - began)) s)"
  tail -n 20 "$dir/step.out" | uniq | sed 's/^/        /'
  kubectl get pods,podgroups.scheduling.volcano.sh -A -o wide 2>&1 | head -n 60
  for log in $(sed -n 's/^daemon-\([^ ]*\) .*/\1/p' "$dir/daemons" | sort -u); do
    echo "--- $log.log"
    tail -n 25 "$dir/$log.log"
  done
  exit 1
}

namespaces() {
  local name
  for name in "$@"; do kubectl create namespace "$name" >/dev/null || return; done
  for name in "$@"; do soon kubectl -n "$name" get serviceaccount default >/dev/null 2>&1 || return; done
}

_e2e_empty() { [ -z "$(kubectl -n "$1" get pods -o name)" ]; }
clean() {
  local name
  for name in "$@"; do
    kubectl -n "$name" delete jobs.batch,pods,podgroups.scheduling.volcano.sh --all --wait=false >/dev/null || return
  done
  for name in "$@"; do soon _e2e_empty "$name" || { echo "pods of $name do not go"; return 1; }; done
}

group() {  # NS NAME MIN [SPEC]
  cat <<EOG
---
apiVersion: scheduling.volcano.sh/v1beta1
kind: PodGroup
metadata: {name: $2, namespace: $1}
spec: {minMember: $3${4:+, $4}}
EOG
}

pods() {  # NS NAME COUNT CPU [LINE...]
  local ns=$1 name=$2 count=$3 cpu=$4 i
  shift 4
  for ((i = 0; i < count; ++i)); do
    cat <<EOP
---
apiVersion: v1
kind: Pod
metadata:
  name: $name-$i
  namespace: $ns
  labels: {app: $name}
  annotations: {scheduling.k8s.io/group-name: $name}
spec:
  schedulerName: volcano
  terminationGracePeriodSeconds: 1
  containers: [{name: main, image: none, resources: {requests: {cpu: "$cpu"}}}]
$(printf '  %s\n' "$@")
EOP
  done
}

field() { kubectl get "$1" -o "jsonpath={$2}" "${@:4}" 2>/dev/null | grep -qxF -- "$3"; }

no_node() {
  local with
  with=$(kubectl -n "$1" get pods -l "app=$2" -o 'jsonpath={range .items[*]}{.metadata.name}{" "}{.spec.nodeName}{"\n"}{end}' |
    grep ' .')
  [ -z "$with" ] || { echo "these have a node: $with"; return 1; }
}

_e2e_placed() {  # NS NAME
  kubectl -n "$1" get pods -l "app=$2" -o \
    'jsonpath={range .items[*]}{.spec.nodeName}{":"}{.metadata.deletionTimestamp}{"\n"}{end}' | grep -c '.:$'
}
placed() {
  local count
  count=$(_e2e_placed "$1" "$2")
  echo "$1/$2: $count pods have a node; $3 are expected"
  [ "$count" = "$3" ]
}

told() {
  local said
  said=$(kubectl -n "$1" get pods -l "app=$2" -o \
    'jsonpath={range .items[*]}{.status.conditions[?(@.type=="PodScheduled")].message}{"\n"}{end}' | sort -u)
  echo "$1/$2: conditions PodScheduled say: $said"
  [[ ${said,,} == *"${3,,}"* ]]
}
