package jsonschema

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
)

var drafts = []*Draft{Draft4, Draft6, Draft7, Draft2019, Draft2020}

// compiledAtStart lists the drafts whose metaschemas are compiled before any test runs.
var compiledAtStart []string

func TestMain(m *testing.M) {
	compiledAtStart = compiledDrafts()
	os.Exit(m.Run())
}

func compiledDrafts() (urls []string) {
	for _, d := range drafts {
		if d.sch != nil {
			urls = append(urls, d.url)
		}
	}
	return urls
}

// forget returns every draft to its state at the start of the program.
func forget() {
	for _, d := range drafts {
		d.once, d.sch, d.vocabSchemas = sync.Once{}, nil, nil
	}
}

func TestNothingIsCompiledAtStart(t *testing.T) {
	if len(compiledAtStart) > 0 {
		t.Errorf("metaschemas of %q are compiled at the start, expected none", compiledAtStart)
	}
}

// A schema compiles the metaschema of its draft, with all vocabularies, and that of no other draft.
func TestASchemaCompilesItsDraft(t *testing.T) {
	for _, d := range drafts {
		forget()
		if err := misuse(d); err != nil {
			t.Errorf("%s: %v", d, err)
		}
		if got := compiledDrafts(); !slices.Equal(got, []string{d.url}) {
			t.Errorf("%s: metaschemas of %q are compiled, expected one", d, got)
		}
		for name := range d.allVocabs {
			if sch := d.vocabSchemas[name]; sch == nil || !strings.HasSuffix(sch.Location, "/meta/"+name+"#") {
				t.Errorf("%s: no schema of the vocabulary %q", d, name)
			}
		}
	}
}

func TestAllDraftsAreFirstUsedAtOnce(t *testing.T) {
	forget()
	var wg sync.WaitGroup
	start := make(chan struct{})
	for range 8 {
		for _, d := range drafts {
			wg.Go(func() {
				<-start
				if err := errors.Join(misuse(d), misuseVocabulary(d)); err != nil {
					t.Errorf("%s: %v", d, err)
				}
			})
		}
	}
	close(start)
	wg.Wait()
	if got := compiledDrafts(); len(got) != len(drafts) {
		t.Errorf("metaschemas of %q are compiled, expected all", got)
	}
}

// misuse compiles a valid schema and one that violates the metaschema of the draft.
func misuse(d *Draft) error {
	const about = `{"$schema":%q,"type":"object","properties":{"a":{"type":"string","maxLength":%s}}}`
	if err := compileText(fmt.Sprintf(about, d.url, "5")); err != nil {
		return fmt.Errorf("valid schema: %w", err)
	}
	return expect(compileText(fmt.Sprintf(about, d.url, `"5"`)), "at '/properties/a/maxLength'")
}

// misuseVocabulary does the same with a metaschema that has only the vocabularies for core and validation.
func misuseVocabulary(d *Draft) error {
	if d.version < 2019 {
		return nil
	}
	meta := fmt.Sprintf(`{"$schema":%q,"$id":"urn:meta","$vocabulary":{%q:true,%q:true}}`, d.url, d.vocabPrefix+"core",
		d.vocabPrefix+"validation")
	// without the vocabulary applicator, properties may be anything
	if err := compileText(`{"$schema":"urn:meta","properties":7}`, meta); err != nil {
		return fmt.Errorf("valid schema of two vocabularies: %w", err)
	}
	return expect(compileText(`{"$schema":"urn:meta","maxLength":"5"}`, meta), "at '/maxLength'")
}

func expect(err error, place string) error {
	var invalid *SchemaValidationError
	if !errors.As(err, &invalid) || !strings.Contains(fmt.Sprint(invalid.Err), place) {
		return fmt.Errorf("expected an error %s, got: %v", place, err)
	}
	return nil
}

func compileText(schema string, meta ...string) error {
	c := NewCompiler()
	for i, text := range append([]string{schema}, meta...) {
		doc, err := UnmarshalJSON(strings.NewReader(text))
		if err != nil {
			return err
		}
		if err := c.AddResource([]string{"urn:schema", "urn:meta"}[i], doc); err != nil {
			return err
		}
	}
	_, err := c.Compile("urn:schema")
	return err
}
