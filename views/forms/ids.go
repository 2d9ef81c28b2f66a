package forms

import "strconv"

// roleID is the id of one of a row's roles; the first is what the error summary leads to.
func roleID(id string, i int) string {
	if i == 0 {
		return id
	}
	return id + "-" + strconv.Itoa(i+1)
}
