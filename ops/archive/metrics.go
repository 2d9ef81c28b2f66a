package archive

import "github.com/prometheus/client_golang/prometheus"

// Collectors report at each scrape the figures of the built-in database's archive.
func Collectors(look func() Figures) (list []prometheus.Collector) {
	for name, figure := range map[string]struct {
		help string
		of   func(Figures) float64
	}{
		"forecourt_archive_behind_seconds": {
			"Since PostgreSQL last archived a part of its log, if it fails to.", func(f Figures) float64 { return f.Behind.Seconds() },
		},
		"forecourt_archive_waiting_bytes": {
			"Disk that PostgreSQL's log takes until the archive has it.", func(f Figures) float64 { return float64(f.Bytes) },
		},
		"forecourt_archive_copy_overdue_seconds": {
			"How late the next copy of the whole database is.", func(f Figures) float64 { return f.Overdue.Seconds() },
		},
		"forecourt_archive_gap": {
			"1 if part of the log was given up since the last copy, because the disk was filling.",
			func(f Figures) float64 { return gap(f) },
		},
	} {
		list = append(list, prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: figure.help}, func() float64 {
			return figure.of(look())
		}))
	}
	return list
}

func gap(f Figures) float64 {
	if f.Gap {
		return 1
	}
	return 0
}
