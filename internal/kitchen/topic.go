package kitchen

// Topic returns the topic to announce when the orders of a business change.
func Topic(client string) string { return "kitchen/" + client }
