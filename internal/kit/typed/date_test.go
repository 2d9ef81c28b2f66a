package typed_test

import (
	"testing"

	"forecourt/internal/kit/check"
	"forecourt/internal/kit/typed"
)

func TestADateIsReadAsPeopleWriteIt(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"2000-02-29", "29/02/2000", "29/2/2000", "29.2.2000", "29-02-2000", "29 2 2000", "29 / 02 / 2000", "29–02–2000", "２９/０２/２０００",
		"٢٩/٠٢/٢٠٠٠", "\u200e29/02/2000\u200e",
	} {
		check.Equal(t, typed.Date(text), "2000-02-29", "%q", text)
	}
	for _, text := range []string{"", "29/02/2001", "02/29/2000", "29/02/00", "29 Feb 2000", "2902 2000", "x"} {
		check.Equal(t, typed.Date(text), text, "%q", text)
	}
}
