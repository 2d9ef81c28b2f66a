package web

import (
	"net/http"
	"time"

	"github.com/google/uuid"

	"forecourt/internal/account"
	"forecourt/internal/fault"
)

// Device is a signed-in browser.
type Device struct {
	Handle         uuid.UUID      // identifies it to its owner
	Address        string         // where it signed in
	Agent          string         // the browser's User-Agent
	SignedIn, Used time.Time      // Used may lag by a minute
	ThisOne        bool           // the one that sent the request
	Factor         account.Factor // with which it signed in beside the password
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
