package certificate

import (
	"log/slog"

	"go.uber.org/zap/zapcore"
)

// core writes the warnings and errors of certmagic, which logs to zap, to the program's log.
type core struct{ log *slog.Logger }

func (c core) Enabled(level zapcore.Level) bool { return level >= zapcore.WarnLevel }

// With implements zapcore.Core.
func (c core) With(fields []zapcore.Field) zapcore.Core {
	return core{c.log.With(attributes(fields)...)}
}

func (c core) Check(entry zapcore.Entry, checked *zapcore.CheckedEntry) *zapcore.CheckedEntry {
	if c.Enabled(entry.Level) {
		return checked.AddCore(entry, c)
	}
	return checked
}

// Write implements zapcore.Core. Whether a failure is an error is for Authority to say: a try may succeed after several.
func (c core) Write(entry zapcore.Entry, fields []zapcore.Field) error {
	c.log.Warn("certificate: "+entry.Message, attributes(fields)...)
	return nil
}

func (c core) Sync() error { return nil }

func attributes(fields []zapcore.Field) []any {
	var list []any
	for _, field := range fields {
		encoder := zapcore.NewMapObjectEncoder()
		field.AddTo(encoder)
		for key, value := range encoder.Fields {
			list = append(list, slog.Any(key, value))
		}
	}
	return list
}
