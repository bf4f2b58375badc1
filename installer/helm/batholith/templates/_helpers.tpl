{{- define "batholith.labels" -}}
app.kubernetes.io/name: batholith
app.kubernetes.io/component: scheduler
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "batholith.name" -}}
{{ .Release.Name }}-scheduler
{{- end }}
