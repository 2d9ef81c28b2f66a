package compliance

import (
	"encoding/base64"
	"errors"
	"net/http"
	"time"

	"forecourt/handlers/web"
	"forecourt/internal/onboarding/compliance"
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
