package catalog

import (
	"strings"
	"sync"
)

// Weights relative to an exact stem match.
const (
	abbreviationWeight = .9 // another name of the same thing
	conceptWeight      = .8 // what a value belongs to
)

// abbreviations maps a stem to the stems of other names of the same thing.
var abbreviations = sync.OnceValue(func() map[string][]string { return groups(sameThing) })

// sameThing lists names of the same thing, one group per line.
const sameThing = `
auth authentication authorization
config configuration cfg
db database
dir directory
docs documentation
env environment
ids identifiers
img image
js javascript
k8s kubernetes kubectl
lat latitude
lon lng longitude
mongo mongodb
msg message
org organization organisation
param parameter
pg postgres postgresql
pwd password
py python
repo repository
sms text
spec specification
temp temperature
ts typescript
tz timezone
wiki wikipedia
yt youtube
`

// concepts maps a word to the stems of what it belongs to.
var concepts = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{}
	for line := range strings.Lines(belongsTo) {
		names, words, found := strings.Cut(line, ":")
		if !found {
			continue
		}
		var stems []string
		for _, name := range strings.Fields(names) {
			stems = append(stems, stem(name))
		}
		for _, word := range strings.Fields(words) {
			all[word] = append(all[word], stems...)
		}
	}
	return all
})

// belongsTo lists values that users write in requests and the words that tools have for them.
const belongsTo = `
currency exchange: usd eur gbp jpy chf cad aud inr cny brl mxn sek nok krw dollar dollars euro euros yen rupee rupees yuan
crypto cryptocurrency coin: btc eth bitcoin ethereum dogecoin solana
unit units: km mile miles kilometer kilometers kg lbs kilogram kilograms celsius fahrenheit meters feet inch inches cm mm liters gallons ounces ounce grams
timezone time: utc gmt est edt pst pdt cet cest clock
weather forecast: rain rainy snow snowing sunny temperature umbrella humidity
pull request: pr prs
bucket storage: s3
instance: ec2
reminder: remind
direct message: dm
kubernetes: pod pods namespace deployment
geocode location: latitude longitude coordinates
repository: github gitlab
stock quote: nasdaq ticker
directory: ls
`

// abbreviated returns the terms of other names of a stem.
func (x *index) abbreviated(stem string) []form {
	var out []form
	for _, other := range abbreviations()[stem] {
		out = append(out, x.form(other, abbreviationWeight)...)
	}
	return out
}

// conceptual returns the terms of what a word belongs to, without those that the query already has.
func (x *index) conceptual(word string, had map[string]bool) []form {
	var out []form
	for _, s := range concepts()[word] {
		if !had[s] {
			had[s] = true
			out = append(out, x.form(s, 1)...)
		}
	}
	return out
}
