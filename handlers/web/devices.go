package web

import (
	"net/http"
	"time"

	"github.com/google/uuid"

	"forecourt/internal/account"
	"forecourt/internal/fault"
)

// Device is a browser that is signed in.
type Device struct {
	Handle         uuid.UUID      // names it to its owner
	Address        string         // where it signed in
	Agent          string         // what the browser said of itself
	SignedIn, Used time.Time      // Used may lag by a minute
	ThisOne        bool           // the one that asks
	Factor         account.Factor // what it signed in with beside the password
}

// Devices lists where the person is signed in, last used first.
func (s *Sessions) Devices(r *http.Request) ([]Device, error) {
	p, _ := Signed(r)
	rows, err := s.queries.SessionListByAccount(r.Context(), p.ID, SessionIdle.Seconds(), SessionMax.Seconds())
	if err != nil {
		return nil, err
	}
	devices := make([]Device, len(rows))
	for i, row := range rows {
		devices[i] = Device{
			Handle: row.Handle, Address: row.Address, Agent: row.Agent, SignedIn: row.CreatedAt, Used: row.SeenAt, ThisOne: row.Handle == p.Session,
			Factor: account.Factor(row.Factor),
		}
	}
	return devices, nil
}

// EndDevice signs the person out of one browser. Another person's handle is fault.NotFound, like one that was never given.
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
