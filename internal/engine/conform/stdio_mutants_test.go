package conform

func stdioMutants() map[string][]mutant { return map[string][]mutant{} }
