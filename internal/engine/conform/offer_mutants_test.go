package conform

func offerMutants() map[string][]mutant { return map[string][]mutant{} }
