package compliance

import (
	"encoding/base64"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"forecourt/handlers/web"
	"forecourt/internal/compliance"
	"forecourt/internal/fault"
	"forecourt/internal/picture"
	view "forecourt/views/compliance"
)

// document is a record as in the specification. Pictures are data: addresses.
type document struct {
	DDRSA  *signature `json:"ddrsa"` // null until the agreement is signed
	People []person   `json:"people"`
}

type signature struct {
	Name     string    `json:"name"`
	SignedBy string    `json:"signedBy"`
	Signed   time.Time `json:"signed"`
}

type person struct {
	Name     string            `json:"name"`
	Required []compliance.Part `json:"required"`
	compliance.Details
	DLFront  string `json:"dlfront"`
	DLBack   string `json:"dlback"`
	Complete bool   `json:"complete"`
}

// TellRecord answers GET /api/compliance/{id}.
func (h *Handler) TellRecord(w http.ResponseWriter, r *http.Request) error {
	v, err := h.open(r)
	if err != nil {
		return err
	}
	d := document{People: []person{}}
	if s := v.Signature; s != nil {
		d.DDRSA = &signature{Name: s.Account.Name, SignedBy: s.Signer, Signed: s.At.UTC()}
	}
	for i := range v.People {
		p, err := h.personOf(r, v, &v.People[i])
		if err != nil {
			return err
		}
		d.People = append(d.People, p)
	}
	return web.WriteJSON(w, http.StatusOK, d)
}

func (h *Handler) personOf(r *http.Request, v visit, p *compliance.Person) (person, error) {
	told := person{Name: p.Name, Required: p.Required, Details: p.Details, Complete: p.Complete()}
	for _, side := range []struct {
		name  compliance.Side
		there bool
		field *string
	}{{compliance.Front, p.Front, &told.DLFront}, {compliance.Back, p.Back, &told.DLBack}} {
		if !side.there {
			continue
		}
		file, err := h.records.Picture(r.Context(), v.owner, v.ID, p.Number, side.name)
		if err != nil && !errors.Is(err, compliance.ErrMissing) { // it may have been deleted meanwhile
			return told, err
		}
		if err == nil {
			*side.field = "data:image/jpeg;base64," + base64.StdEncoding.EncodeToString(file)
		}
	}
	return told, nil
}

// change is what a caller sends about a person. A picture is a data: address; without one, the stored picture stays.
type change struct {
	compliance.Details
	DLFront *string `json:"dlfront"`
	DLBack  *string `json:"dlback"`
	Answer  *string `json:"answer"` // to the staff's question
}

// SavePersonJSON answers POST /api/compliance/{id}/people/{number}.
func (h *Handler) SavePersonJSON(w http.ResponseWriter, r *http.Request) error {
	v, err := h.open(r)
	if err != nil {
		return err
	}
	at := Number(chi.URLParam(r, "number"))
	if _, err := v.Person(at); err != nil {
		return err
	}
	leave, err := h.uploads.Admit(r)
	if err != nil {
		return busy(err)
	}
	defer leave()
	if err := web.AllowUpload(w); err != nil {
		return err
	}
	sent, err := web.ReadJSON[change](r)
	if err != nil {
		return err
	}
	c := compliance.Change{Details: sent.Details, Answer: sent.Answer, Pictures: map[compliance.Side][]byte{}}
	for side, address := range map[compliance.Side]*string{compliance.Front: sent.DLFront, compliance.Back: sent.DLBack} {
		if address == nil || *address == "" {
			continue
		}
		if c.Pictures[side], err = dataURL(*address); err != nil {
			return web.Wrong(
				map[compliance.Side]string{compliance.Front: "dlfront", compliance.Back: "dlback"}[side],
				"has to be a data URL: data:image/jpeg;base64, and the picture",
			)
		}
	}
	problems, err := h.records.Save(r.Context(), v.owner, v.ID, at, c)
	switch {
	case errors.Is(err, compliance.ErrAccepted):
		return &web.APIError{Err: err, Text: view.AcceptedAt}
	case errors.Is(err, picture.ErrBusy):
		return busy(err)
	case errors.Is(err, compliance.ErrUnsigned):
		return &web.APIError{Err: err, Text: "The agreement has to be signed first."}
	case err != nil:
		return err
	case len(problems) > 0:
		return web.WriteJSON(w, http.StatusUnprocessableEntity, refusal(problems))
	}
	if v, err = h.open(r); err != nil {
		return err
	}
	told, err := h.personOf(r, v, &v.People[at-1])
	if err != nil {
		return err
	}
	return web.WriteJSON(w, http.StatusOK, told)
}

// busy says that the caller should try again.
func busy(err error) error { return &web.APIError{Err: err, Text: view.Busy} }

// refusal says what is wrong: the first problem in a sentence, and all problems by field.
func refusal(problems []compliance.Problem) any {
	fields := map[string]string{}
	for _, p := range problems {
		if fields[p.Field] == "" {
			fields[p.Field] = view.Problem(p.Field, p.Code)
		}
	}
	return map[string]any{"error": fields[problems[0].Field], "field": problems[0].Field, "fields": fields}
}

// dataURL reads data:image/…;base64,…. Only the content tells what kind of picture it is.
func dataURL(address string) ([]byte, error) {
	head, body, found := strings.Cut(address, ",")
	file, err := base64.StdEncoding.DecodeString(body)
	if !found || err != nil || !strings.HasPrefix(head, "data:image/") || !strings.HasSuffix(head, ";base64") || len(file) == 0 {
		return nil, fault.New(fault.Invalid, "no data URL")
	}
	return file, nil
}
