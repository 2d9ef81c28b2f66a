package pubsub

// Kitchen returns the topic to announce when the orders of a business change.
func Kitchen(shop string) string { return "kitchen/" + shop }
