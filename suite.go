package mcptest

import "testing"

// RunSuite runs each test of a suite file as a subtest.
func RunSuite(t *testing.T, path string) {
	t.Helper()
	d, err := startDriver()
	if err != nil {
		t.Fatal(err)
	}
	var suite struct {
		Suite string
		Tests []struct{ ID, Name string }
	}
	if err := d.call("suite/open", M{"path": path}, &suite); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.call("suite/close", M{"suite": suite.Suite}, nil); err != nil {
			t.Error(err)
		}
	})
	for _, test := range suite.Tests {
		t.Run(test.Name, func(t *testing.T) { runOne(t, d, suite.Suite, test.ID) })
	}
}

// runOne runs one test of a suite, which may generate cases.
func runOne(t *testing.T, d *driver, suite, test string) {
	t.Helper()
	var out struct {
		Results []struct {
			Name string
			verdict
		}
	}
	if err := d.call("suite/run", M{"suite": suite, "test": test}, &out); err != nil {
		t.Fatal(err)
	}
	for _, r := range out.Results {
		switch {
		case r.Status == "skipped" && len(out.Results) == 1:
			t.Skip(r.Message)
		case r.Status == "failed" || r.Status == "broken":
			t.Errorf("%s: %s", r.Name, r.Message)
		}
	}
}
