.DEFAULT_GOAL := help
SHELL := /bin/bash
# Arguments passed on to mocha, for example: make test MOCHA_ARGS="--grep 'the settings'"
MOCHA_ARGS ?=

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

node_modules/.package-lock.json: package-lock.json
	npm ci --include=dev
	@touch $@

.PHONY: install
install: node_modules/.package-lock.json ## install the packages, when they are not those of package-lock.json

# What the program, the explorer and the guide are made of.
SOURCES := $(shell find src devtools explorer migrations presets docs bench/*.md charts/chain-middleware/README.md scripts/guide* *.md -type f) package.json tsconfig.json

dist/.built: node_modules/.package-lock.json $(SOURCES)
	npm run build
	@touch $@

.PHONY: build
build: dist/.built ## compile to dist, when a source is newer

.PHONY: run
run: build ## run everything on this machine: PostgreSQL, simulated node, populator, server; NETWORK=hyperchain or on-demand for a chain of another form
	@exec node bin/mdw.js demo $(if $(NETWORK),--network $(NETWORK))

.PHONY: test
test: install ## run the tests that need no other process, on a real PostgreSQL; SLOWEST=30 lists the slowest files
	npm test -- $(MOCHA_ARGS)

.PHONY: test-programs
test-programs: install ## run the tests that start the program or a browser; they need only Node and npm
	npm run test:programs -- $(MOCHA_ARGS)

.PHONY: test-busy
test-busy: build ## the tests of `test` and `test-programs` beside 8 busy processes (BUSY)
	@busy=$$(for i in $$(seq $${BUSY:-8}); do node -e 'for (;;);' >/dev/null & echo $$!; done); trap "kill $$busy" EXIT; \
	  $(MAKE) --keep-going --no-print-directory test test-programs

.PHONY: test-long
test-long: install ## the long suites: random histories, crashes, kills of the operator
	npm run test:long -- $(MOCHA_ARGS)

.PHONY: hyperchain-histories
hyperchain-histories: install ## 1,000 random histories of a hyperchain under the fork law, and 200 kills of its populator; HISTORIES, KILLS and SEED
	CONSENSUS=hyperchain npx mocha --timeout 36000000 $(MOCHA_ARGS) test/populate/fork-law.long.ts test/populate/crash-law.long.ts

.PHONY: ledger-heights
ledger-heights: build ## the ledger of 200,000 generated transactions of every type at 50 heights, compared with the simulated node; TRANSACTIONS, HEIGHTS and SEED
	TRANSACTIONS=$${TRANSACTIONS:-200000} HEIGHTS=$${HEIGHTS:-50} TEST_PATIENCE=$${TEST_PATIENCE:-12} NODE_OPTIONS=--max-old-space-size=8000 npx mocha --timeout 36000000 $(MOCHA_ARGS) -g 'is that of the node' test/populate/simulated-money.test.ts

.PHONY: trial-upgrade
trial-upgrade: build ## a copy of 1,000,000 transactions gets a new derived table while it is served, loses it, gets it again, and is reloaded by -H; TRANSACTIONS and SEED
	FIGURES=1 POSTGRES_DISK=1 TRANSACTIONS=$${TRANSACTIONS:-1000000} TEST_PATIENCE=$${TEST_PATIENCE:-24} NODE_OPTIONS=--max-old-space-size=8000 npx mocha --timeout 36000000 $(MOCHA_ARGS) test/commands/trial-upgrade.test.ts

.PHONY: token-forks
token-forks: install ## about 1,000 random forks of chains with tokens under the fork law; HISTORIES (150) and SEED
	FIGURES=1 npx mocha --timeout 36000000 $(MOCHA_ARGS) test/populate/token-fork-law.long.ts

.PHONY: chaos
chaos: build ## 30 minutes of faults of node, network, database and processes; CHAOS_MINUTES and CHAOS_SEED
	npx tsx test/chaos/run.ts

.PHONY: pictures
pictures: build ## write a picture of each page of the explorer, on desk and phone, light and dark, into PICTURES (docs/pictures)
	PICTURES=$${PICTURES:-docs/pictures} npx mocha $(MOCHA_ARGS) test/explorer/pictures.test.ts

.PHONY: alerts
alerts: build ## make each alert fire by its cause in a real Prometheus (PROMTOOL names promtool beside it; KUBE_PLANE for those of the operator): 25 minutes
	ALERTS=$${ALERTS:-all} npx mocha $(MOCHA_ARGS) test/chart/fired.test.ts

.PHONY: leaving-clients
leaving-clients: install ## 100,000 requests of clients that leave at random moments; REQUESTS and SEED
	REQUESTS=$${REQUESTS:-100000} npx mocha $(MOCHA_ARGS) test/hardening/leaving-clients.test.ts

.PHONY: compat-clients
compat-clients: build ## 1,000 clients of the compatible websocket that resume over kills and restarts of servers, populator and database; COMPAT_CLIENTS and SOAK_SECONDS
	COMPAT_CLIENTS=$${COMPAT_CLIENTS:-1000} SOAK_SECONDS=$${SOAK_SECONDS:-120} npx mocha --timeout 3600000 $(MOCHA_ARGS) test/events/compat-soak.long.ts

.PHONY: compat-pages
compat-pages: install ## pages of every list of the compatible API over 1,000 random forks; FORKS and SEED
	FORKS=$${FORKS:-1000} npx mocha --timeout 36000000 $(MOCHA_ARGS) test/api/compat/paging-law.long.ts

.PHONY: compat-faults
compat-faults: install ## each of 75 faults in the source of the compatible API must be found by its models; FAULTS and SEED
	FAULTS=$${FAULTS:-1000} npx mocha --timeout 36000000 $(MOCHA_ARGS) test/api/compat/faults.long.ts

.PHONY: aescan
aescan: build ## open every page of the explorer aescan over a recording and over a demo; AESCAN is a folder with its sources, built with `nuxt build`
	FIGURES=1 npx mocha --timeout 3600000 $(MOCHA_ARGS) test/clients/aescan.long.ts

.PHONY: silence
silence: build ## connections of each role to each of its peers go silent; prints how soon that is noticed and over
	FIGURES=1 npx mocha -g silent test/store/silence.test.ts test/faults/silence.test.ts test/faults/silent-peers.test.ts test/faults/replicas.test.ts test/operator/silence.test.ts test/commands/silence.test.ts

.PHONY: altered-members
altered-members: ## prove blocks with 200,000 random alterations of their members (SEED=35)
	ROUNDS=$${ROUNDS:-200000} npx mocha test/chain/altered-members.test.ts

.PHONY: lying-nodes
lying-nodes: install ## 1,000 rounds of a populator with a malicious node, alone and beside honest ones; writes bench/README.md (SEED=35)
	FIGURES=1 ROUNDS=$${ROUNDS:-1000} npx mocha $(MOCHA_ARGS) test/populate/lying-nodes.test.ts

.PHONY: wrong-answers
wrong-answers: install ## 500 times one request of a populator that its node answers wrongly; DRAWS and SEED
	npx mocha --timeout 3600000 $(MOCHA_ARGS) test/populate/request-law.long.ts

.PHONY: test-schemathesis
test-schemathesis: build ## 20,000 requests made from the API's description, on a running server; needs Python 3 and PyPI
	npx tsx test/schemathesis/run.ts

.PHONY: compat-requests
compat-requests: build ## 50,000 requests made from the description of the compatible API, of which none may be answered with 5xx; SCHEMATHESIS_EXAMPLES and SCHEMATHESIS_SEED
	SCHEMATHESIS_OF=compat SCHEMATHESIS_EXAMPLES=$${SCHEMATHESIS_EXAMPLES:-600} npx tsx test/schemathesis/run.ts

.PHONY: test-clients
test-clients: build ## clients generated from the API's description, SDKs and linters; needs npm, PyPI and Java
	npx mocha --timeout 600000 $(MOCHA_ARGS) 'test/clients/**/*.test.ts'

.PHONY: lint
lint: install ## type-aware lint, direction of imports, format
	npm run lint

.PHONY: format
format: install ## put all files into the agreed format
	npm run format

.PHONY: check
check: install ## types, lint and tests
	npm run typecheck
	npm run lint
	npm test -- $(MOCHA_ARGS)
	npm run test:programs -- $(MOCHA_ARGS)

.PHONY: docs
docs: install ## write the tables that are made from the source into README.md and docs
	npm run docs

.PHONY: statements
statements: install ## run all tests and write test/store/statements.sql, the SQL that they saw
	@rm -f .data/statements && mkdir -p .data
	SHARE=1 STATEMENTS=$(CURDIR)/.data/statements npm test -- $(MOCHA_ARGS)
	SHARE=1 STATEMENTS=$(CURDIR)/.data/statements npm run test:programs -- $(MOCHA_ARGS)
	npx tsx scripts/statements.ts .data/statements

.PHONY: bench-populate
bench-populate: build ## measure the load of 200,000 transactions and write bench/README.md
	npx tsx bench/populate.ts

.PHONY: bench-scale
bench-scale: build ## measure a copy of 1,000,000 transactions from the load to a week of following and write bench/README.md
	npx tsx bench/scale.ts

.PHONY: bench-main-network
bench-main-network: build ## what the main network takes, carried on from a load of 60,000 transactions with all queues, and write bench/README.md
	npx tsx bench/main-network.ts

.PHONY: bench-partitioned
bench-partitioned: build ## measure the partitioned layout beside the plain one: loads, bytes, requests and reorgs
	npx tsx bench/partitioned.ts

.PHONY: bench-decode
bench-decode: ## measure the decoding of calls compared with the commit before and write bench/README.md
	npx tsx bench/decode.ts

.PHONY: bench-proof
bench-proof: ## measure the proof of transactions by step and write bench/README.md
	npx tsx bench/proof.ts

.PHONY: bench-verify
bench-verify: build ## measure -v on 100,000 transactions and write bench/README.md
	npx tsx bench/verify.ts

.PHONY: bench-tokens
bench-tokens: build ## measure load, requests and pages of 1,000 tokens with 100,000 transactions and write bench/README.md; TOKENS and TRANSACTIONS
	npx tsx bench/tokens.ts

.PHONY: bench-repair
bench-repair: build ## measure repairs and loads below stored heights, and write bench/README.md
	npx tsx bench/repair.ts

.PHONY: bench-hyperchain
bench-hyperchain: build ## measure a hyperchain of 200,000 generations: load, bytes, memory and following, and write bench/README.md
	npx tsx bench/hyperchain.ts

.PHONY: bench-restart
bench-restart: build ## measure how soon a populator loads again after kill -9, and write bench/README.md
	npx tsx bench/restart.ts

.PHONY: bench-start
bench-start: build ## measure how soon mdw --version has answered and mdw -s is ready, and write bench/README.md
	npx tsx bench/start.ts

.PHONY: bench-follow
bench-follow: build ## measure how soon new blocks and reorgs are served, and write bench/README.md
	npx tsx bench/follow.ts

.PHONY: bench-search
bench-search: install ## measure the search of names with 10 times the names, and write bench/README.md
	npx tsx bench/search.ts

.PHONY: bench-http
bench-http: build ## measure the HTTP API on 1,000,000 transactions and write bench/README.md
	npx tsx bench/http.ts

.PHONY: bench-workers
bench-workers: build ## measure one and two workers of a server, and write bench/README.md
	npx tsx bench/workers.ts

.PHONY: bench-events
bench-events: build ## measure the push of events and write bench/README.md
	npx tsx bench/events.ts

.PHONY: bench-hostile
bench-hostile: build ## measure a server under hostile clients of each kind for ten minutes, and write bench/README.md
	npx tsx bench/hostile.ts

.PHONY: bench-hostile-operator
bench-hostile-operator: build ## measure an operator beside hostile pods and resources for ten minutes, and write bench/README.md; needs a control plane (KUBE_PLANE)
	npx mocha --timeout 1800000 bench/hostile-operator.ts

.PHONY: bench-operator
bench-operator: build ## measure the operator with 200 resources and write bench/README.md; needs a control plane (KUBE_PLANE)
	npx mocha --timeout 1800000 bench/operator.ts

.PHONY: bench-explorer
bench-explorer: build ## measure the pages of the explorer in Chromium and write bench/README.md
	npx tsx bench/explorer.ts

.PHONY: bench-compare
bench-compare: build ## compare the cost of this commit with another one (BASE=HEAD^), in turns; reports what grew by more than 15 %
	npx tsx bench/compare.ts

# Another name of the image than that in src/observe/version.ts, for example HOST/REPOSITORY:TAG of a registry.
IMAGE ?=

.PHONY: image
image: build ## make the image without a container tool: dist/image.tar, see docs/kubernetes.md
	npx tsx scripts/image.ts --archive dist/image.tar $(if $(IMAGE),--name $(IMAGE))

.PHONY: image-devnode
image-devnode: build ## make the image of the simulated node, to try the middleware in a cluster: dist/devnode.tar
	npx tsx scripts/image.ts --archive dist/devnode.tar --development $(if $(IMAGE),--name $(IMAGE))

.PHONY: sbom
sbom: install ## write what is in the image to dist/sbom.json (CycloneDX)
	@mkdir -p dist
	npx tsx scripts/sbom.ts dist/sbom.json

.PHONY: manifests
manifests: install ## render the chart for those without Helm: dist/install.yaml; needs helm
	npx tsx scripts/manifests.ts dist/install.yaml '$(IMAGE)' $(VALUES)

# Where the files of a release will be, and who makes it, for the provenance.
DOWNLOADS ?=
BUILDER ?=

.PHONY: release
release: ## make all that a release consists of, from a clean build: dist/release, see docs/releasing.md; needs helm and dpkg-deb
	@$(MAKE) --no-print-directory clean build
	npx tsx scripts/release.ts $(if $(IMAGE),--image $(IMAGE)) $(if $(DOWNLOADS),--downloads $(DOWNLOADS)) $(if $(BUILDER),--builder $(BUILDER))

.PHONY: test-cluster
test-cluster: build ## chart and operator, on the cluster of KUBECONFIG or on a control plane of its own (KUBE_PLANE)
	npx mocha --config test/cluster/parallel.cjs --timeout 600000 $(MOCHA_ARGS)

.PHONY: test-realnode
test-realnode: build ## the same with real containers, on a node of its own (KUBE_PLANE); needs root
	npx mocha --timeout 600000 $(MOCHA_ARGS) 'test/realnode/**/*.test.ts'

.PHONY: walk
walk: build ## 100 random faults with real containers: conditions, columns and alerts against what clients see (TRUTH_SEED, TRUTH_ONLY for some; PROMTOOL names promtool beside prometheus); needs root
	TRUTH_STEPS=$${TRUTH_STEPS:-100} npx mocha $(MOCHA_ARGS) test/realnode/truth.test.ts

.PHONY: test-realnode-states
test-realnode-states: build ## a resource deleted and applied again in every state of a reload, with real containers; needs root
	STATES=all npx mocha $(MOCHA_ARGS) test/realnode/delete-and-apply.test.ts

.PHONY: bench-devnode
bench-devnode: build ## measure the simulated node's answers and write bench/README.md
	npx tsx bench/devnode.ts

.PHONY: clean
clean: ## remove what was built; the data of make run stays
	rm -rf dist oclif.manifest.json
