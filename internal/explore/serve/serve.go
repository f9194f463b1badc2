package serve

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net"
	"net/http"
	"slices"
	"strconv"
	"time"

	"sdrsim/internal/explore"
	"sdrsim/internal/web"
)

// maxAsk bounds what a page sends.
const maxAsk = 64 << 10

// Server is one that listens.
type Server struct {
	base     *explore.Base
	jobs     int
	page     []byte
	policy   string
	token    string
	listener net.Listener
	hosts    []string // names that it has
}

// New listens on a port of this machine, any that is free where it is 0, and answers on so many
// cores. How its page looks is of look.
func New(base *explore.Base, look web.Explorer, port, jobs int) (*Server, error) {
	state, err := base.State()
	if err != nil {
		return nil, err
	}
	look.Name, look.Question, look.State = state.Name, state.Question, state
	s := &Server{base: base, jobs: jobs, token: rand.Text()}
	if s.page, s.policy, err = web.RenderServed(look); err != nil {
		return nil, err
	}
	s.listener, err = net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return nil, err
	}
	_, number, err := net.SplitHostPort(s.listener.Addr().String())
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"127.0.0.1", "localhost"} {
		s.hosts = append(s.hosts, net.JoinHostPort(name, number))
	}
	return s, nil
}

// URL is the address of the page.
func (s *Server) URL() string { return "http://" + s.hosts[0] + "/" + s.token + "/" }

// Serve answers until the context ends. Answers under way end with it.
func (s *Server) Serve(ctx context.Context) error {
	server := &http.Server{
		Handler: s.handler(), MaxHeaderBytes: 16 << 10,
		ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 30 * time.Second, IdleTimeout: time.Minute,
		BaseContext: func(net.Listener) context.Context { return ctx },
	}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stop()
	err := server.Serve(s.listener)
	if errors.Is(err, http.ErrServerClosed) && ctx.Err() != nil {
		return nil
	}
	return err
}

func (s *Server) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /"+s.token+"/{$}", s.getPage)
	mux.HandleFunc("POST /"+s.token+"/ask", s.ask)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Cache-Control", "no-store")
		h.Set("Referrer-Policy", "no-referrer") // the token is in the address
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		if !s.own(r) {
			http.Error(w, "not for you", http.StatusForbidden)
			return
		}
		mux.ServeHTTP(w, r)
	})
}

// own reports whether a request is of the page of this server, or of a user who opens it.
func (s *Server) own(r *http.Request) bool {
	if !slices.Contains(s.hosts, r.Host) {
		return false
	}
	if origin := r.Header.Get("Origin"); origin != "" && origin != "http://"+r.Host {
		return false
	}
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin", "none":
		return true
	}
	// A link on a page of somebody else would have to know the token.
	return r.Method == http.MethodGet && r.Header.Get("Sec-Fetch-Mode") == "navigate"
}

func (s *Server) getPage(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", s.policy+"; frame-ancestors 'none'")
	_, _ = w.Write(s.page)
}

// ask answers line by line.
func (s *Server) ask(w http.ResponseWriter, r *http.Request) {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil ||
		kind != "application/json" {
		http.Error(w, "an ask is JSON", http.StatusUnsupportedMediaType)
		return
	}
	if r.ContentLength > maxAsk {
		tooLarge(w)
		return
	}
	var a explore.Ask
	d := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxAsk))
	d.DisallowUnknownFields()
	if err := d.Decode(&a); err != nil {
		var large *http.MaxBytesError
		if errors.As(err, &large) {
			tooLarge(w)
			return
		}
		http.Error(w, "not an ask: "+err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/x-ndjson")
	out, flush := json.NewEncoder(w), http.NewResponseController(w)
	_ = s.base.Answer(r.Context(), &a, s.jobs, func(p explore.Part) error {
		if err := out.Encode(p); err != nil {
			return err // the page has gone
		}
		return flush.Flush()
	})
}

func tooLarge(w http.ResponseWriter) {
	http.Error(w, fmt.Sprintf("an ask has at most %d bytes", maxAsk),
		http.StatusRequestEntityTooLarge)
}
