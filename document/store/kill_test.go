package store

import (
	"bufio"
	"errors"
	"fmt"
	"image"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"ridgeline/document"
	"ridgeline/terrain"
)

// killed is the ground that every edit of the child sets to the edit's number: it
// lies across several blobs.
var killed = image.Rect(200, 100, 330, 290)

const (
	killRounds = 30
	killEnv    = "RIDGELINE_KILL_MODE"
	killPath   = "RIDGELINE_KILL_PATH"
)

// number sets all of the ground of l, and the level's count, to n.
func number(tx *document.Tx, rect image.Rectangle, n int) error {
	d := tx.Level().Terrain.Draft()
	for y := rect.Min.Y; y < rect.Max.Y; y++ {
		for x := rect.Min.X; x < rect.Max.X; x++ {
			i := y%64*64 + x%64
			d.Heights(x/64, y/64)[i] = float32(n)
			d.Light(x/64, y/64)[i] = terrain.RGB{R: uint8(n), G: uint8(n >> 8)}
		}
	}
	f, _ := d.Field()
	if err := tx.SetTerrain(f); err != nil {
		return err
	}
	return tx.SetGeo("number", strconv.Itoa(n))
}

// numberOf reads n back, and tells when not all say the same.
func numberOf(l *document.Level) (int, error) {
	n, err := strconv.Atoi(l.Settings.Geo["number"])
	if err != nil {
		return 0, err
	}
	for y := killed.Min.Y; y < killed.Max.Y; y++ {
		for x := killed.Min.X; x < killed.Max.X; x++ {
			if h, c := l.Terrain.Sample(x, y), l.Terrain.LightAt(x, y); h != float32(n) || int(c.R)+int(c.G)<<8 != n {
				return 0, fmt.Errorf("the level is number %d, sample %d, %d is %g with light %v", n, x, y, h, c)
			}
		}
	}
	return n, nil
}

// TestKillChild is the program that is killed: it edits and saves without end, and
// says what it begins and what is safe.
func TestKillChild(t *testing.T) {
	mode, path := os.Getenv(killEnv), os.Getenv(killPath)
	if mode == "" {
		t.Skip("this is the child of TestKill")
	}
	lock, err := TakeLock(path)
	must(t, err)
	defer lock.Release()
	l, info, err := Open(background, path, Options{Recover: true})
	must(t, err)
	n, err := numberOf(l)
	must(t, err)
	d := document.New(l, document.Options{})
	auto := NewAutosaver(path, info.Saved, func(r AutosaveResult) { must(t, r.Err) })
	d.Subscribe(func(l *document.Level, c document.Change) {
		if c.Committed && mode != "save" {
			auto.Update(l)
		}
	})
	for {
		n++
		fmt.Printf("\nbegin %d\n", n)
		if mode == "stroke" {
			o := d.Begin("stroke")
			for x := killed.Min.X; x < killed.Max.X; x += 26 {
				part := killed
				part.Min.X, part.Max.X = x, x+26
				must(t, o.Step(func(tx *document.Tx) error { return number(tx, part, n) }))
			}
			must(t, o.Commit())
		} else {
			must(t, d.Do("edit", func(tx *document.Tx) error { return number(tx, killed, n) }))
		}
		if mode == "save" || n%7 == 0 {
			_, err := auto.Save(background, d.Level(), nil)
			must(t, err)
		}
		must(t, auto.Wait(background))
		fmt.Printf("\ndone %d\n", n)
	}
}

// TestKill kills the child at random moments. The level must open each time, as it
// was before or after what the child was just doing.
func TestKill(t *testing.T) {
	if testing.Short() {
		t.Skip("this takes seconds")
	}
	for _, mode := range []string{"save", "autosave", "stroke"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "a.ridge")
			d := document.New(flat(t, 400, 300), document.Options{})
			must(t, d.Do("first", func(tx *document.Tx) error { return number(tx, killed, 0) }))
			_, _, err := Save(background, path, d.Level(), nil, nil)
			must(t, err)
			between := 0
			for round := range killRounds {
				done, begun := killOnce(t, mode, path)
				l, info, err := Open(background, path, Options{Recover: true})
				must(t, err)
				n, err := numberOf(l)
				must(t, err)
				if n != done && n != begun {
					t.Fatalf("round %d: the level is number %d, expected %d or %d", round, n, done, begun)
				}
				if n == begun && begun != done {
					between++
				}
				plain, _, err := Open(background, path, Options{})
				must(t, err)
				m, err := numberOf(plain)
				must(t, err)
				if m > n || mode == "save" && m != n || mode != "save" && m < n && info.Autosave != AutosaveNewer {
					t.Fatalf("round %d: saved is %d, recovered %d, info %+v", round, m, n, info)
				}
				problems, err := Check(background, path, nil)
				must(t, err)
				for _, p := range problems {
					if p.Severity == Damage {
						t.Fatalf("round %d: %v", round, p)
					}
				}
			}
			t.Logf("%d of %d kills came after the state was safe and before it was said", between, killRounds)
		})
	}
}

// killOnce runs the child and kills it. done is the last number that was safe,
// begun the last that was begun.
func killOnce(t *testing.T, mode, path string) (done, begun int) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestKillChild$", "-test.v")
	cmd.Env = append(os.Environ(), killEnv+"="+mode, killPath+"="+path)
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	var said []string
	lines := bufio.NewReader(out)
	done, begun = -1, -1
	var timer *time.Timer
	for {
		line, err := lines.ReadString('\n')
		if err == nil { // what a kill cut short was not said
			said = append(said, line)
			if s, ok := strings.CutPrefix(line, "begin "); ok {
				begun, err = strconv.Atoi(strings.TrimSpace(s))
			} else if s, ok := strings.CutPrefix(line, "done "); ok {
				done, err = strconv.Atoi(strings.TrimSpace(s))
				if timer == nil {
					timer = time.AfterFunc(time.Duration(rand.IntN(60_000))*time.Microsecond, func() { cmd.Process.Kill() })
				}
			}
		}
		if err != nil {
			if !errors.Is(err, io.EOF) {
				t.Fatal(err)
			}
			break
		}
	}
	err = cmd.Wait()
	if timer == nil || !strings.Contains(fmt.Sprint(err), "killed") {
		t.Fatalf("the child was not killed but ended: %v\n%s", err, strings.Join(said, ""))
	}
	return done, begun
}
