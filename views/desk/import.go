package desk

// Import is the page that takes a menu from a file. Its Faults are the file's; its Changes what the file would change in the draft.
type Import struct {
	Menu

	Problem  string // of the file as a whole; "" for none
	Text     string // of a file with mistakes, to be corrected; "" for none
	Add      bool   // what the file lacks stays
	Compared bool   // a file was read
	Whole    string // the text of the file that was compared
}
