package editor

import (
	"fmt"

	"github.com/go-gl/mathgl/mgl64"

	"ridgeline/document"
)

// command types a command into the console and closes it again.
func (v *village) command(line string) {
	v.t.Helper()
	v.do("key", "grave")
	v.rest()
	v.do("type", "--delay", 2, line)
	v.do("key", "Return", "key", "Escape") // the level has the keyboard again
	v.rest()
	v.do("key", "grave")
}

// noted has the editor keep where the camera is, and gives it.
func (v *village) noted(name string) document.Camera {
	v.t.Helper()
	v.command("camera.bookmark name=" + name)
	at, ok := v.newest().Settings.Bookmarks[name]
	if !ok {
		v.t.Fatalf("the console kept no place %q%s", name, v.evidence("console.png"))
	}
	return at
}

// walked holds a key for a while and tells whether the picture has changed.
func (v *village) walked(key string, seconds float64) bool {
	v.t.Helper()
	before := v.shot()
	v.do("keydown", key, "sleep", seconds, "keyup", key)
	return differing(before, v.shot(), v.w.shell.Viewport(), tolerance).n > 0
}

// Who walks stands on the ground, goes where he looks, stops before a house, and
// goes through it once collision is off.
func (v *village) testWalk() {
	w := v.w
	const eyeHeight, radius = 1.7, 0.35
	barn := w.s.Scene().BoundsOf(barnID)
	onGround := func(what string, at mgl64.Vec3) {
		v.t.Helper()
		const plinth = 0.35 // of the house, which is a step
		if y := heightAt(v.t, v.path, at[0], at[2]); at[1] < y+eyeHeight-0.02 || at[1] > y+eyeHeight+plinth {
			v.wrong("%s the eye is at %v, expected %v m above the ground at %v", what, at, eyeHeight, y)
		}
	}
	v.do("key", "g")
	start := v.noted("here")
	onGround("at first", start.Eye)
	if look := (mgl64.Vec3{32, 0, 42}); start.Eye.Sub(look).Len() > 3 {
		v.wrong("the walk begins at %v, expected near %v, the middle of the view", start.Eye, look)
	}
	for n := 0; v.walked("w", 1); n++ {
		if n == 0 {
			v.keep("1-walking.png")
		}
		if n == 60 {
			v.t.Fatal("the house does not stop the walk" + v.evidence("through.png"))
		}
	}
	v.keep("2-stopped.png")
	stopped := v.noted("here")
	onGround("before the house", stopped.Eye)
	if at := stopped.Eye; mgl64.Abs(at[0]-start.Eye[0]) > 0.1 || at[2] > barn.Max[2]+radius+0.2 || at[2] < barn.Center()[2]+1 {
		v.wrong("the house, in %v, stopped the walk from %v at %v", barn, start.Eye, at)
	}

	v.do("key", "F10")
	v.keep("3-no-collision.png")
	passed := stopped
	for n := 1; passed.Eye[2] > barn.Min[2]-radius; n++ {
		if n == 20 {
			v.t.Fatalf("without collision the walk comes no farther than %v, expected through the house in %v%s", passed.Eye, barn, v.evidence("stuck.png"))
		}
		v.walked("w", 1)
		passed = v.noted("here")
	}
	v.do("key", "F10")
	v.do("sleep", 7) // until the messages about collision are gone by themselves
	v.do("key", "Escape")
	left := v.noted("here")
	onGround("behind the house", left.Eye)
	v.do("key", "w", "key", "s") // which walk no more
	w.run(fmt.Sprintf("camera.bookmark name=here eye=%s look=%s", triple(left.Eye), triple(left.Look)))
	w.run(fmt.Sprintf("camera.set eye=%s look=%s", triple(left.Eye), triple(left.Look)))
	v.clickBoth(v.away, v.away) // which finds what is under the pointer now
	v.alone()
	v.looks()
	v.idle()

	v.command("camera.set eye=32,5,52 look=32,0,42")
	w.run("camera.set eye=32,5,52 look=32,0,42")
	v.alone()
	v.looks()
}

func triple(p mgl64.Vec3) string { return fmt.Sprintf("%v,%v,%v", p[0], p[1], p[2]) }
