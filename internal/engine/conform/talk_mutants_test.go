package conform

func talkMutants() map[string][]mutant { return map[string][]mutant{} }
