package jobs

import (
	"bytes"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
	"pgregory.net/rapid"
)

var update = flag.Bool("update", false, "write the golden files anew")

func plan() Plan {
	return Plan{
		Name: "fig9", File: "scenarios/it's fig9.yaml", Shards: 40, CPUs: 2,
		Text:   "# Question: which?\nname: fig9\n\nlink:\n  rtt: 25ms   # \"far\"\n",
		Folder: "results/fig9.shards", Results: "results/fig9",
		Set:   []string{"link.rtt=50ms", "sweep.link.loss.p=[1e-3, 1e-2]"},
		Image: "registry.example/sdrsim:0.1.0", Claim: "sdrsim-results",
	}
}

func write(t *testing.T, engine string, p Plan) string {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, engine, p); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestJobFilesAreAsCommitted compares with golden files, which the checks of .ci run for real.
func TestJobFilesAreAsCommitted(t *testing.T) {
	for engine, name := range map[string]string{
		Slurm: "slurm.sh", Parallel: "parallel.sh", Kubernetes: "kubernetes.yaml",
	} {
		got, file := write(t, engine, plan()), filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s differs:\n%s", file, got)
		}
	}
}

func TestUnknownEngineIsAnError(t *testing.T) {
	err := Write(io.Discard, "pbs", plan())
	if want := `no engine "pbs"; there are slurm, kubernetes, parallel`; err == nil ||
		err.Error() != want {
		t.Errorf("error %v, want %q", err, want)
	}
}

// The part of the API that a job file uses, declared by hand: a field of another name or in another
// place does not decode. The module in .ci/kubernetes decodes the golden file into the real types.
type (
	object struct {
		APIVersion string `yaml:"apiVersion"`
		Kind       string
		Metadata   struct{ Name string }
		Data       map[string]string `yaml:",omitempty"`
		Spec       *jobSpec          `yaml:",omitempty"`
	}
	jobSpec struct {
		CompletionMode       string `yaml:"completionMode"`
		Completions          int
		Parallelism          int
		BackoffLimitPerIndex int `yaml:"backoffLimitPerIndex"`
		MaxFailedIndexes     int `yaml:"maxFailedIndexes"`
		Template             struct {
			Metadata struct{ Labels map[string]string }
			Spec     podSpec
		}
	}
	podSpec struct {
		RestartPolicy                 string `yaml:"restartPolicy"`
		TerminationGracePeriodSeconds int    `yaml:"terminationGracePeriodSeconds"`
		Containers                    []container
		Volumes                       []struct {
			Name                  string
			ConfigMap             *struct{ Name string } `yaml:"configMap"`
			PersistentVolumeClaim *struct {
				ClaimName string `yaml:"claimName"`
			} `yaml:"persistentVolumeClaim"`
		}
	}
	container struct {
		Name, Image   string
		Command, Args []string
		Env           []struct{ Name, Value string }
		Resources     struct{ Requests map[string]string }
		VolumeMounts  []struct {
			Name      string
			MountPath string `yaml:"mountPath"`
		} `yaml:"volumeMounts"`
	}
)

// decode reads the two objects of a Kubernetes file strictly.
func decode(t interface{ Fatalf(string, ...any) }, text string) (config, job object) {
	dec := yaml.NewDecoder(strings.NewReader(text))
	dec.KnownFields(true)
	for _, o := range []*object{&config, &job} {
		if err := dec.Decode(o); err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
	}
	if err := dec.Decode(new(object)); err != io.EOF {
		t.Fatalf("more than two objects: %v", err)
	}
	return config, job
}

func TestKubernetesFileDecodesStrictly(t *testing.T) {
	p := plan()
	config, job := decode(t, write(t, Kubernetes, p))
	if config.Kind != "ConfigMap" || config.Data["fig9.yaml"] != p.Text {
		t.Errorf("config map: %+v", config)
	}
	s := job.Spec
	if job.Kind != "Job" || s.CompletionMode != "Indexed" || s.Completions != 40 {
		t.Fatalf("job: %+v", job)
	}
	c := s.Template.Spec.Containers[0]
	if c.Env[0].Name != "JOB_COMPLETIONS" || c.Env[0].Value != "40" {
		t.Errorf("environment %+v does not tell how many shards there are", c.Env)
	}
	const want = "run /scenario/fig9.yaml --set link.rtt=50ms --set " +
		"sweep.link.loss.p=[1e-3, 1e-2] --shard auto -o /results/fig9.shards --log-format json"
	if got := strings.Join(c.Args, " "); got != want {
		t.Errorf("arguments %q, want %q", got, want)
	}
	mounted := map[string]bool{}
	for _, m := range c.VolumeMounts {
		mounted[m.Name] = true
	}
	for _, v := range s.Template.Spec.Volumes {
		if !mounted[v.Name] || (v.ConfigMap == nil) == (v.PersistentVolumeClaim == nil) {
			t.Errorf("volume %+v", v)
		}
	}
}

// TestAnyTextSurvivesYAML puts drawn texts where the scenario and its overrides go.
func TestAnyTextSurvivesYAML(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := plan()
		text := rapid.OneOf(rapid.String(), rapid.StringMatching(`([ a:#"\\|-]{0,4}\n){0,4}`))
		p.Text = text.Draw(t, "text")
		p.Set = []string{text.Draw(t, "set")}
		var b bytes.Buffer
		if err := Write(&b, Kubernetes, p); err != nil {
			t.Fatal(err)
		}
		config, job := decode(t, b.String())
		if got := config.Data["fig9.yaml"]; got != p.Text {
			t.Fatalf("text %q became %q", p.Text, got)
		}
		if got := job.Spec.Template.Spec.Containers[0].Args[3]; got != p.Set[0] {
			t.Fatalf("override %q became %q", p.Set[0], got)
		}
	})
}

// TestShellsReadTheCommandsAsTheyAreMeant runs the Slurm file with a program that prints its
// arguments in the place of sdrsim.
func TestShellsReadTheCommandsAsTheyAreMeant(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash")
	}
	dir := t.TempDir()
	const printer = "#!/bin/sh\nprintf '<%s>' \"$@\"\n"
	if err := os.WriteFile(filepath.Join(dir, "sdrsim"), []byte(printer), 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(bash)
	cmd.Stdin = strings.NewReader(write(t, Slurm, plan()))
	cmd.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	const want = "<run><scenarios/it's fig9.yaml><--set><link.rtt=50ms><--set>" +
		"<sweep.link.loss.p=[1e-3, 1e-2]><--shard><auto><--shards><40><-o>" +
		"<results/fig9.shards><--log-format><text>"
	if err != nil || string(out) != want {
		t.Errorf("%s, want %s (%v)", out, want, err)
	}
}

func TestNamesFitKubernetes(t *testing.T) {
	for name, want := range map[string]string{
		"fig9": "sdrsim-fig9", "Fig_3.c": "sdrsim-fig-3-c", "x-": "sdrsim-x",
	} {
		if got := label(name); got != want {
			t.Errorf("%s becomes %s, want %s", name, got, want)
		}
	}
	if n := len(label(strings.Repeat("a", 200))); n > 63 {
		t.Errorf("a name of %d characters", n)
	}
}
