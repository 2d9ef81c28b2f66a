package demo

import (
	"net/http"

	"forecourt/handlers/web"
	view "forecourt/views/demo"
)

// answer is the answer to a program (TOKEN-22).
type answer struct {
	Success bool   `json:"success"`
	Token   string `json:"token"`
	Message string `json:"message"`
}

// generateJSON answers POST /onboarding/tokengen/{docId} for a program.
func (h *Tokengen) generateJSON(w http.ResponseWriter, r *http.Request) error {
	body, err := web.ReadJSON[asked](r)
	if err != nil {
		return err
	}
	problems := body.check()
	for _, field := range []string{"email", "secretKey", "password"} {
		if problem, ok := problems[field]; ok {
			return web.WriteJSON(w, http.StatusUnprocessableEntity, answer{Message: problem})
		}
	}
	token, err := h.Invites.Generate(r.Context(), h.request(r, body))
	if err != nil {
		web.TellWait(w, err)
		return web.WriteJSON(w, h.status(r, err), answer{Message: generateMessage(r, err)})
	}
	return web.WriteJSON(w, http.StatusOK, answer{Success: true, Token: token.Reveal(), Message: view.TokenGenerated})
}
