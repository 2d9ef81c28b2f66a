package account

import (
	"errors"
	"math"
	"net/http"

	"github.com/a-h/templ"

	"forecourt/handlers/web"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/secret"
	"forecourt/internal/people/account"
	"forecourt/internal/run/throttle"
	view "forecourt/views/account"
	"forecourt/views/ui"
)

// explain puts an error's message about a field under that field; notice is a message about no field. known is false for an error that the
// person cannot correct.
func (h *Handler) explain(fields []ui.Field, err error) (status int, notice string, known bool) {
	var problems fault.Problems
	var wait *throttle.Error
	switch {
	case errors.As(err, &problems):
		for name, problem := range problems {
			set(fields, name, problem)
		}
		return http.StatusUnprocessableEntity, "", true
	case errors.Is(err, account.ErrCredentials):
		return http.StatusUnprocessableEntity, account.ErrCredentials.Error(), true
	case errors.Is(err, account.ErrCode):
		set(fields, "code", account.ErrCode.Error())
		return http.StatusUnprocessableEntity, "", true
	case errors.Is(err, account.ErrTaken):
		set(fields, "email", view.EmailTaken)
		return http.StatusUnprocessableEntity, "", true
	case errors.As(err, new(*secret.LostError)):
		return http.StatusServiceUnavailable, view.CodesLocked, true
	case errors.As(err, &wait) && wait.Subject == account.SignUps.Subject:
		return http.StatusTooManyRequests, view.TooManyAccounts(int(math.Ceil(wait.After.Minutes()))), true
	case errors.As(err, &wait):
		return http.StatusTooManyRequests, view.TooMany(int(math.Ceil(wait.After.Minutes())), h.Accounts.ResetHelps(wait)), true
	case fault.CodeOf(err) == fault.TooMany:
		return http.StatusTooManyRequests, view.Busy, true
	default:
		return 0, "", false
	}
}

// again shows a page again with what is wrong with its form. It returns an error that the person cannot correct.
func (h *Handler) again(w http.ResponseWriter, r *http.Request, f view.Form, err error, page func(view.Form) templ.Component) error {
	status, notice, known := h.explain(f.Fields, err)
	if !known {
		return err
	}
	f.Notice = notice
	return web.Render(w, r, status, page(f), view.Panel)
}

func set(fields []ui.Field, name, problem string) {
	for i := range fields {
		if fields[i].Name == name {
			fields[i].Problem = problem
		}
	}
}
