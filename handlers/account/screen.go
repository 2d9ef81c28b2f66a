package account

import (
	"mime"
	"net/http"

	"github.com/a-h/templ"
	"github.com/google/uuid"

	"forecourt/handlers/session"
	"forecourt/handlers/web"
	"forecourt/internal/kit/secret"
	"forecourt/internal/people/account"
	view "forecourt/views/account"
)

// ShowSignIn answers GET /signin.
func ShowSignIn(w http.ResponseWriter, r *http.Request) error { return showScreen(w, r, false) }

// ShowSignUp answers GET /signup.
func ShowSignUp(w http.ResponseWriter, r *http.Request) error { return showScreen(w, r, true) }

func showScreen(w http.ResponseWriter, r *http.Request, create bool) error {
	to := local(r.URL.Query().Get("to"))
	// With ?again, an open page asks for a new session before its old one ends.
	if _, ok := session.Signed(r); ok && !r.URL.Query().Has("again") {
		return web.Redirect(w, r, to)
	}
	_, reset := r.URL.Query()["reset"]
	return web.Render(w, r, http.StatusOK, view.Page(view.Screen{To: to, Create: create, Reset: reset && !create}), view.Panel)
}

// SignIn answers POST /signin.
func (h *Handler) SignIn(w http.ResponseWriter, r *http.Request) error {
	if isJSON(r) {
		return h.identify(w, r, h.Accounts.SignIn)
	}
	if err := web.ParseForm(r); err != nil {
		return err
	}
	user, err := h.Accounts.SignIn(r.Context(), h.credentials(r))
	if err != nil {
		return h.refuse(w, r, view.Screen{Form: view.Form{Fields: view.SignInFields(r.PostForm.Get("email"))}}, err)
	}
	return h.welcome(w, r, user)
}

// SignUp answers POST /signup. A person who creates an account is signed in (ADMIN-49).
func (h *Handler) SignUp(w http.ResponseWriter, r *http.Request) error {
	if isJSON(r) {
		return h.identify(w, r, h.create(r))
	}
	if err := web.ParseForm(r); err != nil {
		return err
	}
	user, err := h.Accounts.SignUp(r.Context(), account.NewUser{
		Credentials: h.credentials(r), Confirm: secret.New(r.PostForm.Get("confirm")), Local: !h.Proxies.Remote(r, h.Sessions.HTTPS).IsValid(),
	})
	if err != nil {
		return h.refuse(w, r, view.Screen{Create: true, Form: view.Form{Fields: view.SignUpFields(r.PostForm.Get("email"))}}, err)
	}
	return h.welcome(w, r, user)
}

// SignOut answers POST /signout.
func (h *Handler) SignOut(w http.ResponseWriter, r *http.Request) error {
	if err := h.Sessions.SignOut(w, r); err != nil {
		return err
	}
	return web.Leave(w, r, "/")
}

func (h *Handler) credentials(r *http.Request) account.Credentials {
	return account.Credentials{
		Email: r.PostForm.Get("email"), Password: secret.New(r.PostForm.Get("password")), From: h.Proxies.Client(r), Device: h.Sessions.Known(r),
	}
}

// welcome signs a person in and leads on, or to the second step first.
func (h *Handler) welcome(w http.ResponseWriter, r *http.Request, user account.User) error {
	if user.TwoStep {
		return h.halfway(w, r, user)
	}
	return h.enter(w, r, user, "")
}

func (h *Handler) enter(w http.ResponseWriter, r *http.Request, user account.User, by account.Factor) error {
	err := h.start(w, r, user, by)
	if err != nil {
		return err
	}
	to := local(r.PostForm.Get("to"))
	if asked := r.PostForm.Get("to"); asked == "" || asked == "/" {
		if to, err = h.desk(r, user.ID, user.Staff); err != nil {
			return err
		}
	}
	two, err := h.Accounts.TwoStepOf(r.Context(), user.ID)
	if err != nil {
		return err
	}
	switch {
	case two.Missing():
		to = view.TwoStepURL(to)
	case by == account.ByRecovery:
		to = view.LostPhoneURL(to)
	}
	return web.Leave(w, r, to)
}

// desk returns the page where a person starts: the desk of their only business, or the list of businesses, which tells a person without one
// what to do next. Staff start with what waits for them.
func (h *Handler) desk(r *http.Request, person uuid.UUID, staff bool) (string, error) {
	mine, err := h.Shops.Of(r.Context(), person)
	switch {
	case err != nil:
		return "", err
	case len(mine) == 0 && staff:
		return "/staff", nil
	case len(mine) == 1:
		return "/desk/" + mine[0].Code, nil
	default:
		return "/desk", nil
	}
}

// start opens a session. by is the factor that was proved beside the password; without one, the session does not count if the account has a
// second step.
func (h *Handler) start(w http.ResponseWriter, r *http.Request, user account.User, by account.Factor) error {
	known, err := h.remember(w, r, user.Email, by)
	if err == nil {
		err = h.Sessions.SignIn(w, r, account.Person{ID: user.ID, Email: user.Email, Name: user.Name, Staff: user.Staff}, by)
	}
	if err != nil || known || user.New {
		return err
	}
	return h.Accounts.TellNewBrowser(r.Context(), account.NewBrowser{
		Account: user.ID, Browser: view.Browser(r.UserAgent()), Address: h.Proxies.Client(r).String(),
	})
}

// remember makes the browser known for the account, so that a stranger's failed sign-ins do not lock its owner out, nor wrong codes if by
// is a code. It reports whether the browser was known before.
func (h *Handler) remember(w http.ResponseWriter, r *http.Request, email string, by account.Factor) (was bool, err error) {
	cookie, was, err := h.Accounts.Remember(r.Context(), h.Sessions.Known(r), email, by)
	if err == nil {
		h.Sessions.SetKnown(w, cookie)
	}
	return was, err
}

// refuse shows a form again with what is wrong, and with everything typed but the passwords.
func (h *Handler) refuse(w http.ResponseWriter, r *http.Request, m view.Screen, err error) error {
	m.To = local(r.PostForm.Get("to"))
	return h.again(w, r, m.Form, err, func(f view.Form) templ.Component {
		m.Form = f
		return view.Page(m)
	})
}

func isJSON(r *http.Request) bool {
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && media == "application/json"
}
