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
# What kubectl apply -k takes is what kubectl apply -f takes.
lists_all() {
  local folder
  for folder in "$root"/installer/kubernetes*; do
    diff <(sed -n 's/^- //p' "$folder/Kustomization") <(cd "$folder" && ls -1 -- *.yaml) || { echo "$folder/Kustomization"; return 1; }
  done
}
check "the ConfigMap holds the shipped conf" conf_is_shipped
check "each Kustomization lists the manifests of its folder" lists_all
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
  for folder in "$root"/installer/kubernetes*; do
    diff -r "$folder" "$work/by-render/$(basename "$folder")" || { echo "run installer/render"; return 1; }
  done
}
renders() {  # TEXT FLAG...
  local text=$1
  shift
  render "$@" >"$work/rendered" || return
  grep -qF -- "$text" "$work/rendered" || { echo "not rendered: $text"; return 1; }
}
renders_no() { render "${@:2}" >"$work/rendered" && ! grep -qF -- "$1" "$work/rendered"; }

refuses() {  # TEXT FLAG...
  ! render "${@:2}" >"$work/rendered" 2>&1 && grep -qF -- "$1" "$work/rendered"
}
policy() {  # PORTS FLAG...
  local ports
  ports=$(render "${@:2}" --show-only templates/networkpolicy.yaml | sed -n 's/.*{port: \([^,]*\),.*/\1/p' | tr '\n' ' ')
  [ "$ports" = "$1 " ] || { echo "it lets in: $ports"; return 1; }
}

check "helm lint finds nothing" helm lint --strict "$chart"
check "the folders installer/kubernetes* are what installer/render writes" up_to_date
check "the namespace and the name of the release are used" renders "name: test-scheduler, namespace: batch"
check "a conf of one's own replaces the shipped one" renders "    actions: mine" --set schedulerConf="actions: mine"
check "scheduler names are flags" renders "--scheduler-name=two" --set "schedulerNames={one,two}"
check "further flags are passed on" renders '- "--kube-api-qps=50"' --set "extraArgs={--kube-api-qps=50}"
check "the lease that is asked for is the one that may be written" renders "resourceNames: [mine]" --set leaderElection.leaseName=mine
check "an affinity replaces the built-in one" renders_no podAntiAffinity --set affinity.nodeAffinity.a=b
check "the image can be named" renders 'image: "mirror/batholith:9"' --set image.repository=mirror/batholith --set image.tag=9
digest=sha256:88200866dfff7ea7f5cbcb6ec7c8a701889efe6fe859fe64d6990e4b07ea4171
check "the image can be the one of a digest" renders "image: \"mirror/batholith:9@$digest\"" --set image.repository=mirror/batholith \
  --set image.tag=9 --set image.digest=$digest
for right in capacitybuffers podtemplates replicationcontrollers deployments replicasets statefulsets "[batch]" machine tokenreviews; do
  check "nothing of $right is allowed by default" renders_no "$right"
done
check "slack.enabled lets buffers be read" renders "resources: [capacitybuffers], verbs: [get, list, watch]" --set slack.enabled=true
check "and the rules are bound in the name of the release" renders "name: test-slack}" --set slack.enabled=true
check "autoscale.enabled lets node groups be read" renders "resources: [machinedeployments], verbs: [get, list, watch]" --set autoscale.enabled=true
check "and no more than that" renders_no machinedeployments/scale --set autoscale.enabled=true
check "autoscale.apply lets node groups be read, too" renders "resources: [machines], verbs: [get, list, watch]" --set autoscale.apply=true
check "pages of /debug are off by default" renders_no --debug-address
check "else they are on loopback" renders "--debug-address=127.0.0.1:6060" --set debug.port=6060
check "a secret makes the metrics speak TLS" renders "--tls-private-key-file=/etc/batholith-tls/tls.key" --set metrics.tlsSecret=tls
check "and is mounted" renders "secret: {secretName: tls, defaultMode: 0440}" --set metrics.tlsSecret=tls
check "tokens are not sent unencrypted" refuses "metrics.authentication needs metrics.tlsSecret" --set metrics.authentication=true
check "metrics.authentication is a flag" renders "--metrics-authentication=true" --set metrics.authentication=true,metrics.tlsSecret=tls
check "and lets tokens be reviewed" renders "resources: [tokenreviews], verbs: [create]" --set metrics.authentication=true,metrics.tlsSecret=tls
check "and has a role for who scrapes" renders "{nonResourceURLs: [/metrics], verbs: [get]}" --set metrics.authentication=true,metrics.tlsSecret=tls
check "a ServiceMonitor is off by default" renders_no "kind: ServiceMonitor"
monitor=(--set "metrics.serviceMonitor.enabled=true,metrics.serviceMonitor.interval=15s,metrics.serviceMonitor.labels.release=prom")
check "else it is of the operator's kind" renders "apiVersion: monitoring.coreos.com/v1" "${monitor[@]}"
check "it has the labels that are asked for" renders "    release: prom" "${monitor[@]}"
check "and the interval" renders "    interval: 15s" "${monitor[@]}"
check "with TLS it says whose certificate is taken" refuses "metrics.serviceMonitor needs tlsConfig" "${monitor[@]}" --set metrics.tlsSecret=tls
monitor+=(--set "metrics.tlsSecret=tls,metrics.serviceMonitor.tlsConfig.serverName=scheduler")
check "and speaks TLS" renders "    scheme: https" "${monitor[@]}"
check "with tokens it says whose token is shown" refuses "metrics.serviceMonitor needs authorization" "${monitor[@]}" --set metrics.authentication=true
check "and shows it" renders "      credentials:" "${monitor[@]}" --set metrics.authentication=true \
  --set metrics.serviceMonitor.authorization.credentials.name=token
check "a network policy lets in metrics and health" policy "metrics health"
check "with pages of /debug as well" policy "metrics health" --set debug.port=6060
check "who may come for the metrics can be said" renders "cidr: 10.1.2.3/32" --set-json 'networkPolicy.metricsFrom=[{"ipBlock": {"cidr": "10.1.2.3/32"}}]'
check "the network policy can be left out" renders_no "kind: NetworkPolicy" --set networkPolicy.enabled=false
check "autoscale.apply allows it" renders "resources: [machinedeployments/scale], verbs: [get, patch]" --set autoscale.apply=true
check "that is bound in the name of the release" renders "name: test-autoscale-apply}" --set autoscale.apply=true
check "helm lint finds nothing with autoscale.apply" helm lint --strict "$chart" --set autoscale.apply=true
check "the custom kinds are part of the chart" renders "name: queues.scheduling.volcano.sh" --include-crds
checks_done
