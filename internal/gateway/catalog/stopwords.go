package catalog

import (
	"strings"
	"sync"
)

// stopWords carry no information about any tool.
var stopWords = wordSet(`
a about above after again against all also am an and any anybody anyone anything are aren as at be because been
before being below between both but by can cannot could couldn d did didn do does doesn doing don done down during
each else etc ever every for from further had hadn has hasn have haven having he her here hers herself him himself
his how i if in into is isn it its itself just let lets ll m me mine more most my myself no nor not of off on once
only or other others our ours ourselves out over own per re s same she should shouldn so some somebody someone
something such t than that the their theirs them themselves then there these they this those through to too under
until up upon us ve very via was wasn we were weren what when where whether which while who whom whose why will with
within without won would wouldn you your yours yourself yourselves
`)

// weakWords are phrases around a request (please, want, reliable), and words that describe every tool. They count a
// little, because each of them can be a topic. There are few tools, so the rarity of such a word among them is chance:
// by rarity alone, the rarest pleasantry would be the most important word of a request.
var weakWords = wordSet(`
able absolutely accurate actively actually additional additionally affordable allow allows along already although
always amazing among amount another anyway appreciate appropriate around aspect aspects assist assistance assisting
assume attempt available aware back based beautiful become believe besides best better bit bring bunch cant capable
cause causes certain choose clear closely combine come common complete comprehensive concern concerned confused
consider consideration considering convenient cool couple creative curious current currently deal decent decide
depth desirable desire desired detailed different difficult discover diverse due easily easy effective effectively
efficient either encounter engaging enhance enjoy enough ensure entire equipped especially essential even exactly
excellent excited exciting existing expect experience experienced explain explanation extensive extremely facing
factor factors familiar fantastic fascinating fast favorite feel feeling few figure focusing following friendly
frustrated frustrating full fun gain gather general generally give given go going good got great handle handy happen
happy hard hear heard hello help helpful helping hey hi high highly hope hoping however huge idea ideal im
immediately immersive important improve include included includes including incredible information informative
initial inside inspiring instead intend interested interesting involve involved keep kind kindly know known latest
learn less like likely little long look looking lot lots love made main make making mandatory many matter may maybe
mean meaningful means mention mentioned might mind modern moment much multiple must necessary need needed needs
never new next nice notable now numerous offer ok okay one opinion option options outstanding overall overview
particular particularly past people perfect perhaps personal perspective perspectives pertaining please plenty
popular possible potential prefer preferably preferred present pretty previous previously prior probably prompt
proper properly provide purpose purposes quality quick quickly quite range rare rather ready real really reason
receive recent recently regarding regards related relevant reliable renowned reputable reputation require required
requires respect respective rich right say see seeking seem seems seen several show sick significant simple simply
since single situation solution solutions soon sort spacious specific specifically start still struggling stuff
succeed successful suitable support sure surprise tailored take taking tell terms terrible thank thanks thing things
think thorough thought tight tired today together tool tools top tried true trustworthy try trying ultimate
ultimately understand unique unsure updated urgent urgently use used useful user using usually utilize valuable
variety various vital want wanted wants waste way ways well whenever wherever whole wide willing wish wonder
wonderful wondering work working worried worth wow yes yet
`)

func wordSet(text string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		set := map[string]bool{}
		for _, word := range strings.Fields(text) {
			set[word] = true
		}
		return set
	})
}
