package demo

import (
	"net/http"
	"regexp"
	"strings"
)

// TF Serving's own two patterns. Everything below /v1/ that matches neither
// is a malformed request; everything elsewhere is not even that.
var (
	predictPath = regexp.MustCompile(
		`(?i)^/v1/models/([^/:]+)(?:/versions/(\d+)|/labels/([^/:]+))?:(classify|regress|predict)$`)
	modelPath = regexp.MustCompile(
		`(?i)^/v1/models(?:/([^/:]+))?(?:/versions/(\d+)|/labels/([^/:]+))?(?:/(metadata))?$`)
	restPath = regexp.MustCompile(`(?i)^/v1/`)
)

// A route is what a request asks for.
type route struct {
	verb    string // predict, classify, regress, metadata, status
	model   string
	version string // "" for the newest
	label   string
}

// parseRoute returns nil if the request is none that TF Serving understands.
func parseRoute(method, path string) *route {
	switch method {
	case http.MethodPost:
		if m := predictPath.FindStringSubmatch(path); m != nil {
			return &route{verb: strings.ToLower(m[4]), model: m[1], version: m[2], label: m[3]}
		}
	case http.MethodGet:
		if m := modelPath.FindStringSubmatch(path); m != nil {
			verb := "status"
			if m[4] != "" {
				verb = "metadata"
			}
			return &route{verb: verb, model: m[1], version: m[2], label: m[3]}
		}
	}
	return nil
}
