package account

import (
	"errors"
	"math"
	"net/http"

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
		return http.StatusUnprocessableEntity, view.WrongCredentials, true
	case errors.Is(err, account.ErrCode):
		set(fields, "code", view.WrongCode)
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

// again shows a form again with what is wrong with it. It returns an error that the person cannot correct.
func (h *Handler) again(fields []ui.Field, err error, render func(status int, notice string) error) error {
	status, notice, known := h.explain(fields, err)
	if !known {
		return err
	}
	return render(status, notice)
}

func set(fields []ui.Field, name, problem string) {
	for i := range fields {
		if fields[i].Name == name {
			fields[i].Problem = problem
		}
	}
}
