package api

import (
	"crypto/rand"
	"errors"
	"net/http"
	"strings"

	"forecourt/handlers/web"
	"forecourt/internal/kit/card"
	"forecourt/internal/kit/fault"
	"forecourt/internal/kit/money"
	"forecourt/internal/run/push"
	"forecourt/internal/run/throttle"
	"forecourt/internal/shop/order"
	view "forecourt/views/pos"
)

type orderRequest struct {
	MerchantID  string      `json:"merchantId"`
	Order       []orderLine `json:"order"`
	Amount      *amount     `json:"amount"`
	Tip         *amount     `json:"tip"`
	Name        string      `json:"name"`
	Table       string      `json:"table"`
	Description string      `json:"description"`
	Source      string      `json:"source"`
	TrxRef      string      `json:"trxRef"`
	PushToken   string      `json:"pushToken"`
}

type orderLine struct {
	ID      itemID  `json:"id"`
	Name    string  `json:"name"`
	Qty     int     `json:"qty"`
	Options []int64 `json:"options"` // ids of choices; if absent, the preset ones
	Note    string  `json:"note"`
}

// CreateOrder answers POST /api/pos: 201 with the new transaction, 200 for a repeated Idempotency-Key.
func (h *Handler) CreateOrder(w http.ResponseWriter, r *http.Request) error {
	body, err := web.ReadJSON[orderRequest](r)
	if err != nil {
		return err
	}
	if body.MerchantID == "" {
		return web.Missing("merchantId")
	}
	key, err := idempotencyKey(r)
	if err != nil {
		return err
	}
	if card.HoldsCard(body.PushToken) { // its hash would reveal the number
		return refuseOrder(w, &order.CardNumberError{Field: "pushToken"})
	}
	req := order.Request{
		Shop: body.MerchantID, Amount: (*int64)(body.Amount), Name: body.Name, Table: body.Table,
		Description: body.Description, Source: body.Source, TrxRef: body.TrxRef, PushToken: push.KeyOf(body.PushToken), Key: key,
		From: h.Proxies.Remote(r, h.own.HTTPS), Own: h.own.List(r), AnyHour: h.trial.Of(r, body.MerchantID),
	}
	if body.Tip != nil {
		req.Tip = int64(*body.Tip)
	}
	for _, line := range body.Order {
		wanted := order.Line{Qty: line.Qty}
		if line.ID != "" {
			wanted = order.Pick(line.ID).Line(line.Qty)
		}
		wanted.Name = line.Name
		if line.Options != nil {
			wanted.Options = line.Options
		}
		if line.Note != "" {
			wanted.Note = line.Note
		}
		req.Lines = append(req.Lines, wanted)
	}
	id, again, err := h.Orders.Create(r.Context(), req)
	if err != nil {
		return refuseOrder(w, err)
	}
	if again {
		return web.WriteJSON(w, http.StatusOK, map[string]string{"trxId": id})
	}
	if web.FromPage(r) {
		h.own.Add(w, r, id)
	}
	return web.WriteJSON(w, http.StatusCreated, map[string]string{"trxId": id})
}

// refuseOrder answers why an order was not made. If the price changed, the answer has the right one.
func refuseOrder(w http.ResponseWriter, err error) error {
	var differs *order.AmountError
	var missing *order.UnavailableError
	var holdsCard *order.CardNumberError
	var wrong *order.FieldError
	var table *order.TableError
	switch {
	case errors.As(err, &wrong):
		return web.Wrong(wrong.Field, wrong.Rule)
	case errors.As(err, &table):
		return &web.APIError{Err: err, Text: table.Error(), Field: "table"}
	case errors.As(err, new(*throttle.Error)):
		return &web.APIError{Err: err, Text: view.TooManyUnpaid}
	case errors.As(err, &holdsCard):
		return &web.APIError{Err: err, Text: holdsCard.Error(), Field: holdsCard.Field}
	case errors.As(err, &differs):
		return web.WriteJSON(w, http.StatusConflict, map[string]any{
			"error": "The order now costs " + money.Price(differs.Amount, differs.Currency) + ".",
			"field": "amount", "amount": amount(differs.Amount),
		})
	case errors.As(err, &missing):
		answer := map[string]any{
			"error": missing.Error(), "field": "order", "items": missing.Names, "itemIds": append([]int64{}, missing.IDs...),
			"choiceIds": append([]int64{}, missing.Choices...),
		}
		if len(missing.Closed) > 0 {
			closed, names := map[int64]string{}, missing.Names
			for _, item := range missing.Closed {
				closed[item.ID], names = item.NotNow(), append(names, item.Name)
			}
			answer["closed"], answer["items"] = closed, names
		}
		return web.WriteJSON(w, http.StatusConflict, answer)
	case errors.Is(err, order.ErrPaused):
		return web.WriteJSON(w, http.StatusConflict, map[string]any{"error": order.ErrPaused.Error(), "paused": true})
	case errors.Is(err, order.ErrEmpty):
		return web.Wrong("order", "has to be a list of at least one line")
	case errors.Is(err, order.ErrFree):
		return &web.APIError{Err: err, Text: order.ErrFree.Error(), Field: "order"}
	case errors.Is(err, order.ErrKeyUsed):
		return &web.APIError{Err: err, Text: "This Idempotency-Key was already used for another order.", Field: "Idempotency-Key"}
	case fault.CodeOf(err) == fault.NotFound:
		return &web.APIError{Err: err, Text: "merchantId is not the code of a business.", Field: "merchantId"}
	}
	return err
}

// idempotencyKey returns the request's key, or "" if it has none.
func idempotencyKey(r *http.Request) (string, error) {
	values := r.Header.Values("Idempotency-Key")
	if len(values) == 0 {
		return "", nil
	}
	if card.HoldsCard(strings.Join(values, " ")) {
		return "", refuseOrder(nil, &order.CardNumberError{Field: "Idempotency-Key"})
	}
	if len(values) > 1 || !order.ValidKey(values[0]) {
		return "", web.Wrong("Idempotency-Key", "has to be one header of 1 to 255 printable ASCII characters")
	}
	return values[0], nil
}

// paymentKey returns the request's key or, because every payment needs one, a new key.
func paymentKey(r *http.Request) (string, error) {
	key, err := idempotencyKey(r)
	if key == "" && err == nil {
		key = rand.Text()
	}
	return key, err
}
