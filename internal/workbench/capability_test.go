package workbench

import (
	"flag"
	"os"
	"reflect"
	"strings"
	"testing"
)

var updateDocs = flag.Bool("update", false, "write the table of capabilities")

// TestCapabilities compares the permission model with what the code grants: every grant has a row for each surface, and
// a row says "cannot be granted" exactly where the surface's Grants do not have it.
func TestCapabilities(t *testing.T) {
	surfaces := map[string]Grants{SurfaceLine: CommandLine, SurfacePage: ForPage, SurfaceAssistant: ForAssistants}
	for _, c := range Capabilities() {
		grants, known := surfaces[c.Surface]
		if c.of == nil || !known {
			continue
		}
		if granted := c.of(grants); granted == strings.HasPrefix(c.By, Never) {
			t.Errorf("%s on %s: the code grants it: %v; the model says %q", c.Name, c.Surface, granted, c.By)
		}
	}
	for surface := range surfaces {
		for _, name := range []string{startProgram, reachPrivate, useFiles, readStdin, passVariable, callUnsafe,
			spendMoney, disturb} {
			found := 0
			for _, c := range CapabilitiesOf(surface) {
				if c.Name == name {
					found++
				}
			}
			if found != 1 {
				t.Errorf("%s on %s has %d rows; expected one", name, surface, found)
			}
		}
	}
	all := reflect.TypeFor[Grants]()
	for i := range all.NumField() {
		var one Grants
		reflect.ValueOf(&one).Elem().Field(i).SetBool(true)
		covered := false
		for _, c := range Capabilities() {
			covered = covered || c.of != nil && c.of(one)
		}
		if !covered {
			t.Errorf("no capability is about the grant %s", all.Field(i).Name)
		}
	}
}

// TestCapabilitiesAreDocumented compares the table of the documentation with the declaration.
func TestCapabilitiesAreDocumented(t *testing.T) {
	const file, begin, end = "../../docs/explanation/security.md", "<!-- capabilities -->\n", "<!-- end -->"
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(raw), begin)
	table, after, found := strings.Cut(rest, end)
	if !found {
		t.Fatalf("%s has no marks for the table", file)
	}
	if want := CapabilityTable(); table != want && *updateDocs {
		if err := os.WriteFile(file, []byte(before+begin+want+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if table != want {
		t.Errorf("%s has another table than the code; -update writes it", file)
	}
}
