package planted

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
)

// chances lists servers whose results change without a cause that a caller knows.
func chances() []Creature {
	coin := object(`"name":{"type":"string"},"side":{"type":"integer","default":2,"minimum":2,"maximum":9}`, `"name"`)
	return []Creature{
		{Name: "tosses a coin", input: coin, work: func(*server, json.RawMessage) string { return said(fmt.Sprint(rand.IntN(2))) }},
		{Name: "alternates", input: coin, work: func(s *server, _ json.RawMessage) string { return said(fmt.Sprint(s.calls % 2)) }},
		{Name: "returns one of four in turn", input: coin,
			work: func(s *server, _ json.RawMessage) string { return said(fmt.Sprint(s.calls % 4)) }},
	}
}
