package tfserving

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"dev.example/pileup/loadgen"
	"dev.example/pileup/loadgen/payload"
)

// A metadata is what a model takes.
type metadata struct {
	signature string // to be named in the request, "" for the server's default
	inputs    []payload.Tensor
}

const (
	defaultSignature = "serving_default"
	initSignature    = "__saved_model_init_op"
	giveBody         = "give the whole request with --body FILE"
)

// metadata asks what the model takes.
func (t *Target) metadata(ctx context.Context, m model) (metadata, error) {
	page, err := t.get(ctx, m.path()+"/metadata")
	if err != nil {
		return metadata{}, err
	}
	if page.Status != http.StatusOK {
		return metadata{}, &loadgen.Refusal{
			Err:  fmt.Errorf("%s does not say what model %q takes: it answered %d: %s", t.Addr(), m, page.Status, said(page)),
			Hint: giveBody,
		}
	}
	meta, err := parseMetadata(page.Body)
	if err != nil {
		return metadata{}, &loadgen.Refusal{Err: fmt.Errorf("metadata of model %q: %w", m, err), Hint: giveBody}
	}
	return meta, nil
}

// The answer, with the doubled key of a map inside a message inside an Any.
type metadataBody struct {
	Metadata struct {
		SignatureDef struct {
			SignatureDef map[string]signatureDef `json:"signature_def"`
		} `json:"signature_def"`
	} `json:"metadata"`
}

type signatureDef struct {
	Inputs map[string]tensorInfo `json:"inputs"`
}

type tensorInfo struct {
	DType string `json:"dtype"`
	Shape struct {
		Dim []struct {
			Size dimSize `json:"size"`
		} `json:"dim"`
		UnknownRank bool `json:"unknown_rank"`
	} `json:"tensor_shape"`
}

// dimSize is an int64 that protobuf's JSON writes as a string.
type dimSize int64

func (d *dimSize) UnmarshalJSON(b []byte) error {
	n, err := strconv.ParseInt(strings.Trim(string(b), `"`), 10, 64)
	if err != nil {
		return fmt.Errorf("%s is no size of a dimension", loadgen.Printable(string(b)))
	}
	*d = dimSize(n)
	return nil
}

// parseMetadata reads the inputs of serving_default, or of the only signature
// there is.
func parseMetadata(b []byte) (metadata, error) {
	var body metadataBody
	if err := json.Unmarshal(b, &body); err != nil {
		return metadata{}, fmt.Errorf("not what TensorFlow Serving answers: %w", err)
	}
	defs := body.Metadata.SignatureDef.SignatureDef
	delete(defs, initSignature)
	name := defaultSignature
	if _, ok := defs[name]; !ok {
		names := slices.Sorted(maps.Keys(defs))
		switch len(names) {
		case 0:
			return metadata{}, errors.New("it has no signature")
		case 1:
			name = names[0]
		default:
			return metadata{}, fmt.Errorf("it has the signatures %s and no %s",
				loadgen.Printable(strings.Join(names, ", ")), defaultSignature)
		}
	}
	meta := metadata{}
	if name != defaultSignature {
		meta.signature = name
	}
	for _, in := range slices.Sorted(maps.Keys(defs[name].Inputs)) {
		meta.inputs = append(meta.inputs, defs[name].Inputs[in].tensor(in))
	}
	return meta, nil
}

func (i tensorInfo) tensor(name string) payload.Tensor {
	t := payload.Tensor{Name: name, Type: dtypes[i.DType], Said: loadgen.Printable(i.DType), UnknownRank: i.Shape.UnknownRank}
	for _, d := range i.Shape.Dim {
		t.Dims = append(t.Dims, int64(max(d.Size, -1)))
	}
	return t
}

var dtypes = map[string]payload.DType{
	"DT_BOOL":     payload.Bool,
	"DT_INT8":     payload.Int8,
	"DT_INT16":    payload.Int16,
	"DT_INT32":    payload.Int32,
	"DT_INT64":    payload.Int64,
	"DT_UINT8":    payload.Uint8,
	"DT_UINT16":   payload.Uint16,
	"DT_UINT32":   payload.Uint32,
	"DT_UINT64":   payload.Uint64,
	"DT_HALF":     payload.Half,
	"DT_BFLOAT16": payload.BFloat16,
	"DT_FLOAT":    payload.Float32,
	"DT_DOUBLE":   payload.Float64,
	"DT_STRING":   payload.Bytes,
}
