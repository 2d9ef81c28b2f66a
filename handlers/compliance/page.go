package compliance

import (
	"encoding/hex"
	"errors"
	"net/http"
	"net/url"

	"forecourt/handlers/web"
	"forecourt/internal/onboarding/compliance"
	"forecourt/internal/run/picture"
	view "forecourt/views/compliance"
)

// scriptsCookie is set by a script of the site. A browser that has it runs scripts, and so can fetch the rest of this page by one.
const scriptsCookie = "scripts"

// ShowRecord answers GET /compliance/{id} with the agreement until it is signed, then with the people. ?person=2 opens a tab.
func (h *Handler) ShowRecord(w http.ResponseWriter, r *http.Request) error {
	v, err := h.open(r)
	if err != nil {
		return err
	}
	query := r.URL.Query()
	at := Number(query.Get("person"))
	var page view.Page
	if v.Signature == nil {
		page, err = h.agreementPage(v, compliance.Signing{}, nil)
	} else {
		page = peoplePage(v, at, nil, nil)
	}
	if err != nil {
		return err
	}
	_, err = r.Cookie(scriptsCookie)
	if err == nil && r.Header.Get("HX-Request") != "true" && !query.Has("whole") {
		query.Set("whole", "")
		page.WholeURL = v.path() + "?" + query.Encode()
	}
	return render(w, r, http.StatusOK, page)
}

// Post answers POST /compliance/{id}, which sends a signature or the details of a person.
func (h *Handler) Post(w http.ResponseWriter, r *http.Request) error {
	// This comes before the body is read, because only the record's admins may send so much.
	v, err := h.open(r)
	if err != nil {
		return err
	}
	leave, err := h.uploads.Admit(r)
	if err != nil {
		return err
	}
	defer leave()
	upload, err := web.ParseUpload(w, r, picture.MaxBytes)
	if err != nil {
		return err
	}
	if v.Signature == nil {
		return h.sign(w, r, v, signingOf(upload.Values))
	}
	return h.savePerson(w, r, v, upload)
}

// sign signs the agreement. If somebody else signed it first, it shows the signed agreement.
func (h *Handler) sign(w http.ResponseWriter, r *http.Request, v visit, g compliance.Signing) error {
	g.Address = h.proxies.Client(r).String()
	problems, err := h.records.Sign(r.Context(), v.owner, v.ID, g)
	status, notice := http.StatusUnprocessableEntity, ""
	switch {
	case errors.Is(err, compliance.ErrOtherText):
		status, notice = http.StatusConflict, view.OtherText
	case err != nil:
		return err
	case len(problems) == 0:
		return web.Redirect(w, r, v.path())
	}
	page, err := h.agreementPage(v, g, problems)
	if err != nil {
		return err
	}
	page.Notice = notice
	return render(w, r, status, page)
}

// savePerson stores the details of a person. It stores pictures without problems even if the rest has some.
func (h *Handler) savePerson(w http.ResponseWriter, r *http.Request, v visit, upload web.Upload) error {
	at := Number(upload.Values.Get("person"))
	if at == 0 { // somebody signed the agreement in another window meanwhile
		return web.Redirect(w, r, v.path())
	}
	change := changeOf(upload.Values)
	change.Pictures, change.Refused = map[compliance.Side][]byte{}, map[compliance.Side]error{}
	for field, side := range map[string]compliance.Side{"dlfront": compliance.Front, "dlback": compliance.Back} {
		change.Pictures[side] = upload.Files[field]
		if upload.Large[field] {
			change.Refused[side] = picture.ErrBytes
		}
	}
	if side := compliance.Side(upload.Values.Get("remove")); side == compliance.Front || side == compliance.Back {
		change.Remove = side
	}
	if upload.Cut {
		page := peoplePage(v, at, change, nil)
		page.Notice = view.CutOff
		return render(w, r, http.StatusRequestEntityTooLarge, page)
	}
	problems, err := h.records.Save(r.Context(), v.owner, v.ID, at, *change)
	status, notice := http.StatusUnprocessableEntity, ""
	switch {
	case errors.Is(err, compliance.ErrAccepted):
		status, notice = http.StatusConflict, view.AcceptedAt
	case errors.Is(err, picture.ErrBusy):
		status, notice = http.StatusServiceUnavailable, view.Busy
	case err != nil:
		return err
	case len(problems) == 0:
		return web.Redirect(w, r, v.tab(at))
	}
	if v, err = h.open(r); err != nil { // a picture may be stored by now
		return err
	}
	page := peoplePage(v, at, change, problems)
	page.Notice = notice
	return render(w, r, status, page)
}

func render(w http.ResponseWriter, r *http.Request, status int, page view.Page) error {
	return web.Render(w, r, status, view.RecordPage(page), view.Panel)
}

func signingOf(values url.Values) compliance.Signing {
	return compliance.Signing{
		Mandate:      compliance.Mandate{Name: values.Get("name"), BSB: values.Get("bsb"), Number: values.Get("number")},
		Acknowledged: values.Get("acknowledged") == "yes", TextHash: values.Get("text"),
	}
}

func changeOf(values url.Values) *compliance.Change {
	c := &compliance.Change{Details: compliance.Details{
		Street: values.Get("street"), Suburb: values.Get("suburb"), State: values.Get("state"), PostCode: values.Get("postCode"),
		Country: values.Get("country"), LicenseNo: values.Get("licenseno"), LicenseState: values.Get("licensestate"),
		LicenseExp: values.Get("licenseexp"), Dob: values.Get("dob"),
	}}
	if values.Has("answer") {
		answer := values.Get("answer")
		c.Answer = &answer
	}
	return c
}

// hexHash returns the hash of an agreement's text as the form that shows it carries it.
func hexHash(a compliance.Agreement) string { return hex.EncodeToString(a.Hash[:]) }
