#!/usr/bin/env bash
# The Helm chart is sound, and the manifests for kubectl are what it renders. Without Go, what needs no Helm.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
. "$here/checks.sh"
. "$root/test/e2e/lib.sh"
chart=$root/installer/helm/batholith

conf_is_shipped() {
  sed -n '/^  batholith-scheduler.conf: |$/,$ s/^    //p' "$root/installer/kubernetes/configmap.yaml" |
    cmp - "$root/installer/volcano-scheduler.conf"
}
documented() {
  # Deeper ones stand below it.
  awk '/^[a-zA-Z]/ && previous !~ /^ *#/ { print "values.yaml: no comment before " $0; bad = 1 }
       { previous = $0 } END { exit bad }' "$chart/values.yaml"
}
check "the ConfigMap holds the shipped conf" conf_is_shipped
check "every value of the chart has a comment" documented
checks_done
e2e_require helm
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
helm() { HELM_CACHE_HOME=$work/cache HELM_CONFIG_HOME=$work/config HELM_DATA_HOME=$work/data "$E2E_BIN/helm" "$@"; }
render() { helm template test "$chart" --namespace batch --kube-version 1.36.0 "$@"; }
up_to_date() {
  local folder
  "$root/installer/render" "$work/by-render" || return
  for folder in kubernetes kubernetes-autoscale; do
    diff -r "$root/installer/$folder" "$work/by-render/$folder" || { echo "run installer/render"; return 1; }
  done
}
renders() {  # TEXT FLAG...
  local text=$1
  shift
  render "$@" >"$work/rendered" || return
  grep -qF -- "$text" "$work/rendered" || { echo "not rendered: $text"; return 1; }
}
renders_no() { render "${@:2}" >"$work/rendered" && ! grep -qF -- "$1" "$work/rendered"; }

check "helm lint finds nothing" helm lint --strict "$chart"
check "installer/kubernetes and installer/kubernetes-autoscale are what installer/render writes" up_to_date
check "the namespace and the name of the release are used" renders "name: test-scheduler, namespace: batch"
check "a conf of one's own replaces the shipped one" renders "    actions: mine" --set schedulerConf="actions: mine"
check "scheduler names are flags" renders "--scheduler-name=two" --set "schedulerNames={one,two}"
check "further flags are passed on" renders '- "--kube-api-qps=50"' --set "extraArgs={--kube-api-qps=50}"
check "the lease that is asked for is the one that may be written" renders "resourceNames: [mine]" --set leaderElection.leaseName=mine
check "an affinity replaces the built-in one" renders_no podAntiAffinity --set affinity.nodeAffinity.a=b
check "the image can be named" renders 'image: "mirror/batholith:9"' --set image.repository=mirror/batholith --set image.tag=9
check "to set sizes of node groups is not allowed by default" renders_no machinedeployments/scale
check "autoscale.apply allows it" renders "resources: [machinedeployments/scale], verbs: [get, patch]" --set autoscale.apply=true
check "that is bound in the name of the release" renders "name: test-autoscale}" --set autoscale.apply=true
check "helm lint finds nothing with autoscale.apply" helm lint --strict "$chart" --set autoscale.apply=true
check "the custom kinds are part of the chart" renders "name: queues.scheduling.volcano.sh" --include-crds
checks_done
