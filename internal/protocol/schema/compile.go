package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/mcptest-dev/mcptest/internal/third_party/jsonschema"
)

// Options configure compilation. Nil means the defaults.
type Options struct {
	AssertFormat bool   // whether format is checked; otherwise it is an annotation in every dialect
	Dialect      string // the default $schema; 2020-12 if empty
	Limits       *Limits
}

// A Schema is compiled and safe for use by many goroutines.
type Schema struct {
	Dialect string          // draft-04, draft-06, draft-07, 2019-09 or 2020-12
	NonRE2  []NonRE2Pattern // patterns that need a backtracking engine: not portable, and with a short time limit

	raw      json.RawMessage
	compiled *jsonschema.Schema
	flat     *flat // nil if the schema is not flat
	limits   Limits
	weights  weights
	slow     *matchBudgetTimer
	mu       sync.Mutex // held during validation if there are slow patterns: they share one stopwatch
}

// location is the base URI of the schema. It resolves relative references to URIs that are rejected.
const location = "schema:///tool"

// Compile prepares a schema for validation. Nothing is loaded: a reference out of the document is a
// [CompileError], except to the metaschemas of JSON Schema, which are built in.
func Compile(raw json.RawMessage, options *Options) (*Schema, error) {
	if options == nil {
		options = &Options{}
	}
	limits := options.Limits.withDefaults()
	survey, err := inspect(raw, limits)
	if err != nil {
		return nil, err
	}
	draft, err := dialect(survey.dialect, options.Dialect)
	if err != nil {
		return nil, err
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, &CompileError{Kind: NotJSON, Message: "the schema is not valid JSON: " + err.Error()}
	}
	if !options.AssertFormat {
		dropRegexFormat(doc)
	}
	s := &Schema{Dialect: draftNames[draft], raw: slices.Clone(raw), limits: limits, slow: &matchBudgetTimer{}}
	if err := s.compile(doc, draft, options, survey); err != nil {
		return nil, err
	}
	if err := s.weigh(); err != nil {
		return nil, err
	}
	if limits == (*Limits)(nil).withDefaults() { // a flat value cannot exceed those
		s.flat = flatten(s.raw, options.AssertFormat)
	}
	return s, nil
}

func (s *Schema) compile(doc any, draft *jsonschema.Draft, options *Options, survey *schemaStats) (err error) {
	defer func() {
		if broken := recover(); broken != nil {
			err = &CompileError{Kind: Invalid, Message: fmt.Sprintf("the schema cannot be compiled: %v", broken)}
		}
	}()
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(draft)
	compiler.UseLoader(denyAll{})
	engine := patternEngine{timer: s.slow, seen: map[string]jsonschema.Regexp{}, budget: s.limits.Patterns}
	if err := engine.compileAll(survey); err != nil {
		return err
	}
	compiler.UseRegexpEngine(engine.compile)
	if options.AssertFormat {
		compiler.AssertFormat()
	} else {
		ignoreFormats(compiler)
	}
	if err := compiler.AddResource(location, doc); err != nil {
		return &CompileError{Kind: Invalid, Message: err.Error()}
	}
	if s.compiled, err = compiler.Compile(location); err != nil {
		return explain(err, doc, survey)
	}
	engine.sealed = true
	s.NonRE2 = survey.nonRE2(engine.seen)
	return nil
}

// denyAll is the loader that loads nothing.
type denyAll struct{}

func (denyAll) Load(url string) (any, error) { return nil, fmt.Errorf("%s is not fetched", url) }

// dialect returns the draft of a $schema.
func dialect(declared, fallback string) (*jsonschema.Draft, error) {
	name := declared
	if name == "" {
		name = fallback
	}
	if name == "" {
		return jsonschema.Draft2020, nil
	}
	plain := strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(name, "http://"), "https://"), "#")
	for draft, url := range draftURLs {
		if plain == url {
			return draft, nil
		}
	}
	return nil, &CompileError{Kind: UnknownDialect, Pointer: "/$schema",
		Message: fmt.Sprintf("unknown dialect %q, expected draft-04, -06, -07, 2019-09 or 2020-12", name)}
}

var draftURLs = map[*jsonschema.Draft]string{
	jsonschema.Draft4:    "json-schema.org/draft-04/schema",
	jsonschema.Draft6:    "json-schema.org/draft-06/schema",
	jsonschema.Draft7:    "json-schema.org/draft-07/schema",
	jsonschema.Draft2019: "json-schema.org/draft/2019-09/schema",
	jsonschema.Draft2020: "json-schema.org/draft/2020-12/schema",
}

var draftNames = map[*jsonschema.Draft]string{
	jsonschema.Draft4: "draft-04", jsonschema.Draft6: "draft-06", jsonschema.Draft7: "draft-07",
	jsonschema.Draft2019: "2019-09", jsonschema.Draft2020: "2020-12",
}
