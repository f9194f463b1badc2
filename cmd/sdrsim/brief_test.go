package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestMessagesShortenLongValues(t *testing.T) {
	long, spaced := strings.Repeat("k", 500_000), strings.Repeat("k ", 250_000)+"k"
	for name, text := range map[string]string{
		"a name":              "name: " + long,
		"an unknown key":      long + ": 1",
		"a rate":              "link: {bandwidth: " + long + "}",
		"a rate with spaces":  "link: {bandwidth: " + spaced + "}",
		"an unknown scheme":   "schemes: [" + long + "]",
		"a parameter":         "schemes: [{name: sr-rto, rto: " + spaced + "}]",
		"a swept path":        "sweep: {" + long + ": [1]}",
		"a range":             "sweep: {link.loss.p: {from: " + long + ", to: 1, points: 3}}",
		"a kind of figure":    "figures: [{kind: " + long + "}]",
		"an axis":             "figures: [{kind: line, x: " + long + ", y: " + long + "}]",
		"a split":             "sdr: {imm: " + long + "}",
		"a number of samples": "samples: " + spaced,
		"an anchor":           "a: *" + long,
		"a list not closed":   "a: [" + long,
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "long.yaml")
			if err := os.WriteFile(file, []byte(text+"\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			out, message, code := command("validate", file)
			if code != exitUsage || out != "" {
				t.Fatalf("exit code %d, output %.100q", code, out)
			}
			for _, line := range strings.Split(message, "\n") {
				if n := utf8.RuneCountInString(line); n > maxLine {
					t.Errorf("a line of %d letters: %.200q", n, line)
				}
			}
		})
	}
	t.Run("an override", func(t *testing.T) {
		_, message, code := command("validate", "../../scenarios/quickstart.yaml",
			"--set", "link.bandwidth="+long[:100_000])
		if code != exitUsage || len(message) > 2*maxLine {
			t.Errorf("exit code %d, message of %d bytes", code, len(message))
		}
	})
	t.Run("a command", func(t *testing.T) {
		_, message, code := command(long[:100_000])
		if code != exitUsage || len(message) > 2*maxLine {
			t.Errorf("exit code %d, message of %d bytes", code, len(message))
		}
	})
}

func TestShortMessagesStayAsTheyAre(t *testing.T) {
	path := strings.Repeat("ü", maxWord)
	for _, text := range []string{"", "a.yaml:3:4: link.rtt: \"5\": must be\n  a time", path} {
		if got := brief(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
	got := brief(path + "x")
	if utf8.RuneCountInString(got) != maxWord || !strings.Contains(got, "…") {
		t.Errorf("one letter too many became %q", got)
	}
}
