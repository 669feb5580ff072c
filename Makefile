# Ridgeline. `make run` opens the editor, `make test` checks everything.

export GOEXPERIMENT = simd
# Pictures in tests come from the software rasteriser, the same everywhere.
TESTENV = LIBGL_ALWAYS_SOFTWARE=1

GO       = go
LDFLAGS  = -X gioui.org/app.ID=ridgeline
# Packages that reach neither Gio nor GL: the ones the race detector runs on.
PURE     = $(shell $(GO) list -f '{{.ImportPath}} {{join .Deps " "}}{{range .TestImports}} {{.}}{{end}}' ./... | grep -v -e gioui.org -e go-gl/gl/ -e ridgeline/viewport/host -e ridgeline/viewport/glcontext -e ridgeline/editor/panel -e sqweek/dialog | cut -d' ' -f1)

.PHONY: run build test check check-scalar race validate test-clients fuzz bench soak golden screenshots clean deps deps-test

run: build
	@if [ -n "$$DISPLAY$$WAYLAND_DISPLAY" ]; then bin/ridgeline edit $(LEVEL); else .ci/offscreen; fi

build: deps
	@mkdir -p bin
	$(GO) build -ldflags '$(LDFLAGS)' -o bin/ ./cmd/...

deps:
	@.ci/install build

deps-test:
	@.ci/install test

test: deps-test check build
	$(TESTENV) $(GO) test -shuffle=on ./...
	$(TESTENV) $(GO) test -race -short $(PURE)
	$(MAKE) --no-print-directory check-scalar validate

# Format and vet.
check:
	@bad=$$(gofmt -l $$(git ls-files --cached --others --exclude-standard '*.go')); if [ -n "$$bad" ]; then echo "not formatted: $$bad"; exit 1; fi
	$(GO) vet ./...

# The hot loops without their vector twins.
check-scalar:
	GOEXPERIMENT= $(GO) test ./terrain/... ./occluders/...

# The Khronos validator on what the editor exports: ground, the Village, a level with
# one of everything, one without ground, and ones with next to nothing.
validate: build deps-test
	@mkdir -p out
	bin/ridgeline export sample -o out/sample.glb
	bin/ridgeline export village -o out/village.glb
	bin/ridgeline new out/hamlet.ridge --size 257x257 --force
	@cd cmd/ridgeline && ../../bin/ridgeline run ../../out/hamlet.ridge testdata/hamlet.txt >/dev/null
	bin/ridgeline export out/hamlet.ridge -o out/hamlet.glb
	bin/ridgeline new out/street.ridge --no-terrain --force
	@bin/ridgeline run out/street.ridge >/dev/null \
	  -e 'asset.import testdata/meshes/building-small-a.glb; object.place asset=building-small-a at=0,0,0 geometry=yes' \
	  -e 'asset.import testdata/meshes/grass-trees.glb; object.place asset=grass-trees at=2,0,0 scale=-1,1,1'
	bin/ridgeline export out/street.ridge -o out/street.glb
	bin/ridgeline export village -o out/village-small.glb --instancing --quantize --unlit --heights 16 --z-up --scale 100 --sun --cameras
	bin/ridgeline export out/hamlet.ridge -o out/hamlet-apart.gltf --lods 1 --chunk 128 --instancing
	bin/ridgeline export out/hamlet.ridge -o out/hamlet-only.glb --only Lonely --strict --quantize
	bin/ridgeline new out/nothing.ridge --no-terrain --force
	bin/ridgeline export out/nothing.ridge -o out/nothing.glb
	bin/ridgeline new out/least.ridge --size 2x2 --force
	bin/ridgeline export out/least.ridge -o out/least.glb
	@(printf '\1'; head -c 577 /dev/zero) >out/void.r16
	bin/ridgeline import out/void.r16 -o out/void.ridge --size 17x17 --nodata 0 --void hole --force
	bin/ridgeline export out/void.ridge -o out/void.glb
	@node .ci/validator/validate.mjs out/sample.glb out/village.glb out/hamlet.glb out/street.glb \
	  out/village-small.glb out/hamlet-apart.gltf out/hamlet-only.glb out/nothing.glb out/least.glb out/void.glb

# What three.js in Chromium, Godot 3 and Blender, where installed, make of the exported
# Village. Installs a browser and an engine.
test-clients: build
	@testdata/clients/run

race:
	$(GO) test -race $(PURE)

# Each fuzz target for FUZZTIME.
FUZZTIME ?= 30s
fuzz:
	@set -e; for p in $$($(GO) list ./...); do for f in $$($(GO) test -list '^Fuzz' $$p | grep ^Fuzz || true); do \
	  echo "$$p $$f"; $(GO) test -run '^$$' -fuzz "^$$f$$" -fuzztime $(FUZZTIME) $$p; done; done

# The long forms of the tests.
soak:
	RIDGELINE_SOAK=1 $(TESTENV) $(GO) test -timeout 0 ./...
	$(MAKE) --no-print-directory fuzz FUZZTIME=10m

bench:
	.ci/bench

golden:
	$(TESTENV) $(GO) test ./widgets/... ./viewport/... ./editor/... -update

screenshots: build
	.ci/screenshots

clean:
	rm -rf bin out
