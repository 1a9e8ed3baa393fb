package report

import (
	"encoding/json"
	"io"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

// jsonReport is a finding.Report with values that a program would otherwise have to derive.
type jsonReport struct {
	Engine   string             `json:"engine"`
	Target   string             `json:"target"`
	Version  string             `json:"version"`
	Started  time.Time          `json:"started"`
	Summary  Summary            `json:"summary"`
	Baseline *Applied           `json:"baseline,omitempty"`
	Rules    []finding.Rule     `json:"rules"`
	Results  []jsonResult       `json:"results"`
	Metrics  map[string]float64 `json:"metrics,omitempty"`
	Coverage *finding.Coverage  `json:"coverage,omitempty"`
}

type jsonResult struct {
	Status finding.Status `json:"status"`
	finding.Result
	Findings []jsonFinding `json:"findings,omitempty"` // replaces the findings of the Result
}

type jsonFinding struct {
	finding.Finding
	NotCounted bool `json:"not_counted,omitempty"` // it does not fail the run
}

func newJSONResult(result finding.Result, o *Options) jsonResult {
	out := jsonResult{Status: o.status(result), Result: result}
	for _, f := range result.Findings {
		out.Findings = append(out.Findings, jsonFinding{Finding: f, NotCounted: !o.counts(f)})
	}
	return out
}

func writeJSON(w io.Writer, r *finding.Report, o *Options) error {
	out := jsonReport{
		Engine: r.Engine, Target: r.Target, Version: r.Version, Started: r.Started, Summary: Summarize(r, o),
		Baseline: o.Baseline,
		Rules:    append([]finding.Rule{}, r.Rules...), Results: []jsonResult{}, Metrics: r.Metrics,
		Coverage: r.Coverage,
	}
	for _, result := range r.Results {
		out.Results = append(out.Results, newJSONResult(result, o))
	}
	return encode(w, out)
}

// encode writes indented JSON and leaves <, > and & readable. The encoder escapes control characters; the invisible
// ones that it would let through are escaped here, which changes no value.
func encode(w io.Writer, value any) error {
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(value); err != nil {
		return err
	}
	_, err := io.WriteString(w, escapeHidden(text.String()))
	return err
}
