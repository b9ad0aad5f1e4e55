# make alone prints the targets. Each is one script that can be called without make.
.DEFAULT_GOAL := help
.PHONY: help run stop psql test chaos drills soak properties lint format bench bound goals grid versions mutate fuzz asan tsan snapshot pages docs screenshots deb deb-test clean

help: ## print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' Makefile

run: ## build, start a private Postgres, work through realistic input, and tour the result
	@scripts/demo.sh

stop: ## stop the private Postgres of make run
	@scripts/private-postgres.sh stop

psql: ## open psql on the database of make run
	@scripts/private-postgres.sh psql

test: ## everything that must pass: linters, build, tests in Swift, SQL and shell
	@scripts/test.sh

chaos: ## kill, cut off and crash everything at the whole size, and compare the outcome; prints its seed
	@scripts/chaos.sh

drills: ## each misfortune on a server of its own: kills, frozen or full servers, failover, clocks; prints what was seen
	@scripts/drills.sh

soak: ## an hour of steady work: does memory, descriptors, claim time or the queue grow? MINUTES=60 RATE=25
	@scripts/soak.sh $(or $(MINUTES),60) $(or $(RATE),25)

properties: ## deliver 20,000 random sets of payloads in several ways and compare the outcome; prints its seed
	@scripts/properties.sh

lint: ## swift-format, squawk, shellcheck and the house rules
	@scripts/setup.sh test
	@scripts/lint.sh

format: ## lay out the Swift files anew
	@swift format --in-place --parallel --recursive Sources Tests bench fuzz Package.swift

bench: ## measure against a throwaway Postgres
	@scripts/setup.sh test
	@swift build -c release --product dailymetricd
	@scripts/throwaway-postgres.sh swift run -c release Benchmarks

bound: ## measure how near the daemon is to what its own SQL allows, beside workers in Python; a quarter of an hour
	@scripts/setup.sh test
	@scripts/bound.sh

goals: ## measure all that docs/performance.md aims at, and print goals and what was seen; about 25 minutes
	@scripts/setup.sh test
	@scripts/goals.sh

grid: ## measure what each shape of payloads costs at 0, 1 and 10 million cells; three quarters of an hour
	@scripts/setup.sh test
	@scripts/grid.sh

versions: ## the tests in SQL and Swift on each version of Postgres that can be had; ten minutes for each
	@scripts/versions.sh

mutate: ## put a default number wherever one may be missing; each must turn a test red
	@scripts/mutate.sh

fuzz: ## feed the decoder damaged input for a minute, or as long as SECONDS says
	@scripts/fuzz.sh $(or $(SECONDS),60)

asan: ## the tests in Swift under AddressSanitizer
	@scripts/sanitize.sh address

tsan: ## the tests in Swift under ThreadSanitizer
	@scripts/sanitize.sh thread

snapshot: ## write migrations/schema.snapshot.sql anew from the migrations
	@scripts/setup.sh test
	@scripts/snapshot.sh update

screenshots: ## charts and reports of made-up people, on a desk, a phone, by night and on paper: to be looked at
	@scripts/screenshots.sh

pages: ## write the answers in docs/analysts.md and docs/why-not-zero.md anew
	@scripts/setup.sh test
	@scripts/pages.sh update

docs: ## build the documentation of the client library into .build/docs
	@scripts/docs.sh

deb: ## build the Debian package into .build/deb
	@scripts/deb.sh

deb-test: ## try the package in a booted systemd: install, reload, crash, stop, upgrade, purge; needs root, see docs/deployment.md
	@packaging/try-in-systemd.sh

clean: ## remove what was built and the private Postgres with its data
	@scripts/private-postgres.sh remove
	@rm -rf .build .venv .dailymetricd
