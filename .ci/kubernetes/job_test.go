// Package kubernetes decodes the job file that sdrsim prints into the types of the Kubernetes API.
// Run it with: cd .ci/kubernetes && go test .
package kubernetes

import (
	"bytes"
	"os"
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

// TestJobFileDecodesIntoTheAPI is strict: an unknown or misplaced field is an error.
func TestJobFileDecodesIntoTheAPI(t *testing.T) {
	text, err := os.ReadFile("../../internal/sweep/jobs/testdata/kubernetes.yaml")
	if err != nil {
		t.Fatal(err)
	}
	first, second, found := bytes.Cut(text, []byte("\n---\n"))
	if !found {
		t.Fatal("not two objects")
	}
	var config corev1.ConfigMap
	if err := yaml.UnmarshalStrict(first, &config); err != nil {
		t.Fatal(err)
	}
	var job batchv1.Job
	if err := yaml.UnmarshalStrict(second, &job); err != nil {
		t.Fatal(err)
	}
	spec := job.Spec
	if *spec.CompletionMode != batchv1.IndexedCompletion || *spec.Completions != 40 ||
		*spec.BackoffLimitPerIndex != 3 {
		t.Errorf("job: %+v", spec)
	}
	pod := spec.Template.Spec
	if pod.RestartPolicy != corev1.RestartPolicyNever {
		t.Errorf("backoffLimitPerIndex needs restartPolicy Never, not %s", pod.RestartPolicy)
	}
	if cpu := pod.Containers[0].Resources.Requests.Cpu().Value(); cpu != 2 {
		t.Errorf("%d cores asked for, want 2", cpu)
	}
	if v := pod.Volumes[0].ConfigMap; v == nil || v.Name != config.Name {
		t.Errorf("the scenario is mounted from %+v, want %s", v, config.Name)
	}
}
