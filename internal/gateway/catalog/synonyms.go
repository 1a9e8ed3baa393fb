package catalog

import (
	"strings"
	"sync"
)

// synonymWeight is the weight of a synonym relative to the word itself.
const synonymWeight = .3

// synonyms maps a stem to the stems of its synonyms.
var synonyms = sync.OnceValue(func() map[string][]string { return groups(sameMeaning) })

// synonymous returns the terms of synonyms of a stem.
func (x *index) synonymous(stem string) []form {
	var out []form
	for _, other := range synonyms()[stem] {
		out = append(out, x.form(other, 1)...)
	}
	return out
}

// groups reads lines of words: each word's stem with the stems of the others on its lines.
func groups(text string) map[string][]string {
	all := map[string][]string{}
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		for _, word := range words {
			for _, other := range words {
				if other != word {
					all[stem(word)] = append(all[stem(word)], stem(other))
				}
			}
		}
	}
	return all
}

// sameMeaning lists words that users and tool authors use for the same thing, one group per line. They come from
// programs, offices and everyday life, not from any one set of tools.
const sameMeaning = `
add create insert make new register
append attach
archive backup
ask query question
book reserve reservation booking
build compile
bug defect issue ticket
buy order purchase shop shopping
calculate compute
calendar agenda schedule
call invoke
cancel abort
car vehicle automobile
chat conversation talk
check inspect verify validate
cheap discount deal
city town
clean clear purge wipe
client customer
close shut
code program source
commit push
company business corporation firm
compare diff difference
convert transform translate
copy duplicate clone
cost price pricing fee
country nation
course class lesson
currency money
delete remove erase destroy drop
deploy publish release rollout
description summary
diagram chart graph plot
dictionary definition
directory folder
display show view
doctor physician
document doc file
download fetch retrieve
edit modify change update alter
email mail inbox
employee staff worker
enable activate
error exception failure fault
exchange swap
execute run
export dump
film movie cinema
filter select
find search lookup locate seek
flight airline plane
flat apartment
food meal dish recipe
forecast weather
game play
get fetch read retrieve
gift present
group team
health medical
holiday vacation trip
home house
hotel accommodation lodging
image picture photo photograph
job career vacancy
join merge combine
journey travel trip
law legal
list enumerate
loan credit mortgage
location place position
log journal
map route direction
medicine drug
meeting appointment
member user
message text sms
metric statistic stat
music song track
news headline article
note memo
open launch
parse extract
password credential
pay payment checkout
pdf document
pet animal
phone telephone mobile
podcast episode
post publish
property estate
quote quotation
rate rating review
repository repo
research paper study
restaurant dining
schema structure
screenshot capture
secret credential key
send deliver transmit
share stock
shop store
spreadsheet excel sheet worksheet
stop halt terminate
subscribe follow
summarize summary
table dataset
task todo
test exam
train railway
tutor teacher teaching
upload push
url link
video clip
vm machine
web internet online
website site webpage page
write save store
`
