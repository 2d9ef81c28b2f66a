package merchant

import "slices"

// Question is one of the questionnaire, named by ID; views word it.
type Question string

// The questions and their answers (ADMIN-14 to ADMIN-20).
const (
	Kind  Question = "kind"  // Own or Solution
	Scope Question = "scope" // Us or SubMerchants
	Refer Question = "refer" // Yes or No
	Chain Question = "chain" // Yes or No
)

// Answers to the questions.
const (
	Own          = "own"
	Solution     = "solution"
	Us           = "us"
	SubMerchants = "submerchants"
	Yes          = "yes"
	No           = "no"
)

// Choices are the answers that a question takes; none for something that is not a question.
func (q Question) Choices() []string {
	switch q {
	case Kind:
		return []string{Own, Solution}
	case Scope:
		return []string{Us, SubMerchants}
	case Refer, Chain:
		return []string{Yes, No}
	default:
		return nil
	}
}

// Answers are what was answered, by question.
type Answers map[Question]string

// Path lists the questions that these answers lead through. Unless done, the last one is not answered yet.
func (a Answers) Path() (path []Question, done bool) {
	next := Kind
	for {
		path = append(path, next)
		answer := a[next]
		if !slices.Contains(next.Choices(), answer) {
			return path, false
		}
		switch {
		case next == Kind && answer == Own:
			next = Scope
		case next == Kind:
			next = Refer
		case next == Refer && answer == No:
			next = Chain
		default:
			return path, true
		}
	}
}

// Recommended returns the products that the answers lead to, and the preselected ones, in the catalogue's order (ADMIN-21 to ADMIN-23).
// Answers of an abandoned branch do not count.
func (a Answers) Recommended(preselected []string) []string {
	wanted := slices.Clone(preselected)
	if _, done := a.Path(); done {
		if a[Kind] == Own {
			wanted = append(wanted, APICode, "tsdk")
		} else {
			wanted = append(wanted, "ecom", "lbs")
		}
	}
	codes := []string{}
	for _, p := range Catalogue() {
		if slices.Contains(wanted, p.Code) {
			codes = append(codes, p.Code)
		}
	}
	return codes
}
