package conform

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/finding"
	"github.com/mcptest-dev/mcptest/internal/protocol/schema"
	"github.com/mcptest-dev/mcptest/testservers/exemplar"
)

// A product is an item of the tool that filteredTool adds.
type product struct {
	category string
	price    int
}

// products are its items.
var products = []product{{"books", 12}, {"books", 30}, {"toys", 8}, {"tools", 15}, {"toys", 30}, {"hand tools", 45}}

// A selection is a request of filteredTool; zero values are omitted arguments.
type selection struct {
	category    string
	least, most int
	limit       int
}

func (s selection) matches(p product) bool {
	return (s.category == "" || strings.HasSuffix(p.category, s.category)) && p.price >= s.least && (s.most == 0 || p.price <= s.most)
}

// filteredTool adds a read-only tool with filters, of which one has a name.
func filteredTool(name string, choose func(selection) (chosen []product, more string)) func(*exemplar.Server) {
	return extraTools(`{"name":"list_products","description":"Lists the products.","inputSchema":{"type":"object","properties":{`+
		`"`+name+`":{"type":"string"},"min_price":{"type":"integer"},"max_price":{"type":"integer"},`+
		`"limit":{"type":"integer","minimum":1,"maximum":50}},"additionalProperties":false},"annotations":{"readOnlyHint":true}}`,
		func(_ string, a json.RawMessage) string {
			number := func(name string, otherwise int) int {
				n, err := strconv.Atoi(string(At(a, "/"+name)))
				if err != nil {
					return otherwise
				}
				return n
			}
			chosen, more := choose(selection{category: schema.TextAt(a, "/"+name), least: number("min_price", 0),
				most: number("max_price", 0), limit: number("limit", 50)})
			said := strings.ReplaceAll(productsJSON(chosen), "category", name)
			return strings.TrimSuffix(said, "}") + more + "}"
		})
}

func productsJSON(some []product) string {
	items := make([]string, 0, len(some))
	for i, p := range some {
		items = append(items, fmt.Sprintf(`{"id":%d,"category":%q,"price":%d}`, i, p.category, p.price))
	}
	return `{"products":[` + strings.Join(items, ",") + `]}`
}

// selected are the products for which a condition holds, up to a number.
func selected(limit int, matches func(product) bool) []product {
	some := slices.DeleteFunc(slices.Clone(products), func(p product) bool { return !matches(p) })
	return some[:min(len(some), limit)]
}

// filterMutants select other items than those that match.
func filterMutants() map[string][]mutant {
	of := func(name string, choose func(selection) []product) mutant {
		return mutant{name: name, defect: filteredTool("category", func(s selection) ([]product, string) { return choose(s), "" })}
	}
	return map[string][]mutant{"TOOL-062": {
		{name: "only named", defect: weatherTool(func(unit string, celsius float64) float64 { return celsius })},
		{name: "by another word", defect: weatherTool(func(unit string, celsius float64) float64 {
			if unit == "imperial" {
				return celsius*9/5 + 32
			}
			return celsius
		})},
	}, "TOOL-050": {
		{name: "by text", defect: sortedTool(func(by string) func(a, b product) int {
			return func(a, b product) int {
				if by == "price" {
					return strings.Compare(strconv.Itoa(a.price), strconv.Itoa(b.price))
				}
				return strings.Compare(a.category, b.category)
			}
		})},
		{name: "by the other property", defect: sortedTool(func(by string) func(a, b product) int {
			return byMember(map[string]string{"price": "category", "category": "price"}[by])
		})},
		{name: "the other way round", defect: sortedTool(func(by string) func(a, b product) int {
			return func(a, b product) int { return byMember(by)(b, a) }
		})},
	}, "TOOL-061": {
		of("ignores the category", func(s selection) []product {
			s.category = ""
			return selected(s.limit, s.matches)
		}),
		of("another case", func(s selection) []product {
			s.category = strings.ToUpper(s.category)
			return selected(s.limit, s.matches)
		}),
		of("the limit first", func(s selection) []product {
			return slices.DeleteFunc(slices.Clone(products[:min(len(products), s.limit)]), func(p product) bool { return !s.matches(p) })
		}),
		{name: "the limit before a level", defect: filteredTool("level", func(s selection) ([]product, string) {
			return slices.DeleteFunc(slices.Clone(products[:min(len(products), s.limit)]), func(p product) bool { return !s.matches(p) }), ""
		})},
		{name: "the limit first, beside a total", defect: filteredTool("category", func(s selection) ([]product, string) {
			_, total := productPage(s)
			return slices.DeleteFunc(slices.Clone(products[:min(s.limit, fewProducts)]), func(p product) bool { return !s.matches(p) }), total
		})},
		of("without the limit itself", func(s selection) []product {
			return selected(s.limit, func(p product) bool { return s.matches(p) && (s.least == 0 || p.price > s.least) })
		}),
		of("below the limit", func(s selection) []product {
			return selected(s.limit, func(p product) bool {
				return s.category == "" && s.most != 0 && p.price >= s.most || s.most == 0 && s.matches(p)
			})
		}),
	}}
}

// fewProducts is the largest page of productPage.
const fewProducts = 4

// productPage returns a page of the products that match, and how many there are in all.
func productPage(s selection) ([]product, string) {
	all, limit := selected(len(products), s.matches), min(s.limit, fewProducts)
	return all[:min(len(all), limit)], fmt.Sprintf(`,"total":%d,"has_more":%v`, len(all), limit < len(all))
}

// sortedTool adds a read-only tool that sorts its items.
func sortedTool(compare func(by string) func(a, b product) int) func(*exemplar.Server) {
	return extraTools(`{"name":"list_products","description":"Lists the products.","inputSchema":{"type":"object","properties":{`+
		`"sort_by":{"type":"string","enum":["relevance","category","price"],"default":"relevance"},`+
		`"order":{"type":"string","enum":["asc","desc"],"default":"asc"}},"additionalProperties":false},"annotations":{"readOnlyHint":true}}`,
		func(_ string, a json.RawMessage) string {
			all := slices.Clone(products[:5])
			if by := schema.TextAt(a, "/sort_by"); by != "" && by != "relevance" {
				slices.SortStableFunc(all, compare(by))
			}
			if schema.TextAt(a, "/order") == "desc" {
				slices.Reverse(all)
			}
			return productsJSON(all)
		})
}

// byMember compares products as sort_by requests it.
func byMember(by string) func(a, b product) int {
	return func(a, b product) int {
		if by == "price" {
			return cmp.Compare(a.price, b.price)
		}
		return strings.Compare(a.category, b.category)
	}
}

// Filters are only arguments that select items of the same value, for all that their names and descriptions say.
func TestFiltersOf(t *testing.T) {
	t.Parallel()
	items, err := schema.Elements(json.RawMessage(`[{"status":"open","start_date":"2025-01-02","sha":"a1","category":"Home","price":10,` +
		`"distance":100,"id":"x","level":"info"},{"status":"closed","start_date":"2025-01-03","sha":"b2","category":"Garden","price":20,` +
		`"distance":200,"id":"y","level":"error"},{"status":"open","start_date":"2025-01-04","sha":"c3","category":"Home","price":30,` +
		`"distance":300,"id":"z","level":"info"}]`))
	if err != nil {
		t.Fatal(err)
	}
	for property, want := range map[string]string{
		`"status":{"type":"string"}`:                                      `status "open" status "closed"`,
		`"status":{"type":"string","enum":["closed"]}`:                    `status "closed"`,
		`"start_date":{"type":"string"}`:                                  "",
		`"sha":{"type":"string"}`:                                         "",
		`"id":{"type":"string"}`:                                          "",
		`"category":{"type":"string","description":"slug of a category"}`: "",
		`"category":{"type":"string","description":"name of a category"}`: `category "Home" category "Garden"`,
		`"level":{"type":"string"}`:                                       `level "info" loose level "error" loose`,
		`"min_price":{"type":"number"}`:                                   "min_price 20",
		`"min_price":{"type":"number","description":"more than this"}`:    "",
		`"max_distance":{"type":"number"}`:                                "max_distance 150",
		`"max_distance":{"type":"number","description":"in miles"}`:       "",
		`"max_distance":{"type":"integer","minimum":0}`:                   "max_distance 150",
	} {
		tool := Tool{Name: "list", Arguments: json.RawMessage("{}"),
			Definition: json.RawMessage(`{"name":"list","inputSchema":{"type":"object","properties":{` + property + `}}}`)}
		var got []string
		for _, f := range filtersOf(tool, items) {
			got = append(got, f.name, f.value)
			if f.loose {
				got = append(got, "loose")
			}
		}
		if text := strings.Join(got, " "); text != want {
			t.Errorf("%s: %s, expected %s", property, text, want)
		}
	}
}

// A unit is that of an argument whose name says so; an amount is no number that wraps.
func TestArgumentsForUnitsAndAmounts(t *testing.T) {
	t.Parallel()
	for property, want := range map[string]string{
		`"units":{"enum":["celsius","fahrenheit"]}`: "units", `"unit_system":{"enum":["us","si"]}`: "unit_system",
		`"country":{"enum":["us","si"]}`: "", `"grade":{"enum":["a","c","f"]}`: "", `"units":{"enum":["celsius","kelvin"]}`: "",
	} {
		if got, _, _ := unitsOf(json.RawMessage(`{"inputSchema":{"properties":{` + property + `}}}`)); got != want {
			t.Errorf("%s: %q, expected %q", property, got, want)
		}
	}
	for name, want := range map[string]int{"quantity": 1, "amount": 1, "count": 0, "max_bytes": 0, "seconds": 0, "page_size": 0} {
		tool := Tool{Definition: json.RawMessage(`{"inputSchema":{"properties":{"` + name + `":{"type":"integer"}}}}`)}
		if got := len(countArguments(tool)); got != want {
			t.Errorf("%s: %d, expected %d", name, got, want)
		}
	}
}

// TOOL-061 passes on filters that match exactly or parts of a text, on pages that say that there are more, and on tools without items.
func TestFilters(t *testing.T) {
	t.Parallel()
	for what, choose := range map[string]func(selection) ([]product, string){
		"parts": func(s selection) ([]product, string) { return selected(s.limit, s.matches), "" },
		"exact": func(s selection) ([]product, string) {
			return selected(s.limit, func(p product) bool { return s.matches(p) && (s.category == "" || p.category == s.category) }), ""
		},
		"level and above": func(s selection) ([]product, string) {
			first := max(0, slices.IndexFunc(products, func(p product) bool { return s.category != "" && p.category == s.category }))
			return selected(s.limit, func(p product) bool {
				return slices.Index(products, p) >= first && p.price >= s.least && (s.most == 0 || p.price <= s.most)
			}), ""
		},
		"a total": productPage,
		"more": func(s selection) ([]product, string) {
			seen := products[:min(len(products), s.limit)]
			return slices.DeleteFunc(slices.Clone(seen), func(p product) bool { return !s.matches(p) }), fmt.Sprintf(`,"has_more":%v`, len(seen) < len(products))
		},
	} {
		name := map[bool]string{true: "level", false: "category"}[what == "level and above"]
		out, err := judged(t, mutant{defect: filteredTool(name, choose)}.target(t, "TOOL-061", OnPipe), calm("2025-11-25", "TOOL-061"))
		if err != nil {
			t.Fatal(err)
		}
		if r := out.Report.Results; len(r) != 1 || r[0].Status() != finding.Passed {
			t.Errorf("%s: %+v, expected it to pass", what, r)
		}
	}
}

// TOOL-050 passes on a tool that sorts by the property of sort_by.
func TestSorting(t *testing.T) {
	t.Parallel()
	out, err := judged(t, mutant{defect: sortedTool(byMember)}.target(t, "TOOL-050", OnPipe), calm("2025-11-25", "TOOL-050"))
	if err != nil {
		t.Fatal(err)
	}
	if r := out.Report.Results; len(r) != 1 || r[0].Status() != finding.Passed {
		t.Errorf("%+v, expected it to pass", r)
	}
}

// The order is that of numbers, dates and words, in any direction that is not requested; of other texts nothing is known.
func TestOrder(t *testing.T) {
	t.Parallel()
	for values, want := range map[string]string{
		`"high" "low" "medium" "alpha"`: "", `1 2 10`: "", `10 2 1`: "", `1 10 2`: "expected the items sorted by created, got 1, 10, 2: numbers are compared as texts",
		`2 10 1 3`:    "expected the items sorted by created, got 2, 10, 1, 3",
		`"b" "A" "c"`: "", `"x10" "x9" "x11"`: "", `1 null 0`: "",
		`"2026-01-02" "2025-12-31" "2026-02-01"`: "expected the items sorted by created, got 2026-01-02, 2025-12-31, 2026-02-01",
	} {
		var items []json.RawMessage
		for v := range strings.FieldsSeq(values) {
			items = append(items, json.RawMessage(`{"CreatedAt":`+v+`}`))
		}
		if got := orderFault(items, "created", 0); got != want {
			t.Errorf("%s: %q, expected %q", values, got, want)
		}
	}
	for list, want := range map[string]string{
		`{"name":"b"},{"name":"A"},{"name":"c"}`:                                          "expected the items sorted by name, got b, A, c",
		`{"name":"a"},{"name":"B"},{"name":"c"}`:                                          "",
		`{"name":"B"},{"name":"a"},{"name":"c"}`:                                          "",
		`{"name":"src","dir":true},{"name":"web","dir":true},{"name":"main","dir":false}`: "",
		`{"name":"src","kind":"f"},{"name":"web","kind":"d"},{"name":"main","kind":"f"}`:  "expected the items sorted by name, got src, web, main",
	} {
		items, err := schema.Elements(json.RawMessage("[" + list + "]"))
		if err != nil {
			t.Fatal(err)
		}
		if got := orderFault(items, "name", 0); got != want {
			t.Errorf("%s: %q, expected %q", list, got, want)
		}
	}
}

// weatherTool adds a read-only tool that converts temperatures.
func weatherTool(convert func(unit string, celsius float64) float64) func(*exemplar.Server) {
	return extraTools(`{"name":"forecast","description":"Returns the weather of three days.","inputSchema":{"type":"object","properties":{`+
		`"units":{"type":"string","enum":["celsius","fahrenheit"],"default":"celsius"}},"additionalProperties":false},`+
		`"annotations":{"readOnlyHint":true}}`, func(_ string, a json.RawMessage) string {
		unit := cmp.Or(schema.TextAt(a, "/units"), "celsius")
		return fmt.Sprintf(`{"units":%q,"days":[{"day":1,"high":%g,"low":%g},{"day":2,"high":%g,"low":%g}]}`, unit,
			convert(unit, 3.7), convert(unit, -5.2), convert(unit, 0), convert(unit, -3))
	})
}

// TOOL-062 passes on a tool that converts its numbers.
func TestUnits(t *testing.T) {
	t.Parallel()
	converts := mutant{defect: weatherTool(func(unit string, celsius float64) float64 {
		if unit == "fahrenheit" {
			return celsius*9/5 + 32
		}
		return celsius
	})}
	out, err := judged(t, converts.target(t, "TOOL-062", OnPipe), calm("2025-11-25", "TOOL-062"))
	if err != nil {
		t.Fatal(err)
	}
	if r := out.Report.Results; len(r) != 1 || r[0].Status() != finding.Passed {
		t.Errorf("%+v, expected it to pass", r)
	}
}
