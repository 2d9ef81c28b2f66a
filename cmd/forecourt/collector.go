package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/cenkalti/backoff/v5"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	traces "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

const (
	// collectorTimeout is how long one call to the collector may take.
	collectorTimeout = 10 * time.Second
	// collectorPatience is how long sending the same spans is retried while the collector is busy or gone.
	collectorPatience = time.Minute
)

// collectorClient sends spans in OTLP over HTTP. OpenTelemetry's own client for it pulls in gRPC, 3 MB that nothing here calls.
type collectorClient struct {
	address string
	headers map[string]string
	client  http.Client
}

var _ otlptrace.Client = (*collectorClient)(nil)

func newCollector(base *url.URL, headers map[string]string) *collectorClient {
	return &collectorClient{
		address: base.JoinPath("v1", "traces").String(), headers: headers,
		client: http.Client{
			Timeout:       collectorTimeout,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
}

// Start implements otlptrace.Client.
func (c *collectorClient) Start(context.Context) error { return nil }

// Stop implements otlptrace.Client.
func (c *collectorClient) Stop(context.Context) error {
	c.client.CloseIdleConnections()
	return nil
}

// UploadTraces implements otlptrace.Client. It retries when the protocol says that a retry may help.
func (c *collectorClient) UploadTraces(ctx context.Context, spans []*traces.ResourceSpans) error {
	// TracesData has the wire form of ExportTraceServiceRequest, which is declared beside the gRPC service.
	body, err := proto.Marshal(&traces.TracesData{ResourceSpans: spans})
	if err != nil {
		return err
	}
	_, err = backoff.Retry(ctx, func() (struct{}, error) { return struct{}{}, c.post(ctx, body) }, backoff.WithMaxElapsedTime(collectorPatience))
	return err
}

func (c *collectorClient) post(ctx context.Context, body []byte) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.address, bytes.NewReader(body))
	if err != nil {
		return backoff.Permanent(err)
	}
	for name, value := range c.headers {
		req.Header.Set(name, value)
	}
	req.Header.Set("Content-Type", "application/x-protobuf")
	res, err := c.client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(res.Body, 64<<10)) // so that the connection can be used again
	switch res.StatusCode {
	case http.StatusOK, http.StatusAccepted:
		return nil
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		if seconds, err := strconv.Atoi(res.Header.Get("Retry-After")); err == nil && seconds > 0 {
			return backoff.RetryAfter(seconds)
		}
		return fmt.Errorf("the collector answers %s", res.Status)
	default:
		return backoff.Permanent(fmt.Errorf("the collector answers %s", res.Status))
	}
}
