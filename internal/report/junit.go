package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/mcptest-dev/mcptest/internal/finding"
)

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Time     string       `xml:"time,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name      string      `xml:"name,attr"`
	Tests     int         `xml:"tests,attr"`
	Failures  int         `xml:"failures,attr"`
	Errors    int         `xml:"errors,attr"`
	Skipped   int         `xml:"skipped,attr"`
	Time      string      `xml:"time,attr"`
	Timestamp string      `xml:"timestamp,attr,omitempty"`
	Cases     []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	Time    string        `xml:"time,attr"`
	Failure *junitMessage `xml:"failure,omitempty"`
	Error   *junitMessage `xml:"error,omitempty"`
	Skipped *string       `xml:"skipped,omitempty"`    // the reason; the Jenkins schema has no attribute for it
	Notes   string        `xml:"system-out,omitempty"` // findings that do not count
}

type junitMessage struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",chardata"`
}

// writeJUnit writes each result as a test case; its findings become one failure, because most tools show only the
// first.
func writeJUnit(w io.Writer, r *finding.Report, o *Options) error {
	s := Summarize(r, o)
	total := len(r.Results)
	suite := junitSuite{Name: escapeControl(r.Target), Tests: total, Failures: s.Failed, Errors: s.Broken,
		Skipped: s.Skipped}
	if !r.Started.IsZero() {
		suite.Timestamp = r.Started.UTC().Format("2006-01-02T15:04:05")
	}
	var elapsed time.Duration
	for _, result := range r.Results {
		elapsed += result.Elapsed
		suite.Cases = append(suite.Cases, newJUnitCase(r, result, o))
	}
	suite.Time = seconds(elapsed)
	all := junitSuites{
		Name: "mcptest " + escapeControl(r.Engine), Tests: total, Failures: s.Failed, Errors: s.Broken,
		Time:   suite.Time,
		Suites: []junitSuite{suite},
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	encoder := xml.NewEncoder(w)
	encoder.Indent("", "  ")
	if err := encoder.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func newJUnitCase(r *finding.Report, result finding.Result, o *Options) junitCase {
	c := junitCase{Name: escapeControl(title(result, r.Rules)), Class: "mcptest." + escapeControl(r.Engine),
		Time: seconds(result.Elapsed)}
	counted, notes := o.split(result.Findings)
	c.Notes = junitText(notes)
	switch o.status(result) {
	case finding.Failed:
		c.Failure = failure(counted)
	case finding.Broken:
		c.Error = &junitMessage{Message: escapeControl(result.Broken), Type: "broken"}
		c.Error.Text = junitText(counted)
	case finding.Skipped:
		why := escapeControl(result.Skipped)
		c.Skipped = &why
	}
	return c
}

func failure(findings []finding.Finding) *junitMessage {
	first := findings[0]
	message := visibleLines(first.Message)[0]
	if len(findings) > 1 {
		message = fmt.Sprintf("%d findings, first: %s", len(findings), message)
	}
	return &junitMessage{Message: message, Type: escapeControl(first.Rule), Text: junitText(findings)}
}

// junitText lists findings, one below the other.
func junitText(findings []finding.Finding) string {
	var text strings.Builder
	for _, f := range findings {
		fmt.Fprintf(&text, "%s %s", escapeControl(string(f.Severity)), escapeControl(f.Rule))
		where := f.Where
		if strings.HasPrefix(f.Message, where.Subject+" ") {
			where.Subject = "" // the message starts with it
		}
		if at := escapeControl(locationText(where)); at != "" {
			fmt.Fprintf(&text, " %s", at)
		}
		fmt.Fprintf(&text, ": %s\n", strings.Join(visibleLines(f.Detail()), "\n  "))
		for _, fix := range f.Fixes {
			fmt.Fprintf(&text, "  fix: %s\n", escapeControl(fix.Message))
		}
		for _, line := range proof(f) {
			fmt.Fprintf(&text, "  %s\n", line)
		}
	}
	return text.String()
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }
