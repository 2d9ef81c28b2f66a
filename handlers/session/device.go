package session

import (
	"net/http"

	"github.com/google/uuid"

	"forecourt/db"
	"forecourt/internal/kit/fault"
)

// Device is a signed-in browser: its handle identifies it to its owner. SeenAt may lag by a minute.
type Device = db.SessionListByAccountRow

// Devices lists where the person is signed in, last used first.
func (s *Sessions) Devices(r *http.Request) ([]Device, error) {
	p, _ := Signed(r)
	return s.queries.SessionListByAccount(r.Context(), p.ID, SessionIdle.Seconds(), SessionMax.Seconds())
}

// EndDevice signs the person out of one browser. For another person's handle it returns fault.NotFound, as for one that never existed.
func (s *Sessions) EndDevice(r *http.Request, handle uuid.UUID) error {
	p, _ := Signed(r)
	rows, err := s.queries.SessionEndOwn(r.Context(), handle, p.ID)
	if err == nil && rows == 0 {
		err = fault.New(fault.NotFound, "no such session")
	}
	return err
}

// EndDevices signs the person out everywhere.
func (s *Sessions) EndDevices(r *http.Request) error {
	p, _ := Signed(r)
	_, err := s.queries.SessionEndAll(r.Context(), p.ID, uuid.Nil)
	return err
}
