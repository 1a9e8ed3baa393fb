package catalog_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/mcptest-dev/mcptest/internal/gateway/catalog"
)

// requests are queries as people write them, with misspelled words, abbreviations, negations, values and words of other
// languages, and the tools that are right, by server and name.
var requests = []struct{ query, right string }{
	{"send an emial", `send.?(e?mail|message)`},
	{"serach files in a foldr", `(search|find).*files?$`},
	{"craete a pul request", `create.*(pull|merge).?request`},
	{"wether forecast for Paris", `weather`},
	{"tranlsate a text into French", `translat`},
	{"list all isues of a repositry", `(list|search|get).*issues`},
	{"calender events of next week", `list.?events|get.*events`},
	{"take a screnshot of the page", `screenshot`},
	{"scheduel a meting with the team", `(create|schedule|add).*(event|meeting|appointment)`},

	{"list s3 buckets", `list.*buckets|get.?buckets`},
	{"k8s pods", `pods`},
	{"kubernetes pod logs", `pods?.?logs?`},
	{"run a query on a pg db", `^query$|(execute|run|pg).*(query|sql)|query.*(pg|postgres)`},
	{"open PRs of a repo", `list.*(prs|pull)|search_pull`},
	{"convert an mp4 to a gif", `convert.*(file|video|gif)|to.?gif`},
	{"find docs of a js library", `docs|documentation|library`},

	{"issues but not pull requests", `issues$`},
	{"search the web, not news", `(web.?search|search.?web)`},
	{"read a file instead of a directory", `read.?file$`},
	{"list branches without tags", `branches$`},

	{"convert 100 USD to EUR", `currency|exchange.?rate`},
	{"what time is it in UTC", `current.*time|get.?time|convert.?time`},
	{"do I need an umbrella today", `weather|forecast`},
	{"price of BTC", `(crypto|coin|bitcoin|btc).*price|price.*(crypto|coin)`},

	{"E-Mail an einen Kunden senden", `send.?e?mail`},
	{"Datei lesen", `read.?file`},
	{"Wetter in Berlin", `weather`},
	{"envoyer un courriel", `send.?e?mail`},
	{"chercher des fichiers", `(search|find).*files?$`},
	{"buscar archivos en una carpeta", `(search|find|list).*(files?|folder|directory)$`},
	{"crear un evento en el calendario", `(create|add|insert|schedule|quick).*event`},
	{"发送邮件", `send.?e?mail`},
	{"天気を検索", `weather`},
}

// minRight is how many of the requests must have a right tool among the first three.
const minRight = 26

func TestRequests(t *testing.T) {
	if testing.Short() || raced {
		t.Skip("indexes thousands of tools")
	}
	c := fill(t, distractors(t))
	right := 0
	for _, r := range requests {
		pattern := regexp.MustCompile(`(?i)` + r.right)
		var names []string
		ok := false
		for _, hit := range c.Search([]string{r.query}, catalog.Filter{Limit: 3}) {
			names = append(names, fmt.Sprintf("%s/%s", hit.Tool.Server, hit.Tool.Name))
			ok = ok || pattern.MatchString(hit.Tool.Name)
		}
		if ok {
			right++
		}
		t.Logf("%v %s: %s", ok, r.query, strings.Join(names, ", "))
	}
	if right < minRight {
		t.Errorf("%d of %d requests have a right tool among the first three, expected at least %d", right,
			len(requests), minRight)
	}
}
