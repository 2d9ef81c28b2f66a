// Package account serves signing up, in and out, and the pages about an account.
package account

import (
	"errors"
	"math"
	"net/http"
	"net/url"
	"strings"

	"github.com/go-chi/chi/v5"

	"forecourt/internal/account"
	"forecourt/internal/fault"
	"forecourt/internal/secret"
	"forecourt/internal/throttle"
	"forecourt/internal/web"
	view "forecourt/views/account"
	"forecourt/views/ui"
)

// formLimit is the largest form these pages take, in bytes.
const formLimit = 16 << 10

// Handler serves the pages of accounts.
type Handler struct {
	accounts *account.Accounts
	sessions *web.Sessions
	proxies  web.Proxies
}

// New signs people in with sessions.
func New(accounts *account.Accounts, sessions *web.Sessions, proxies web.Proxies) *Handler {
	return &Handler{accounts: accounts, sessions: sessions, proxies: proxies}
}

// Routes mounts the pages on a router that has loaded the session.
func (h *Handler) Routes(r chi.Router, s *web.Responder) {
	r.Get("/signin", s.Page(showSignIn))
	r.Post("/signin", s.Page(h.signIn))
	r.Get("/signup", s.Page(showSignUp))
	r.Post("/signup", s.Page(h.signUp))
	r.Post("/signout", s.Page(h.signOut))
}

// showSignIn answers GET /signin.
func showSignIn(w http.ResponseWriter, r *http.Request) error { return showScreen(w, r, false) }

// showSignUp answers GET /signup.
func showSignUp(w http.ResponseWriter, r *http.Request) error { return showScreen(w, r, true) }

func showScreen(w http.ResponseWriter, r *http.Request, create bool) error {
	to := local(r.URL.Query().Get("to"))
	// A page that stays open asks for a new session before the old one ends.
	if _, ok := web.Signed(r); ok && !r.URL.Query().Has("again") {
		return web.Redirect(w, r, to)
	}
	return web.Render(w, r, http.StatusOK, view.Page(view.Screen{To: to, Create: create}), view.Panel)
}

// signIn answers POST /signin.
func (h *Handler) signIn(w http.ResponseWriter, r *http.Request) error {
	if err := web.ParseForm(w, r, formLimit); err != nil {
		return err
	}
	user, err := h.accounts.SignIn(r.Context(), h.credentials(r))
	if err != nil {
		return refuse(w, r, view.Screen{Fields: view.SignInFields(r.PostForm.Get("email"))}, err)
	}
	return h.welcome(w, r, user)
}

// signUp answers POST /signup: whoever creates an account is signed in (ADMIN-49).
func (h *Handler) signUp(w http.ResponseWriter, r *http.Request) error {
	if err := web.ParseForm(w, r, formLimit); err != nil {
		return err
	}
	user, err := h.accounts.SignUp(r.Context(), account.NewUser{
		Credentials: h.credentials(r), Confirm: secret.New(r.PostForm.Get("confirm")),
	})
	if err != nil {
		return refuse(w, r, view.Screen{Create: true, Fields: view.SignUpFields(r.PostForm.Get("email"))}, err)
	}
	return h.welcome(w, r, user)
}

// signOut answers POST /signout.
func (h *Handler) signOut(w http.ResponseWriter, r *http.Request) error {
	if err := h.sessions.SignOut(w, r); err != nil {
		return err
	}
	return web.Redirect(w, r, "/")
}

func (h *Handler) credentials(r *http.Request) account.Credentials {
	return account.Credentials{
		Email: r.PostForm.Get("email"), Password: secret.New(r.PostForm.Get("password")), From: h.proxies.Client(r),
	}
}

func (h *Handler) welcome(w http.ResponseWriter, r *http.Request, user account.User) error {
	err := h.sessions.SignIn(w, r, web.Person{ID: user.ID, Email: user.Email, Name: user.Name, Staff: user.Staff})
	if err != nil {
		return err
	}
	return web.Redirect(w, r, local(r.PostForm.Get("to")))
}

// refuse shows a form again with what is wrong, and with everything typed but the passwords.
func refuse(w http.ResponseWriter, r *http.Request, m view.Screen, err error) error {
	m.To = local(r.PostForm.Get("to"))
	status := http.StatusUnprocessableEntity
	var wrong *account.SignUpError
	var wait *throttle.Error
	switch {
	case errors.As(err, &wrong):
		tell(m.Fields, wrong)
	case errors.Is(err, account.ErrCredentials):
		m.Notice = view.WrongCredentials
	case errors.Is(err, account.ErrTaken):
		m.Fields[0].Problem = view.EmailTaken
	case errors.As(err, &wait):
		status, m.Notice = http.StatusTooManyRequests, view.TooMany(int(math.Ceil(wait.After.Minutes())))
	case fault.CodeOf(err) == fault.TooMany:
		status, m.Notice = http.StatusTooManyRequests, view.Busy
	default:
		return err
	}
	return web.Render(w, r, status, view.Page(m), view.Panel)
}

// tell puts what is wrong with a new account under its fields.
func tell(fields []ui.Field, wrong *account.SignUpError) {
	for i := range fields {
		switch fields[i].Name {
		case "email":
			if wrong.Email {
				fields[i].Problem = view.EmailInvalid
			}
		case "password":
			fields[i].Problem = passwordProblem(wrong.Password)
		case "confirm":
			if wrong.Password.Differs {
				fields[i].Problem = view.PasswordDiffers
			}
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
		return view.PasswordShort
	case c.TooLong:
		return view.PasswordLong
	default:
		return ""
	}
}

// local is an address of this site, "/" in place of any other.
func local(to string) string {
	u, err := url.Parse(to)
	if err != nil || u.IsAbs() || u.Host != "" || !strings.HasPrefix(to, "/") || strings.HasPrefix(to, "//") || strings.ContainsAny(to, "\\\r\n\t") {
		return "/"
	}
	return to
}
