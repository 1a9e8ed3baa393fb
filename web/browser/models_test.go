package browser

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/testservers/matrix"
)

// A model that people write with pydantic is filled in by form alone, and these bytes arrive.
func TestPydanticModelByForm(t *testing.T) {
	p, arrived := openModels(t, "fastmcp", "orders.py")
	p.choose("place")
	p.shows("order.address.country", "value") // a default inside a required model is filled in
	p.field("order.address.street", "Main 1")
	p.toggle("order.ship")
	p.field("order.ship.street", "Side 2")
	p.field("order.ship.city", "Bern")
	p.pick("order.size", "l")
	p.pick("order.speed", "f")
	p.variant("order.pay", 0)
	p.field("order.pay.number", "4111")
	p.variant("order.pay", 1)
	p.pressIn("order.pay.coins", "Add item")
	p.field("order.pay.coins[0]", "5")
	p.variant("order.pay", 0) // what was typed is still there
	p.until(`document.querySelector('[data-path="order.pay.number"] textarea')?.value === "4111"`)
	p.pressIn("order.lines", "Add row")
	p.field("order.lines[0].sku", "A-1")
	p.field("order.lines[0].count", " 12345678901234567890 ")
	p.pressIn("order.lines[0].notes", "Add item")
	p.field("order.lines[0].notes[0]", "7")
	p.pressIn("order.lines[0].notes", "Add item")
	p.variant("order.lines[0].notes[1]", 1)
	p.field("order.lines[0].notes[1]", "7")
	p.pressIn("order.lines[0].notes", "Add item")
	p.variant("order.lines[0].notes[2]", 2)
	p.field("order.lines[0].notes[2].street", "Third 3")
	p.pressIn("order.prices", "Add property")
	p.fill(`[aria-label="Name of property 1 of order.prices"]`, "total")
	p.fill(inside("order.prices.total", "[role=spinbutton]"), "1.50")
	p.field("order.at", "tomorrow")
	p.says(inside("order.at", ".remark"), "date-time")
	p.field("order.at", "2026-01-31T12:00:00Z")
	const want = `{"order":{"address":{"street":"Main 1","city":null,"country":"CH"},` +
		`"ship":{"street":"Side 2","city":"Bern","country":"CH"},"size":"large","speed":"fast",` +
		`"pay":{"kind":"card","number":"4111"},"lines":[{"sku":"A-1","count":12345678901234567890,` +
		`"notes":[7,"7",{"street":"Third 3","city":null,"country":"CH"}]}],"prices":{"total":1.50},` +
		`"at":"2026-01-31T12:00:00Z"}}`
	p.arrives(arrived, want, `"number":"4111"`)
	p.says(`[data-testid=payload] summary`, "the same text") // structured content repeats it

	p.click(`[aria-label=Arguments] [data-value=json]`)
	p.there(`.json-editor`)
	p.form()
	p.willBeSent(want)

	p.choose("find") // Optional[list] = None sends its default; a tuple has a field for each position, a list may contain null
	p.shows("pages", "null")
	p.field("corner[0]", "1.50")
	p.field("corner[1]", "-2")
	p.pressIn("marks", "Add item")
	p.field("marks[0]", "7")
	p.pressIn("marks", "Add item")
	p.named("marks[1] is null")
	p.pressIn("rooms", "Add property")
	p.fill(`[aria-label="Name of property 1 of rooms"]`, "hall")
	p.pressIn("rooms.hall", "Add row")
	p.field("rooms.hall[0].street", "Main 1")
	p.pick("level", `"`) // the text and not the number
	p.arrives(arrived, `{"corner":[1.50,-2],"pages":null,"marks":[7,null],"rooms":{"hall":[{"street":"Main 1","city":null,`+
		`"country":"CH"}]},"level":"1"}`, "((1.5, -2.0), None, [7, None], '1'")

	p.choose("tree")
	p.field("root.name", "a")
	p.pressIn("root.kids", "Add item")
	p.field("root.kids[0].name", "b")
	p.pressIn("root.kids[0].kids", "Add item")
	p.field("root.kids[0].kids[0].name", "c")
	p.arrives(arrived, `{"root":{"name":"a","kids":[{"name":"b","kids":[{"name":"c","kids":[]}]}]}}`, `"name":"c"`)
}

// The same with zod and the TypeScript SDK.
func TestZodSchemaByForm(t *testing.T) {
	p, arrived := openModels(t, "ts1", "orders.mjs")
	p.choose("place")
	p.field("address.street", "Main 1")
	p.state("address.city", "null")
	p.variant("pay", 1)
	p.pressIn("pay.coins", "Add item")
	p.field("pay.coins[0]", "0.05")
	p.pick("size", "s")
	p.pressIn("lines", "Add row")
	p.field("lines[0].sku", "A-1")
	p.pressIn("prices", "Add property")
	p.fill(`[aria-label="Name of property 1 of prices"]`, "total")
	p.fill(inside("prices.total", "[role=spinbutton]"), "1e2")
	p.pressIn("mixed", "Add item")
	p.field("mixed[0]", "x")
	p.pressIn("mixed", "Add item")
	p.variant("mixed[1]", 2)
	p.field("mixed[1].street", "Side 2")
	p.state("mixed[1].city", "empty")
	p.field("at", "2026-01-31T12:00:00Z")
	p.arrives(arrived, `{"address":{"street":"Main 1","city":null},"pay":{"kind":"cash","coins":[0.05]},"size":"small",`+
		`"lines":[{"sku":"A-1","count":1}],"prices":{"total":1e2},"mixed":["x",{"street":"Side 2","city":""}],`+
		`"at":"2026-01-31T12:00:00Z"}`, `"total":100`)
}

// openModels shows the tools of a server of testdata, and returns the file with what arrived at its standard input.
func openModels(t *testing.T, sdk, source string) (p *toolPage, arrived string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the bytes that arrive are recorded with tee")
	}
	dir, err := matrix.Environment(filepath.Join("..", ".."), sdk)
	if err != nil {
		t.Skip(err)
	}
	folder := t.TempDir()
	code, err := os.ReadFile(filepath.Join("testdata", source))
	if err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(folder, source)
	if err := os.WriteFile(script, code, 0o600); err != nil {
		t.Fatal(err)
	}
	interpreter := filepath.Join(dir, "bin", "python")
	if strings.HasSuffix(source, ".mjs") {
		if interpreter, err = exec.LookPath("node"); err != nil {
			t.Skip("needs node")
		}
		if err := os.Symlink(filepath.Join(dir, "node_modules"), filepath.Join(folder, "node_modules")); err != nil {
			t.Fatal(err)
		}
	}
	arrived = filepath.Join(folder, "stdin")
	return openTools(t, "--", "sh", "-c", `tee "$1" | "$2" "$3"`, "sh", arrived, interpreter, script), arrived
}

// arrives runs the tool, and checks the bytes of the arguments that arrived at the server, and a part of its answer.
func (p *toolPage) arrives(file, want, answer string) {
	p.t.Helper()
	p.willBeSent(want)
	if got := p.run(); !strings.Contains(got, answer) {
		p.t.Errorf("the server answered %s, want %s in it", got, answer)
	}
	sent, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(sent), `"arguments":`+want) {
		p.t.Errorf("%v; the server received\n%s\nwant\n%s", err, sent, want)
	}
}

// variant chooses a variant of a union.
func (p *toolPage) variant(path string, n int) {
	p.t.Helper()
	p.click(fmt.Sprintf(`[aria-label="Variant of %s"] [role=radio][data-value="%d"]`, path, n))
}

// pressIn presses a button of a field by its text.
func (p *toolPage) pressIn(path, text string) {
	p.t.Helper()
	p.clickText(fmt.Sprintf(`[data-path=%q] button`, path), text)
}

// toggle folds or unfolds a group.
func (p *toolPage) toggle(path string) {
	p.t.Helper()
	p.click(inside(path, ".fold-toggle"))
}
