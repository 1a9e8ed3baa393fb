package conform

func authMutants() map[string][]mutant { return map[string][]mutant{} }
