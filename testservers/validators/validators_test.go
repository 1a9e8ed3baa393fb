package validators

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/mcptest-dev/mcptest/internal/engine/ready"
	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/testservers/npm"
)

var update = flag.Bool("update", false, "record the verdicts of the real validators")

// sampled is how many mutants of each kind have recorded verdicts.
const sampled = 420

// A kind is a file that a place validates.
type kind struct {
	base, file, place string   // base is in testdata
	beyond            []string // rules about what the validator does not look at
	real              func(t *testing.T, all []mutant) []verdict
}

var kinds = []kind{
	{"server.json", "server.json", ready.Registry, []string{"REG-008", "REG-017"}, registryVerdicts},
	{"manifest.json", "manifest.json", ready.MCPB, []string{"MCPB-003", "MCPB-004"}, mcpbVerdicts},
	{"manifest-0.1.json", "manifest.json", ready.MCPB, []string{"MCPB-003", "MCPB-004"}, mcpbVerdicts},
}

type verdict struct {
	Valid bool
	Why   string
}

// TestRecordedVerdicts compares our verdicts on a sample of mutants with the recorded ones of the real validators.
func TestRecordedVerdicts(t *testing.T) {
	for _, k := range kinds {
		t.Run(k.base, func(t *testing.T) {
			all := sample(mutants(base(t, k)), sampled)
			recorded := k.recorded(t)
			verdicts := make([]verdict, len(all))
			for i, m := range all {
				valid, ok := recorded[m.name]
				if !ok {
					t.Fatalf("no recorded verdict on %s: run MCPTEST_FULL=1 go test ./testservers/validators -update", m.name)
				}
				verdicts[i].Valid = valid
			}
			if len(recorded) != len(all) || len(all) < 300 {
				t.Errorf("%d mutants with %d recorded verdicts, expected 300 or more of both", len(all), len(recorded))
			}
			k.compare(t, all, verdicts)
		})
	}
}

// TestRealValidators compares our verdicts on every mutant with those of the real validators.
func TestRealValidators(t *testing.T) {
	if os.Getenv("MCPTEST_FULL") == "" {
		t.Skip("skipped: builds the registry; MCPTEST_FULL runs it")
	}
	for _, k := range kinds {
		t.Run(k.base, func(t *testing.T) {
			all := mutants(base(t, k))
			verdicts := k.real(t, all)
			k.compare(t, all, verdicts)
			k.record(t, all, verdicts)
		})
	}
}

// compare prints how often the verdicts agree, and reports each disagreement: the validator rejects what we accept, or we
// reject what it accepts by a rule that it checks as well.
func (k kind) compare(t *testing.T, all []mutant, verdicts []verdict) {
	agree, more := 0, 0
	for i, m := range all {
		ours := k.judge(t, m.doc)
		beyond := !slices.ContainsFunc(ours, func(f finding.Finding) bool { return !slices.Contains(k.beyond, f.Rule) })
		switch {
		case (len(ours) == 0) == verdicts[i].Valid:
			agree++
		case verdicts[i].Valid && beyond:
			more++
		default:
			t.Errorf("%s: accepted is %v by the validator (%s), we found %v", m.name, verdicts[i].Valid, verdicts[i].Why, lines(ours))
		}
	}
	t.Logf("%s: %d mutants, %d agree, %d where we say more, %d disagree", k.base, len(all), agree, more, len(all)-agree-more)
}

// judge returns our errors about a file.
func (k kind) judge(t *testing.T, doc []byte) (errors []finding.Finding) {
	files := fstest.MapFS{k.file: {Data: doc}, "icon.png": {Data: []byte(png)}, "index.js": {}}
	out, err := ready.Run(ready.Options{Folder: files, Places: []string{k.place}})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range out.Report.Findings() {
		if f.Severity.AtLeast(finding.Error) {
			errors = append(errors, f)
		}
	}
	return errors
}

const png = "\x89PNG\r\n\x1a\n"

func lines(all []finding.Finding) (texts []string) {
	for _, f := range all {
		texts = append(texts, f.Rule+" "+f.Where.Pointer+" "+f.Message)
	}
	return texts
}

func base(t *testing.T, k kind) []byte {
	data, err := os.ReadFile(filepath.Join("testdata", k.base))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// registryVerdicts asks the endpoint of the registry.
func registryVerdicts(t *testing.T, all []mutant) []verdict {
	program := filepath.Join(t.TempDir(), "registry")
	build := exec.Command("go", "build", "-o", program, ".")
	build.Dir = "registry"
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return ask(t, all, program)
}

// mcpbVerdicts asks the package @anthropic-ai/mcpb.
func mcpbVerdicts(t *testing.T, all []mutant) []verdict {
	in := npm.Require(t)
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "icon.png"), []byte(png), 0o600); err != nil {
		t.Fatal(err)
	}
	return ask(t, all, in.Node, "mcpb.mjs", folder, in.Modules())
}

// ask gives a program one document per line and reads one verdict per line.
func ask(t *testing.T, all []mutant, command ...string) []verdict {
	var in bytes.Buffer
	for _, m := range all {
		in.Write(append(m.doc, '\n'))
	}
	cmd := exec.CommandContext(t.Context(), command[0], command[1:]...)
	cmd.Stdin, cmd.Stderr = &in, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var verdicts []verdict
	for dec := json.NewDecoder(bytes.NewReader(out)); dec.More(); {
		var v verdict
		if err := dec.Decode(&v); err != nil {
			t.Fatal(err)
		}
		verdicts = append(verdicts, v)
	}
	if len(verdicts) != len(all) {
		t.Fatalf("%d verdicts on %d documents", len(verdicts), len(all))
	}
	return verdicts
}

func (k kind) recording() string { return filepath.Join("testdata", k.base+".verdicts") }

// recorded reads the verdicts of the real validator by the names of the mutants.
func (k kind) recorded(t *testing.T) map[string]bool {
	data, err := os.ReadFile(k.recording())
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]bool{}
	for s := bufio.NewScanner(bytes.NewReader(data)); s.Scan(); {
		state, name, _ := strings.Cut(s.Text(), "\t")
		all[name] = state == "valid"
	}
	return all
}

// record compares the recorded verdicts with the real ones, or writes them.
func (k kind) record(t *testing.T, all []mutant, verdicts []verdict) {
	var text strings.Builder
	for _, m := range sample(all, sampled) {
		i := slices.IndexFunc(all, func(other mutant) bool { return other.name == m.name })
		state := "invalid"
		if verdicts[i].Valid {
			state = "valid"
		}
		fmt.Fprintf(&text, "%s\t%s\n", state, m.name)
	}
	if *update {
		if err := os.WriteFile(k.recording(), []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if data, err := os.ReadFile(k.recording()); err != nil || string(data) != text.String() {
		t.Errorf("%s is outdated; -update records it (%v)", k.recording(), err)
	}
}
