package compliance

import (
	"errors"
	"net/http"
	"net/url"

	"forecourt/db/state"
	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/fault"
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
	page, err := h.page(r, v, at)
	if err != nil {
		return err
	}
	_, err = r.Cookie(scriptsCookie)
	if err == nil && r.Header.Get("HX-Request") != "true" && !query.Has("whole") {
		query.Set("whole", "")
		page.Whole = view.Path(v.ID) + "?" + query.Encode()
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
	leave, err := h.uploads.Admit(w, r, session.Who(r).ID.String())
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
	err := h.records.Sign(r.Context(), v.owner, v.ID, g)
	status, notice, problems := http.StatusUnprocessableEntity, "", fault.Problems(nil)
	switch {
	case err == nil:
		return web.Redirect(w, r, view.Path(v.ID))
	case errors.Is(err, compliance.ErrOtherText):
		status, notice = http.StatusConflict, view.OtherText
	case !errors.As(err, &problems):
		return err
	}
	page, err := h.page(r, v, 0)
	if err != nil {
		return err
	}
	page.Signing, page.Problems, page.Notice = g, problems, notice
	return render(w, r, status, page)
}

// savePerson stores the details of a person. It stores pictures without problems even if the rest has some.
func (h *Handler) savePerson(w http.ResponseWriter, r *http.Request, v visit, upload web.Upload) error {
	at := Number(upload.Values.Get("person"))
	if at == 0 { // somebody signed the agreement in another window meanwhile
		return web.Redirect(w, r, view.Path(v.ID))
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
		page, err := h.page(r, v, at)
		if err != nil {
			return err
		}
		page.Typed, page.Notice = change, view.CutOff
		return render(w, r, http.StatusRequestEntityTooLarge, page)
	}
	err := h.records.Save(r.Context(), v.owner, v.ID, at, *change)
	status, notice, problems := http.StatusUnprocessableEntity, "", fault.Problems(nil)
	switch {
	case err == nil:
		return web.Redirect(w, r, view.Tab(v.ID, at))
	case errors.Is(err, compliance.ErrAccepted):
		status, notice = http.StatusConflict, view.AcceptedAt
	case errors.Is(err, picture.ErrBusy):
		status, notice = http.StatusServiceUnavailable, view.Busy
	case !errors.As(err, &problems):
		return err
	}
	if v, err = h.open(r); err != nil { // a picture may be stored by now
		return err
	}
	page, err := h.page(r, v, at)
	if err != nil {
		return err
	}
	page.Typed, page.Problems, page.Notice = change, problems, notice
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

// page shows the agreement or, once it is signed, the tabs with one of them open: the one of person at or, if there is no such person, the
// first that needs something.
func (h *Handler) page(r *http.Request, v visit, at int) (p view.Page, err error) {
	p.Record = v.Record
	if v.Signature == nil {
		p.Offer, err = h.records.Agreement(r.Context(), v.Record)
		return p, err
	}
	if p.Open, err = v.Person(at); err != nil {
		p.Open = first(v.People)
	}
	return p, nil
}

// first returns the first person who needs something, or else the first of all.
func first(people []compliance.Person) *compliance.Person {
	for i := range people {
		if !people[i].Complete() || people[i].State == state.PersonReturned {
			return &people[i]
		}
	}
	return &people[0]
}
