package push

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/google/uuid"
	"github.com/riverqueue/river"
)

// Sync tells the sync address, if there is one, that a person signed in or out (PUSH-09). It does not wait for the answer.
func (p *Push) Sync(ctx context.Context, account uuid.UUID, signedIn bool) {
	if p.cfg.SyncURL == "" {
		return
	}
	if _, err := p.queue.Insert(ctx, tokenSync{Account: account, SignedIn: signedIn, At: time.Now().UTC()}, nil); err != nil {
		p.log.ErrorContext(ctx, "a token sync cannot be queued", "error", err)
	}
}

// tokenSync is the job that reports one sign-in or sign-out.
type tokenSync struct {
	Account  uuid.UUID `json:"account"`
	SignedIn bool      `json:"signed_in"`
	At       time.Time `json:"at"`
}

func (tokenSync) Kind() string { return "push_sync" }

// InsertOpts limits the tries.
func (tokenSync) InsertOpts() river.InsertOpts {
	return river.InsertOpts{Queue: Queue, MaxAttempts: tries}
}

type syncWorker struct {
	river.WorkerDefaults[tokenSync]
	push *Push
}

// Work calls the sync address: POST for a sign-in, DELETE for a sign-out.
func (w *syncWorker) Work(ctx context.Context, j *river.Job[tokenSync]) error {
	project := w.push.cfg.Project
	body, err := json.Marshal(map[string]any{
		"user": j.Args.Account, "at": j.Args.At,
		"projectId": project.ID, "appId": project.AppID, "messagingSenderId": project.SenderID,
	})
	if err != nil {
		return err
	}
	method := http.MethodPost
	if !j.Args.SignedIn {
		method = http.MethodDelete
	}
	req, err := http.NewRequestWithContext(ctx, method, w.push.cfg.SyncURL, bytes.NewReader(body))
	if err != nil {
		return errors.New("the sync address is not an address")
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+project.APIKey.Reveal())
	res, err := w.push.sync.Do(req)
	if err != nil {
		return errors.New("the sync address cannot be reached")
	}
	_, _ = io.Copy(io.Discard, io.LimitReader(res.Body, 4<<10))
	_ = res.Body.Close()
	if res.StatusCode >= 300 {
		return fmt.Errorf("the sync address answers %d", res.StatusCode)
	}
	return nil
}
