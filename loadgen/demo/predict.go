package demo

import (
	"context"
	"net/http"
	"time"
)

// answer decides what a request gets. It blocks while the request waits for
// a worker and computes; an error means that there is nobody to answer.
func (s *Server) answer(ctx context.Context, r *http.Request, body *scan) (answer, error) {
	path := r.URL.Path
	if !restPath.MatchString(path) {
		return lost(), nil
	}
	to := parseRoute(r.Method, path)
	switch {
	case to == nil:
		return refuse(http.StatusBadRequest, "Malformed request: %s %s", r.Method, path), nil
	case to.model == "":
		return refuse(http.StatusBadRequest, "Missing model name in request."), nil
	case to.verb == "status":
		return s.status(to), nil
	case to.verb == "metadata":
		m, no := s.find(to)
		if m == nil {
			return no, nil
		}
		return good(m.metadata), nil
	default:
		return s.predict(ctx, r.Context(), to, body)
	}
}

// status has its own words for what is not there: it looks into the list of
// versions, the others ask for a handle to one.
func (s *Server) status(to *route) answer {
	if m := s.models[to.model]; m == nil {
		if to.version != "" {
			return refuse(http.StatusNotFound, "Could not find version %s of model %s", to.version, to.model)
		}
		return refuse(http.StatusNotFound, "Could not find any versions of model %s", to.model)
	}
	if to.version != "" && to.version != version {
		return refuse(http.StatusNotFound, "Could not find version %s of model %s", to.version, to.model)
	}
	m, no := s.find(to)
	if m == nil {
		return no
	}
	return good(m.status)
}

// find returns the model a route asks for, or nil and what to answer.
func (s *Server) find(to *route) (*servable, answer) {
	m := s.models[to.model]
	switch {
	case to.version != "" && (m == nil || to.version != version):
		return nil, refuse(http.StatusNotFound,
			"Servable not found for request: Specific(%s, %s)", to.model, to.version)
	case to.label != "" && to.label != label:
		return nil, refuse(http.StatusBadRequest, "Unrecognized servable version label: %s", to.label)
	case m == nil:
		return nil, refuse(http.StatusNotFound, "Servable not found for request: Latest(%s)", to.model)
	}
	return m, answer{}
}

// predict checks in the order of TF Serving: whole JSON, a servable, its
// signature, the input; then it computes.
func (s *Server) predict(ctx, asker context.Context, to *route, body *scan) (answer, error) {
	if fault := body.fault(); fault != "" {
		return refuse(http.StatusBadRequest, "%s", fault), nil
	}
	m, no := s.find(to)
	if m == nil {
		return no, nil
	}
	if no, ok := unfit(m, to, body); !ok {
		return no, nil
	}
	batch := int(body.values() / m.elements())
	if err := s.compute.run(ctx, asker, time.Duration(batch)*m.Service); err != nil {
		return answer{}, err
	}
	if body.instances {
		return good(m.rows(batch)), nil
	}
	return good(m.columns(batch)), nil
}

// unfit says what is wrong with the request's content, if something is.
func unfit(m *servable, to *route, body *scan) (no answer, ok bool) {
	const bad = http.StatusBadRequest
	sig := body.signature
	switch n := body.values(); {
	case sig != "" && sig != "serving_default":
		no = refuse(bad, "Serving signature name: %q not found in signature def", sig)
	case to.verb != "predict":
		no = refuse(bad, "Expected %s signature method_name to be tensorflow/serving/%s. Was: tensorflow/serving/predict",
			map[string]string{"classify": "classification", "regress": "regression"}[to.verb], to.verb)
	case body.instances && body.inputs:
		no = refuse(bad, "Not formatted correctly expecting only one of 'inputs' or 'instances' keys to exist ")
	case !body.instances && !body.inputs:
		no = refuse(bad, "Missing 'inputs' or 'instances' key")
	case n < m.elements() || n%m.elements() != 0:
		no = refuse(bad, "Input to reshape is a tensor with %d values, but the requested shape requires a multiple of %d",
			n, m.elements())
	default:
		return answer{}, true
	}
	return no, false
}
