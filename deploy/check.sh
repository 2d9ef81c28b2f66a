#!/bin/sh
# Checks the files of this folder with the programs that read them. It fails when one of the programs is not installed.
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

unchecked=0
missing() { echo "NOT CHECKED: $1 needs $2, which is not installed; make proxies installs it" >&2; unchecked=1; }

if command -v systemd-analyze >/dev/null 2>&1; then
    # The paths and the user of a server are not on this machine.
    for unit in forecourt.service forecourt-retention.service forecourt-retention.timer; do
        sed -e "s|/usr/local/bin/forecourt|$(command -v true)|" -e 's/^User=.*/User=www-data/' -e 's/^Group=.*/Group=www-data/' \
            "$unit" >"$work/$unit"
    done
    for unit in forecourt.service forecourt-retention.service forecourt-retention.timer; do
        said=$(systemd-analyze verify "$work/$unit" 2>&1) || { echo "$said" >&2; exit 1; }
        case $said in *"$work/$unit"* | *"$unit:"*) echo "$said" >&2; exit 1 ;; esac
        case $unit in *.timer) echo "$unit: fine"; continue ;; esac
        # 10 is a service without any protection. A system that cannot judge a file says so, too.
        systemd-analyze security --offline=true --threshold=20 --no-pager "$work/$unit" >"$work/security" ||
            { cat "$work/security" >&2; exit 1; }
        echo "$unit: $(tail -n 1 "$work/security" | sed 's/[^ -~]//g')"
    done
    mkdir "$work/forecourt.service.d"
    cp forecourt-https.conf "$work/forecourt.service.d/https.conf"
    said=$(systemd-analyze verify "$work/forecourt.service" 2>&1) || { echo "$said" >&2; exit 1; }
    case $said in *https.conf* | *"forecourt.service:"*) echo "$said" >&2; exit 1 ;; esac
    systemd-analyze security --offline=true --threshold=20 --no-pager "$work/forecourt.service" >"$work/security" ||
        { cat "$work/security" >&2; exit 1; }
    grep -q 'AmbientCapabilities=.*receives' "$work/security" || { echo "the drop-in forecourt-https.conf was not read" >&2; exit 1; }
    echo "forecourt.service with forecourt-https.conf: $(tail -n 1 "$work/security" | sed 's/[^ -~]//g')"
else
    missing "the units" systemd-analyze
fi

if command -v nginx >/dev/null 2>&1 && command -v openssl >/dev/null 2>&1; then
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 -subj /CN=pay.example \
        -keyout "$work/key" -out "$work/cert" 2>/dev/null
    sed -e "s|/etc/nginx/pay.example.pem|$work/cert|" -e "s|/etc/nginx/pay.example.key|$work/key|" -e "s|/run/nginx.pid|$work/pid|" \
        -e "s|/var/log/nginx|$work|" nginx.conf >"$work/nginx.conf"
    nginx -t -q -e stderr -c "$work/nginx.conf"
    echo "nginx.conf: fine"
else
    missing nginx.conf "nginx and openssl"
fi

if command -v caddy >/dev/null 2>&1; then
    HOME="$work" caddy validate --adapter caddyfile --config Caddyfile >"$work/caddy" 2>&1 || { cat "$work/caddy" >&2; exit 1; }
    echo "Caddyfile: fine"
else
    missing Caddyfile caddy
fi

go -C ../tools/dockerfile test -count=1 .
echo "Dockerfile: fine"

if command -v promtool >/dev/null 2>&1; then
    promtool check rules alerts.yml
    promtool test rules alerts_test.yml
    for alert in $(sed -n 's/.*- alert: //p' alerts.yml); do
        grep -q "alertname=\"$alert\"" alerts_test.yml || { echo "alerts_test.yml has no figures that make $alert fire" >&2; exit 1; }
    done
else
    missing alerts.yml promtool
fi
exit $unchecked
