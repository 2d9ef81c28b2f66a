package main

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"forecourt/internal/kit/check"
)

func TestALoadBalancerLearnsOfAStopFirst(t *testing.T) {
	t.Parallel()
	var l leaving
	handler := l.before(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) }))
	ask := func(path string) int {
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, path, nil))
		return answer.Code
	}
	check.Equal(t, ask("/readyz"), http.StatusOK, "not ready before a stop")
	l.wait(0)
	if ask("/readyz") != http.StatusServiceUnavailable || ask("/healthz") != http.StatusOK || ask("/pos/panezski") != http.StatusOK {
		t.Error("during a stop /readyz does not fail, or another page does")
	}
}
