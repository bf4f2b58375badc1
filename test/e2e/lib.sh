# A real Kubernetes cluster on this machine, as functions for bash scripts; to be sourced. Everything listens on
# 127.0.0.1 at free ports; everything that is started is ended by its process id.
#
#   e2e_require [PART...]        builds what is missing (see build) and sets E2E_BIN; exits 77 with a line without Go
#   cluster_up DIR [FLAG...]     starts a cluster whose files are in DIR; fails with a line that says what went wrong
#     --no-kwok                  no kubelets: nodes do not become ready, bound pods do not run
#     --no-controllers           no controller manager: neither ReplicaSets, service accounts nor taints of nodes
#     --kube-scheduler           Kubernetes' own scheduler as well
#     --no-watch-list            the API server refuses streaming lists
#     --emulated-version V       the API server behaves as Kubernetes V, such as 1.34
#                                (else it serves the groups of pods of scheduling.k8s.io, whose gates are off by default)
#     --api-flag FLAG            one more flag of the API server (repeat)
#     --owner PID                the cluster ends when that process does, however it does
#   cluster_down DIR             ends it, the API server before etcd; no error where nothing runs
#   cluster_stop DIR PART        ends one part: etcd, kube-apiserver, kube-controller-manager, kube-scheduler or kwok
#   cluster_start DIR PART       starts that part again, with the flags that it had
#   cluster_ready DIR            waits until the API server answers, after such a start
#   cluster_compact DIR          etcd forgets every version but the newest
#   cluster_kubectl DIR ...      kubectl as the admin
#   cluster_account DIR NAMESPACE NAME    prints the path of a kubeconfig that acts as that service account
#   cluster_nodes DIR COUNT [CPU MEMORY PODS]    creates node-1 to node-COUNT and waits until they are ready
#   cluster_node NAME [CPU MEMORY PODS]    prints a Node
#   cluster_nodes_ready DIR COUNT          whether so many of node-1, node-2... are
#   cluster_crds DIR [FOLDER]    creates every custom kind of installer/crds, or of FOLDER, and waits until it is served
#   e2e_poll SECONDS COMMAND...  runs it until it succeeds; fails after that time
#
# DIR then holds kubeconfig (an admin's, with the authority's certificate and a token), token, server (the URL),
# ca.crt, admin.crt and admin.key (a client certificate), pids (a line "PART PID" each) and PART.log.
e2e_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# How many seconds one step may take; a machine with other work may stand still for minutes.
E2E_DEADLINE=${E2E_DEADLINE:-300}

# Prints what is missing and succeeds if Go is too old or not there; fails if all is well.
e2e_missing_go() {
  if ! command -v go >/dev/null; then
    echo "skipped: go is not on the PATH; a real cluster needs Go 1.26 or newer"
    return 0
  fi
  local version
  version=$(GOTOOLCHAIN=local go env GOVERSION)
  if [[ ! $version =~ ^go1\.([0-9]+) ]] || [ "${BASH_REMATCH[1]}" -lt 26 ]; then
    echo "skipped: $version is on the PATH; a real cluster needs Go 1.26 or newer"
    return 0
  fi
  return 1
}

# Prints the folder of the programs that build makes; a change of what they are made of gives another folder.
e2e_cache_dir() {
  local sum
  sum=$(cd "$e2e_dir/cluster" && cat go.mod go.sum ./*.go tools | sha256sum)
  echo "${XDG_CACHE_HOME:-$HOME/.cache}/batholith/e2e/${sum:0:16}"
}

e2e_require() {
  local reason
  if reason=$(e2e_missing_go); then
    echo "$reason"
    exit 77
  fi
  E2E_BIN=$("$e2e_dir/build" "$@") || exit 1
}

e2e_poll() {  # SECONDS COMMAND...
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    [ "$SECONDS" -lt "$end" ] || return 1
    sleep 0.1
  done
}

e2e_fail() {
  echo "e2e: $*" >&2
  return 1
}

# A port that nobody listens on now, below those that the kernel hands to clients.
_e2e_free_port() {
  local port
  while true; do
    port=$((10000 + SRANDOM % 20000))
    (: <>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || break
  done
  echo "$port"
}

_e2e_listens() { (: <>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# Whether the process is one that this cluster started and is more than a zombie: the number alone may be another's.
_e2e_runs() {  # DIR PID
  local state
  state=$(sed 's/.*) //' "/proc/$2/stat" 2>/dev/null) || return 1
  [[ $state != [ZX]* ]] && grep -qaF -- "$1" "/proc/$2/cmdline" 2>/dev/null
}

# The last one started under that name.
_e2e_last() {  # DIR PART
  awk -v part="$2" '$1 == part { pid = $2 } END { print pid }' "$1/pids" 2>/dev/null
}
# If it runs.
_e2e_pid() {  # DIR PART
  local pid
  pid=$(_e2e_last "$1" "$2")
  [ -n "$pid" ] && _e2e_runs "$1" "$pid" && echo "$pid"
}

# In a session of its own, so that Ctrl-C in a terminal reaches the script and not the cluster.
_e2e_spawn() {  # DIR PART COMMAND...
  local dir=$1 part=$2
  shift 2
  setsid "$@" </dev/null >>"$dir/$part.log" 2>&1 9>&- &
  echo "$part $!" >>"$dir/pids"
  disown $!
  e2e_poll "$E2E_DEADLINE" _e2e_begun "$dir" $!
}

# A process is its program only a moment after it was made; until then it does not look like a part that runs.
_e2e_begun() { _e2e_runs "$1" "$2" || ! kill -0 "$2" 2>/dev/null; }

# Whether a process has ended and left its ports: one that was killed loses its command line, and its first thread may be
# a zombie already, while the others still close what it had open.
_e2e_gone() {  # DIR PID
  local state threads
  state=$(sed 's/.*) //' "/proc/$2/stat" 2>/dev/null) || return 0
  threads=("/proc/$2/task/"*)
  if [[ $state == [ZX]* ]]; then
    [ "${#threads[@]}" -le 1 ]
  else  # the number may be another's by now
    [ -n "$(tr -d '\0' 2>/dev/null <"/proc/$2/cmdline")" ] && ! _e2e_runs "$1" "$2"
  fi
}

_e2e_end() {  # DIR PART GRACE-SECONDS
  local pid
  pid=$(_e2e_pid "$1" "$2") || return 0
  kill -TERM "$pid" 2>/dev/null
  e2e_poll "$3" _e2e_gone "$1" "$pid" && return 0
  kill -KILL "$pid" 2>/dev/null
  e2e_poll "$E2E_DEADLINE" _e2e_gone "$1" "$pid" || e2e_fail "$2 (pid $pid) does not end"
}

cluster_kubectl() {
  local dir=$1
  shift
  "$E2E_BIN/kubectl" --kubeconfig "$dir/kubeconfig" --cache-dir "$dir/kubectl-cache" "$@"
}

_e2e_write_kubeconfig() {  # DIR FILE USER TOKEN
  (umask 077 && cat >"$2") <<EOK
apiVersion: v1
kind: Config
current-context: e2e
clusters:
- name: e2e
  cluster:
    server: $(cat "$1/server")
    certificate-authority-data: $(base64 -w0 "$1/ca.crt")
contexts:
- name: e2e
  context: {cluster: e2e, user: $3}
users:
- name: $3
  user:
    token: $4
EOK
}

cluster_account() {  # DIR NAMESPACE NAME
  local token
  token=$(cluster_kubectl "$1" -n "$2" create token "$3") || return
  _e2e_write_kubeconfig "$1" "$1/kubeconfig-$2-$3" "$3" "$token"
  echo "$1/kubeconfig-$2-$3"
}

# The command line of a part is kept in a file, one word a line, so that it can be started again.
_e2e_define() {  # DIR PART WORD...
  local dir=$1 part=$2
  shift 2
  printf '%s\n' "$@" >"$dir/$part.command"
}

cluster_start() {  # DIR PART
  local dir=$1 part=$2 command
  dir=$(cd "$dir" && pwd) || return
  mapfile -t command <"$dir/$part.command"
  _e2e_spawn "$dir" "$part" "${command[@]}"
}

cluster_stop() {  # DIR PART
  local dir
  dir=$(cd "$1" && pwd) || return
  _e2e_end "$dir" "$2" 20
}

# Waits until the check succeeds; gives up early where the part has ended. One that becomes its program just now has not.
_e2e_wait() {  # DIR PART COMMAND...
  local dir=$1 part=$2 end=$((SECONDS + E2E_DEADLINE))
  shift 2
  until "$@" >/dev/null 2>&1; do
    ! _e2e_gone "$dir" "$(_e2e_last "$dir" "$part")" || return 1
    [ "$SECONDS" -lt "$end" ] || return 1
    sleep 0.1
  done
}

cluster_ready() {  # DIR
  _e2e_wait "$1" kube-apiserver cluster_kubectl "$1" get --raw /readyz
}

# To etcd's gateway, which speaks JSON.
_e2e_ask_etcd() {  # DIR PATH BODY
  "$E2E_BIN/kubectl" --server "$(cat "$1/etcd-server")" create --raw "/v3/kv/$2" -f - <<<"$3"
}

cluster_compact() {  # DIR
  local newest
  newest=$(_e2e_ask_etcd "$1" range '{"key": "AA=="}' | sed -n 's/.*"revision":"\([0-9]*\)".*/\1/p')
  [ -n "$newest" ] || { e2e_fail "etcd does not say which version it has"; return 1; }
  _e2e_ask_etcd "$1" compaction "{\"revision\": \"$newest\", \"physical\": true}" >/dev/null
}

_e2e_start_etcd() {  # DIR
  local try client peer
  for try in 1 2 3 4 5; do  # another program may have taken a port in the meantime
    client=$(_e2e_free_port)
    peer=$(_e2e_free_port)
    rm -rf "$1/etcd"
    _e2e_define "$1" etcd "$E2E_BIN/etcd" --data-dir "$1/etcd" --listen-client-url "http://127.0.0.1:$client" \
      --listen-peer-url "http://127.0.0.1:$peer"
    cluster_start "$1" etcd
    if _e2e_wait "$1" etcd _e2e_listens "$client"; then
      echo "http://127.0.0.1:$client" >"$1/etcd-server"
      return 0
    fi
    _e2e_end "$1" etcd 5
  done
  e2e_fail "etcd does not start: $(tail -n 3 "$1/etcd.log")"
}

_e2e_start_apiserver() {  # DIR FLAG...
  local dir=$1 try port
  shift
  for try in 1 2 3; do
    port=$(_e2e_free_port)
    _e2e_define "$dir" kube-apiserver "$E2E_BIN/kube-apiserver" --etcd-servers="$(cat "$dir/etcd-server")" \
      --secure-port="$port" --bind-address=127.0.0.1 --advertise-address=127.0.0.1 --endpoint-reconciler-type=none \
      --cert-dir="$dir" --tls-cert-file="$dir/apiserver.crt" --tls-private-key-file="$dir/apiserver.key" \
      --client-ca-file="$dir/ca.crt" --token-auth-file="$dir/tokens.csv" --authorization-mode=RBAC \
      --service-account-key-file="$dir/sa.key" --service-account-signing-key-file="$dir/sa.key" \
      --service-account-issuer=https://kubernetes.default.svc --service-cluster-ip-range=10.0.0.0/24 \
      --allow-privileged=true --profiling=false "$@"
    cluster_start "$dir" kube-apiserver
    echo "https://127.0.0.1:$port" >"$dir/server"
    _e2e_write_kubeconfig "$dir" "$dir/kubeconfig" admin "$(cat "$dir/token")"
    cluster_ready "$dir" && return 0
    _e2e_end "$dir" kube-apiserver 5
    grep -q "address already in use" "$dir/kube-apiserver.log" || break
  done
  e2e_fail "kube-apiserver does not start: $(tail -n 3 "$dir/kube-apiserver.log")"
}

_e2e_start_controllers() {  # DIR FLAG...
  local dir=$1
  shift
  _e2e_define "$dir" kube-controller-manager "$E2E_BIN/kube-controller-manager" --kubeconfig="$dir/kubeconfig" \
    --bind-address=127.0.0.1 --secure-port=0 --leader-elect=false --kube-api-qps=1000 --kube-api-burst=2000 \
    --service-account-private-key-file="$dir/sa.key" --root-ca-file="$dir/ca.crt" \
    "--controllers=*,-node-ipam-controller" "$@"
  cluster_start "$dir" kube-controller-manager
  # Pods need it, so that nothing can be tried before.
  _e2e_wait "$dir" kube-controller-manager cluster_kubectl "$dir" get serviceaccount default ||
    e2e_fail "kube-controller-manager does not start: $(tail -n 3 "$dir/kube-controller-manager.log")"
}

_e2e_start_kwok() {  # DIR
  _e2e_define "$1" kwok "$E2E_BIN/kwok" --kubeconfig="$1/kubeconfig" --config="$E2E_BIN/kwok-stages.yaml" \
    --manage-all-nodes=true --node-lease-duration-seconds=40
  cluster_start "$1" kwok
}

_e2e_start_scheduler() {  # DIR
  _e2e_define "$1" kube-scheduler "$E2E_BIN/kube-scheduler" --kubeconfig="$1/kubeconfig" --bind-address=127.0.0.1 \
    --secure-port=0 --leader-elect=false
  cluster_start "$1" kube-scheduler
}

# Ends the cluster when its owner is gone, even by kill -9.
_e2e_start_guard() {  # DIR OWNER
  _e2e_spawn "$1" guard bash -c 'while kill -0 "$1" 2>/dev/null; do sleep 1; done; . "$2/lib.sh"; cluster_down "$0"' \
    "$1" "$2" "$e2e_dir"
}

# What the API server and the controllers need for gangs of Kubernetes' own.
_e2e_gangs=--feature-gates=GenericWorkload=true,TopologyAwareWorkloadScheduling=true,CompositePodGroup=true
_e2e_gang_kinds=--runtime-config=scheduling.k8s.io/v1beta1=true,scheduling.k8s.io/v1alpha3=true

cluster_up() {  # DIR FLAG...
  local dir=$1 kwok=yes controllers=yes scheduler=no owner="" api_flags=() controller_flags=("$_e2e_gangs")
  local gang_flags=("$_e2e_gangs" "$_e2e_gang_kinds")
  shift
  while [ $# -gt 0 ]; do
    case $1 in
      --no-kwok) kwok=no ;;
      --no-controllers) controllers=no ;;
      --kube-scheduler) scheduler=yes ;;
      --no-watch-list) api_flags+=(--feature-gates=WatchList=false) ;;
      --emulated-version)
        # An older server does not know these gates.
        gang_flags=() api_flags+=("--emulated-version=$2") controller_flags=("--emulated-version=$2")
        shift
        ;;
      --api-flag) api_flags+=("$2"); shift ;;
      --owner) owner=$2; shift ;;
      *) e2e_fail "cluster_up: unknown flag $1"; return 2 ;;
    esac
    shift
  done
  mkdir -p "$dir" && chmod 700 "$dir" && dir=$(cd "$dir" && pwd) || return
  [ ! -e "$dir/pids" ] || { e2e_fail "$dir belongs to a cluster already"; return 1; }
  # Without its controllers, pods would wait for a service account and nodes for the end of their first taint.
  [ "$controllers" = yes ] || api_flags+=(--disable-admission-plugins=ServiceAccount,TaintNodesByCondition)
  : >"$dir/pids"
  [ -z "$owner" ] || _e2e_start_guard "$dir" "$owner"
  "$E2E_BIN/pki" -dir "$dir" || { e2e_fail "no certificates"; return 1; }
  (umask 077 && od -An -N16 -tx1 /dev/urandom | tr -d ' \n' >"$dir/token" &&
    echo "$(cat "$dir/token"),admin,admin,\"system:masters\"" >"$dir/tokens.csv")
  _e2e_start_etcd "$dir" && _e2e_start_apiserver "$dir" "${gang_flags[@]}" "${api_flags[@]}" || { cluster_down "$dir"; return 1; }
  [ "$kwok" = no ] || _e2e_start_kwok "$dir"
  [ "$scheduler" = no ] || _e2e_start_scheduler "$dir"
  [ "$controllers" = no ] || _e2e_start_controllers "$dir" "${controller_flags[@]}" || { cluster_down "$dir"; return 1; }
}

cluster_down() {  # DIR
  local dir part
  dir=$(cd "$1" 2>/dev/null && pwd) || return 0
  [ -e "$dir/pids" ] || return 0
  for part in kube-scheduler kwok kube-controller-manager; do _e2e_end "$dir" "$part" 5; done
  # Without etcd the API server would hang on.
  _e2e_end "$dir" kube-apiserver 10
  _e2e_end "$dir" etcd 5
  local guard
  guard=$(_e2e_pid "$dir" guard) || true
  mv "$dir/pids" "$dir/pids.old"
  # The guard itself may be who calls.
  [ -z "$guard" ] || [ "$guard" = $$ ] || ! kill "$guard" 2>/dev/null || e2e_poll 20 _e2e_gone "$dir" "$guard" || true
}

cluster_node() {  # NAME [CPU MEMORY PODS]
  local name=$1 cpu=${2:-32} memory=${3:-128Gi} pods=${4:-110}
  cat <<EON
---
apiVersion: v1
kind: Node
metadata:
  name: $name
  labels: {kubernetes.io/hostname: $name, kubernetes.io/os: linux, kubernetes.io/arch: amd64}
status:
  allocatable: {cpu: "$cpu", memory: $memory, pods: "$pods"}
  capacity: {cpu: "$cpu", memory: $memory, pods: "$pods"}
EON
}

cluster_nodes() {  # DIR COUNT [CPU MEMORY PODS]
  local dir=$1 count=$2 i
  for ((i = 1; i <= count; ++i)); do cluster_node "node-$i" "${@:3}"; done | cluster_kubectl "$dir" create -f - >/dev/null || return
  e2e_poll "$E2E_DEADLINE" cluster_nodes_ready "$dir" "$count" || e2e_fail "not all of $count nodes are ready"
}

# Ready, and without the taint that says otherwise.
cluster_nodes_ready() {  # DIR COUNT
  local ready
  ready=$(cluster_kubectl "$1" get nodes -o \
    'jsonpath={range .items[*]}{.metadata.name}{" "}{.status.conditions[?(@.type=="Ready")].status}{" "}{.spec.taints}{"\n"}{end}' \
    2>/dev/null | grep -cE '^node-[0-9]+ True $')
  [ "${ready:-0}" -ge "$2" ]
}

cluster_crds() {  # DIR [FOLDER]
  local crds=${2:-$e2e_dir/../../installer/crds}
  cluster_kubectl "$1" apply --server-side -f "$crds" >/dev/null &&
    cluster_kubectl "$1" wait --for=condition=Established --timeout="${E2E_DEADLINE}s" -f "$crds" >/dev/null ||
    e2e_fail "not every custom kind is established"
}
