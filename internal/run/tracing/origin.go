package tracing

import (
	"context"

	"go.opentelemetry.io/otel/propagation"
)

type requestKey struct{}

// WithRequest returns ctx with the id of the request that is answered in it.
func WithRequest(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, requestKey{}, id)
}

// RequestOf returns the id of the request that ctx belongs to, "" for none.
func RequestOf(ctx context.Context) string {
	id, _ := ctx.Value(requestKey{}).(string)
	return id
}

// Origin is where something began, in a form that can be stored. The zero value is nowhere.
type Origin struct {
	Request string `json:"request,omitempty"` // id of the request
	Trace   string `json:"trace,omitempty"`   // trace, span and whether they are recorded, as a W3C traceparent
}

// OriginOf returns the origin that ctx belongs to.
func OriginOf(ctx context.Context) Origin {
	carrier := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(ctx, carrier)
	return Origin{Request: RequestOf(ctx), Trace: carrier["traceparent"]}
}

// Resume returns ctx as a part of what began at o.
func (o Origin) Resume(ctx context.Context) context.Context {
	if o.Request != "" {
		ctx = WithRequest(ctx, o.Request)
	}
	return propagation.TraceContext{}.Extract(ctx, propagation.MapCarrier{"traceparent": o.Trace})
}
