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
	"forecourt/views/props"
	"forecourt/views/ui"
)

// explain puts an error's message about a field under that field; notice is a message about no field. known is false for an error that the
// person cannot correct.
func (h *Handler) explain(fields []ui.Field, err error) (status int, notice string, known bool) {
	var wrong *account.SignUpError
	var wait *throttle.Error
	switch {
	case errors.As(err, &wrong):
		setProblems(fields, wrong)
		return http.StatusUnprocessableEntity, "", true
	case errors.Is(err, account.ErrCredentials):
		return http.StatusUnprocessableEntity, view.WrongCredentials, true
	case errors.Is(err, account.ErrCode):
		set(fields, "code", view.WrongCode)
		return http.StatusUnprocessableEntity, "", true
	case errors.Is(err, account.ErrName):
		set(fields, "name", view.NameInvalid)
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
func (h *Handler) again(
	w http.ResponseWriter, r *http.Request, fields []ui.Field, err error, page func(notice string) templ.Component,
) error {
	status, notice, known := h.explain(fields, err)
	if !known {
		return err
	}
	return web.Render(w, r, status, page(notice), view.Panel)
}

// setProblems puts the problems of a new account under its fields.
func setProblems(fields []ui.Field, wrong *account.SignUpError) {
	if wrong.Email {
		set(fields, "email", view.EmailInvalid)
	}
	set(fields, "password", passwordProblem(wrong.Password))
	if wrong.Password.Differs {
		set(fields, "confirm", props.PasswordDiffers)
	}
}

func set(fields []ui.Field, name, problem string) {
	for i := range fields {
		if fields[i].Name == name {
			fields[i].Problem = problem
		}
	}
}

func passwordProblem(c account.PasswordCheck) string {
	switch {
	case len(c.Missing) > 0:
		kinds := make([]string, len(c.Missing))
		for i, kind := range c.Missing {
			kinds[i] = string(kind)
		}
		return view.PasswordMissing(kinds)
	case c.TooShort:
		return props.PasswordShort
	case c.TooLong:
		return props.PasswordLong
	case c.Same:
		return view.PasswordSame
	default:
		return ""
	}
}
