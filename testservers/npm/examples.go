package npm

import (
	"bytes"
	"fmt"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"
)

// An Example is an official example of MCP Apps, and what its view shows.
type Example struct {
	Name, Tool string
	Text       string     // a pattern of the text in the view; empty if it draws everything
	Color      color.RGBA // of what it draws
	Shaded     bool       // in any brightness
	Slow       bool       // it draws for seconds without a graphics card
	Blocked    string     // what the policy of the specification blocks and the view cannot do without
	Refused    string     // what the view shows instead; empty if it shows nothing
}

// Examples are the official examples. Three of them need more than the policy of the specification allows; no entry of
// _meta.ui.csp could allow it. The reference host of MCP Apps allows it.
var Examples = []Example{
	{Name: "basic-react", Tool: "get-time", Text: `Server Time:\s*20\d\d-\d\d-\d\dT`, Color: rgb(0x2563eb)},
	{Name: "basic-vanillajs", Tool: "get-time", Text: `Server Time:\s*20\d\d-\d\d-\d\dT`, Color: rgb(0x2563eb)},
	{Name: "budget-allocator", Tool: "get-budget-data", Text: `Allocated: \$100,000 / \$100,000`, Color: rgb(0x10b981)},
	{Name: "debug", Tool: "debug-tool", Text: `ontoolresult:? *\n? *\{`, Color: rgb(0x2563eb)},
	{Name: "map", Tool: "show-map", Text: `OpenStreetMap`, Color: tileColor, Shaded: true, Blocked: "eval",
		Refused: "Evaluating a string as JavaScript violates", Slow: true},
	{Name: "pdf", Tool: "display_pdf", Text: `Shown by the example`, Color: documentColor, Blocked: "blob", Refused: "Setting up fake worker failed"},
	{Name: "system-monitor", Tool: "get-system-info", Text: `Uptime\s+\d`, Color: rgb(0x10b981)},
	{Name: "threejs", Tool: "show_threejs_scene", Color: rgb(0xff8000), Shaded: true, Blocked: "eval",
		Refused: "Evaluating a string as JavaScript violates"},
	{Name: "wiki-explorer", Tool: "get-first-degree-links", Color: rgb(0x4a90d9)},
}

func rgb(n uint32) color.RGBA { return color.RGBA{uint8(n >> 16), uint8(n >> 8), uint8(n), 255} }

// Command returns the command that starts the server of an example, and the arguments of the call. What it reads from the
// internet is served by the network.
func (in Install) Command(t testing.TB, e Example, n *Network) (argv []string, arguments string) {
	t.Helper()
	script := in.Script("server-" + e.Name)
	switch e.Name {
	case "pdf":
		file := filepath.Join(t.TempDir(), "document.pdf")
		if err := os.WriteFile(file, document(), 0o600); err != nil {
			t.Fatal(err)
		}
		return []string{in.Node, script, "--stdio", file}, fmt.Sprintf(`{"url":%q}`, file)
	case "threejs":
		return []string{in.Node, script, "--stdio"}, fmt.Sprintf(`{"code":%q}`, sceneCode)
	case "wiki-explorer":
		return []string{in.Node, "--import", n.redirect("https://en.wikipedia.org"), script, "--stdio"}, ""
	}
	return []string{in.Node, script, "--stdio"}, ""
}

// sceneCode draws another scene than the one that the view shows without arguments, which is green.
const sceneCode = "const scene = new THREE.Scene(), camera = new THREE.PerspectiveCamera(); scene.background = new THREE.Color(0xff8000); " +
	"const renderer = new THREE.WebGLRenderer({canvas}); renderer.setSize(width, height); renderer.setAnimationLoop(() => renderer.render(scene, camera));"

// documentColor fills a part of the document.
var documentColor = rgb(0xff0000)

// document is a PDF with a text and a red rectangle.
func document() []byte {
	content := "1 0 0 rg 20 20 260 100 re f 0 g BT /F 20 Tf 20 150 Td (Shown by the example) Tj ET"
	objects := []string{"<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
		"<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>",
		fmt.Sprintf("<</Length %d>>stream\n%s\nendstream", len(content), content),
		"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"}
	out, table := "%PDF-1.4\n", "0000000000 65535 f \n"
	for i, o := range objects {
		table += fmt.Sprintf("%010d 00000 n \n", len(out))
		out += fmt.Sprintf("%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	return fmt.Appendf(nil, "%sxref\n0 %d\n%strailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n", out, len(objects)+1,
		table, len(objects)+1, len(out))
}

// Enough is how many pixels of a picture have the color of the content at least.
const Enough = 100

// Pixels counts the pixels of a picture that have about the color of the content.
func (e Example) Pixels(t testing.TB, picture []byte) int {
	t.Helper()
	decoded, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for y := decoded.Bounds().Min.Y; y < decoded.Bounds().Max.Y; y++ {
		for x := decoded.Bounds().Min.X; x < decoded.Bounds().Max.X; x++ {
			if e.has(decoded.At(x, y)) {
				count++
			}
		}
	}
	return count
}

func (e Example) has(c color.Color) bool {
	r, g, b, _ := c.RGBA()
	got, tolerance := [3]int{int(r >> 8), int(g >> 8), int(b >> 8)}, 12
	if e.Shaded {
		brightest := max(got[0], got[1], got[2])
		if brightest < 60 {
			return false
		}
		for i := range got {
			got[i] = got[i] * 255 / brightest
		}
		tolerance = 45
	}
	for i, want := range []uint8{e.Color.R, e.Color.G, e.Color.B} {
		if got[i] < int(want)-tolerance || got[i] > int(want)+tolerance {
			return false
		}
	}
	return true
}
