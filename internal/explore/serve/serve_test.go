package serve_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

// send makes a request with changes, and returns its status and body.
func send(t *testing.T, method, url, body string, change func(*http.Request)) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/json")
	}
	if change != nil {
		change(r)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(text)
}

func TestOnlyThePageItselfIsAnswered(t *testing.T) {
	url := serving(t, link)
	ask := `{"parts": ["here"], "values": {"samples": "10"}}`
	header := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	root := url[:strings.Index(url[7:], "/")+8]
	own := strings.TrimSuffix(root, "/")
	for _, c := range []struct {
		name, method, url, body string
		change                  func(*http.Request)
		want                    int
	}{
		{"the page", "GET", url, "", nil, 200},
		{"an ask", "POST", url + "ask", ask, nil, 200},
		{"an ask of the page", "POST", url + "ask", ask, header("Origin", own), 200},
		{"no token", "GET", root, "", nil, 404},
		{"another token", "POST", root + "AAAAAAAAAAAAAAAAAAAAAAAAAA/ask", ask, nil, 404},
		{"a foreign host", "GET", url, "", func(r *http.Request) { r.Host = "evil.example" }, 403},
		{"a foreign host that asks", "POST", url + "ask", ask,
			func(r *http.Request) { r.Host = "evil.example:80" }, 403},
		{"another origin", "POST", url + "ask", ask, header("Origin", "http://evil.example"), 403},
		{"a page from disk", "POST", url + "ask", ask, header("Origin", "null"), 403},
		{"another site", "POST", url + "ask", ask, header("Sec-Fetch-Site", "cross-site"), 403},
		{"a frame of another site", "GET", url, "", header("Sec-Fetch-Site", "cross-site"), 403},
		{"a form", "POST", url + "ask", ask,
			header("Content-Type", "application/x-www-form-urlencoded"), 415},
		{"too much", "POST", url + "ask", `{"parts": ["` + strings.Repeat("x", 1<<17) + `"]}`, nil, 413},
		{"too much of unknown length", "POST", url + "ask",
			`{"parts": ["` + strings.Repeat("x", 1<<17) + `"]}`,
			func(r *http.Request) { r.ContentLength = -1 }, 413},
		{"no ask", "POST", url + "ask", "what?", nil, 400},
		{"an ask that is read", "GET", url + "ask", "", nil, 405},
		{"a header without end", "GET", url, "", header("X-Long", strings.Repeat("x", 1<<17)), 431},
	} {
		if got, text := send(t, c.method, c.url, c.body, c.change); got != c.want {
			t.Errorf("%s: status %d, want %d; %.100s", c.name, got, c.want, text)
		} else if got != 200 && strings.Contains(text, "completion") {
			t.Errorf("%s is answered: %.100s", c.name, text)
		}
	}
}

func TestPageMayAskItsServerAndNothingElse(t *testing.T) {
	r, err := http.Get(serving(t, link))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	policy := r.Header.Get("Content-Security-Policy")
	for _, want := range []string{"default-src 'none'", "connect-src 'self'", "frame-ancestors 'none'",
		"script-src 'sha256-", "base-uri 'none'"} {
		if !strings.Contains(policy, want) {
			t.Errorf("the policy %q has no %s", policy, want)
		}
	}
	if strings.Contains(policy, "unsafe") || r.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("policy %q, cache %q", policy, r.Header.Get("Cache-Control"))
	}
}
