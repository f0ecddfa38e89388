{{- define "mdw.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 50 | trimSuffix "-" }}
{{- end }}

{{- define "mdw.fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 50 | trimSuffix "-" }}
{{- else if contains (include "mdw.name" .) .Release.Name }}
{{- .Release.Name | trunc 50 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name (include "mdw.name" .) | trunc 50 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{- define "mdw.operator" -}}
{{ include "mdw.fullname" . }}-operator
{{- end }}

{{- define "mdw.selector" -}}
app.kubernetes.io/name: {{ include "mdw.name" . }}-operator
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "mdw.labels" -}}
{{ include "mdw.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ include "mdw.chart" . }}
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "mdw.chart" -}}
{{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end }}

{{- /* Other labels than the operator's, because its Service and NetworkPolicy select by those. */}}
{{- define "mdw.applyLabels" -}}
app.kubernetes.io/name: {{ include "mdw.name" . }}-apply
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ include "mdw.chart" . }}
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- /* Labels and annotations of the objects that apply the resources after each installation, upgrade and rollback, in order of `weight`. */}}
{{- define "mdw.applyMetadata" -}}
labels:
  {{- include "mdw.applyLabels" .root | nindent 2 }}
annotations:
  helm.sh/hook: post-install,post-upgrade,post-rollback
  helm.sh/hook-weight: {{ .weight | quote }}
  helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
{{- end }}

{{- define "mdw.image" -}}
{{- with .Values.image -}}
{{- if .digest -}}
{{ .repository }}@{{ .digest }}
{{- else -}}
{{ .repository }}:{{ .tag | default $.Chart.AppVersion }}
{{- end -}}
{{- end -}}
{{- end }}

{{- define "mdw.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{ .Values.serviceAccount.name | default (include "mdw.operator" .) }}
{{- else -}}
{{ .Values.serviceAccount.name | default "default" }}
{{- end -}}
{{- end }}

{{- /* Rights in the watched namespaces. Besides these the operator needs only rights on its Lease. */}}
{{- define "mdw.rules" -}}
- apiGroups: [chain-middleware.io]
  resources: [middlewares]
  verbs: [list, watch]
- apiGroups: [chain-middleware.io]
  resources: [middlewares/status]
  verbs: [patch]
- apiGroups: [chain-middleware.io]
  resources: [middlewares/finalizers]
  verbs: [update]
# Whether another operator, which the status of a resource names, is still there.
- apiGroups: [coordination.k8s.io]
  resources: [leases]
  verbs: [get]
- apiGroups: ['']
  resources: [configmaps]
  verbs: [get, list, watch, create, patch, delete]
- apiGroups: ['']
  resources: [services, serviceaccounts]
  verbs: [get, list, watch, create, patch]
- apiGroups: ['']
  resources: [secrets]
  verbs: [get, list, watch{{ if .Values.trial.enabled }}, create{{ end }}]
- apiGroups: ['']
  resources: [pods]
  verbs: [list, watch]
- apiGroups: [events.k8s.io]
  resources: [events]
  verbs: [create, patch]
- apiGroups: [apps]
  resources: [deployments]
  verbs: [get, list, watch, create, patch, delete]
- apiGroups: [apps]
  resources: [statefulsets]
  verbs: [get, list, watch, patch{{ if .Values.trial.enabled }}, create{{ end }}]
- apiGroups: [batch]
  resources: [jobs]
  verbs: [get, list, watch, create, delete]
- apiGroups: [networking.k8s.io]
  resources: [ingresses, networkpolicies]
  verbs: [get, list, watch, create, patch, delete]
- apiGroups: [policy]
  resources: [poddisruptionbudgets]
  verbs: [get, list, watch, create, patch, delete]
- apiGroups: [autoscaling]
  resources: [horizontalpodautoscalers]
  verbs: [get, list, watch, create, patch, delete]
- apiGroups: [monitoring.coreos.com]
  resources: [servicemonitors, podmonitors, prometheusrules]
  verbs: [get, list, watch, create, patch, delete]
- apiGroups: [gateway.networking.k8s.io]
  resources: [httproutes]
  verbs: [get, list, watch, create, patch, delete]
- apiGroups: [postgresql.cnpg.io]
  resources: [clusters]
  verbs: [get, list, watch, create, patch]
- apiGroups: [postgresql.cnpg.io]
  resources: [scheduledbackups]
  verbs: [get, list, watch, create, patch, delete]
{{- end }}
