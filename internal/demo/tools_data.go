package demo

import (
	"context"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// dataTools return structured content.
func dataTools() []tool {
	return []tool{
		{
			name: "add", title: "Add",
			description: "Adds two numbers and returns their sum.",
			input: closed(`"a":{"type":"number","minimum":-1e15,"maximum":1e15,"description":"The first number."},`+
				`"b":{"type":"number","minimum":-1e15,"maximum":1e15,"description":"The second number."}`, `"a","b"`),
			output: closed(`"sum":{"type":"number","description":"The sum of both numbers."}`, `"sum"`),
			run: func(_ context.Context, c *call) (*mcp.CallToolResult, error) {
				a := arguments[struct{ A, B float64 }](c)
				return structured(map[string]float64{"sum": a.A + a.B}), nil
			},
		},
		{
			name: "text_statistics", title: "Text statistics",
			description: "Counts the characters, words and lines in a text.",
			input: closed(`"text":{"type":"string","maxLength":100000,"description":"The text to analyze."}`,
				`"text"`),
			output: closed(`"characters":{"type":"integer","minimum":0,"description":"Unicode characters."},`+
				`"words":{"type":"integer","minimum":0,"description":"Words, separated by whitespace."},`+
				`"lines":{"type":"integer","minimum":0,"description":"Lines; an empty text has none."}`,
				`"characters","words","lines"`),
			run: textStatistics,
		},
		{
			name: "price_order", title: "Price an order",
			description: "Calculates the price of an order. Nothing is ordered.",
			input:       orderSchema,
			output: closed(`"currency":{"const":"EUR","type":"string","description":"Always EUR."},`+
				`"pieces":{"type":"integer","minimum":1,"description":"Total number of pieces."},`+
				`"total":{"type":"number","minimum":0,"description":"The price including shipping."}`,
				`"currency","pieces","total"`),
			run: priceOrder,
		},
	}
}

func textStatistics(_ context.Context, c *call) (*mcp.CallToolResult, error) {
	text := arguments[struct{ Text string }](c).Text
	lines := 0
	if text != "" {
		lines = strings.Count(strings.TrimSuffix(text, "\n"), "\n") + 1
	}
	return structured(struct {
		Characters int `json:"characters"`
		Words      int `json:"words"`
		Lines      int `json:"lines"`
	}{utf8.RuneCountInString(text), len(strings.Fields(text)), lines}), nil
}

// orderSchema has what is hard for forms: rows of objects, an enum, a nullable choice, and a nested object.
const orderSchema = `{"type":"object","properties":{` +
	`"items":{"type":"array","minItems":1,"maxItems":20,"description":"The items to order.","items":{"type":"object",` +
	`"properties":{` +
	`"article":{"type":"string","enum":["pencil","notebook","lamp"],"description":"The article."},` +
	`"quantity":{"type":"integer","minimum":1,"maximum":100,"description":"The number of pieces."}},` +
	`"required":["article","quantity"],"additionalProperties":false}},` +
	`"express":{"type":"boolean","description":"Ship within one day, for 9.50 extra."},` +
	`"coupon":{"type":["string","null"],"maxLength":20,"pattern":"^[A-Z0-9]*$","description":"A coupon code; DEMO ` +
	`takes 10 percent off."},` +
	`"address":{"type":"object","description":"The shipping address; international shipping costs 5.00 extra.",` +
	`"properties":{` +
	`"town":{"type":"string","minLength":1,"maxLength":100,"description":"The city."},` +
	`"abroad":{"type":"boolean","description":"Whether the address is abroad."}},"required":["town"],` +
	`"additionalProperties":false}},` +
	`"required":["items"],"additionalProperties":false}`

func priceOrder(_ context.Context, c *call) (*mcp.CallToolResult, error) {
	a := arguments[struct {
		Items []struct {
			Article  string
			Quantity float64
		}
		Express bool
		Coupon  string
		Address struct{ Abroad bool }
	}](c)
	cents := map[string]float64{"pencil": 120, "notebook": 450, "lamp": 3900}
	pieces, total := 0.0, 0.0
	for _, item := range a.Items {
		pieces += item.Quantity
		total += item.Quantity * cents[item.Article]
	}
	if a.Coupon == "DEMO" {
		total = math.Round(total * 0.9)
	}
	if a.Express {
		total += 950
	}
	if a.Address.Abroad {
		total += 500
	}
	return structured(struct {
		Currency string  `json:"currency"`
		Pieces   int     `json:"pieces"`
		Total    float64 `json:"total"`
	}{"EUR", int(pieces), total / 100}), nil
}
