package glcontext

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/go-gl/gl/v4.1-core/gl"
)

func locked(t *testing.T) {
	t.Helper()
	runtime.LockOSThread()
	t.Cleanup(runtime.UnlockOSThread)
}

func TestContextsAreWhatTheyClaim(t *testing.T) {
	locked(t)
	c, err := NewOffscreen(image.Pt(64, 32))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Destroy()
	if err := c.MakeCurrent(Level); err != nil {
		t.Fatal(err)
	}
	var major, minor, profile int32
	gl.GetIntegerv(gl.MAJOR_VERSION, &major)
	gl.GetIntegerv(gl.MINOR_VERSION, &minor)
	gl.GetIntegerv(gl.CONTEXT_PROFILE_MASK, &profile)
	if major != 4 || minor < 1 || profile&gl.CONTEXT_CORE_PROFILE_BIT == 0 {
		t.Errorf("the level's context is OpenGL %d.%d, profile 0x%x", major, minor, profile)
	}
	if c.Renderer() == "" {
		t.Error("the renderer has no name")
	}
	if err := c.MakeCurrent(Interface); err != nil {
		t.Fatal(err)
	}
	if v := gl.GoStr(gl.GetString(gl.VERSION)); !strings.HasPrefix(v, "OpenGL ES 3") {
		t.Errorf("the interface's context is %q", v)
	}
	if got := c.SurfaceSize(); got != image.Pt(64, 32) {
		t.Errorf("surface of %v", got)
	}
	c.ReleaseCurrent()
}

// Both contexts draw to one surface: what one clears, the other reads, before and
// after a resize.
func TestSurfaceIsShared(t *testing.T) {
	locked(t)
	c, err := NewOffscreen(image.Pt(8, 8))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Destroy()
	for i, size := range []image.Point{{X: 8, Y: 8}, {X: 20, Y: 5}, {X: 20, Y: 5}, {X: 1, Y: 1}} {
		if err := c.Resize(size); err != nil {
			t.Fatal(err)
		}
		if got := c.SurfaceSize(); got != size {
			t.Errorf("surface of %v, expected %v", got, size)
		}
		writer, reader := API(i%2), API(1-i%2)
		if err := c.MakeCurrent(writer); err != nil {
			t.Fatal(err)
		}
		gl.ClearColor(1, float32(i%2), 0, 1)
		gl.Clear(gl.COLOR_BUFFER_BIT)
		if err := c.MakeCurrent(reader); err != nil {
			t.Fatal(err)
		}
		var pixel [4]uint8
		gl.ReadPixels(int32(size.X-1), int32(size.Y-1), 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, gl.Ptr(&pixel[0]))
		if want := [4]uint8{255, uint8(255 * (i % 2)), 0, 255}; pixel != want {
			t.Errorf("%v wrote, %v read %v, expected %v", writer, reader, pixel, want)
		}
		if err := c.Swap(); err != nil {
			t.Error(err)
		}
	}
}

// Objects and state of one context are unknown to the other.
func TestContextsShareNoObjects(t *testing.T) {
	locked(t)
	c, err := NewOffscreen(image.Pt(8, 8))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Destroy()
	if err := c.MakeCurrent(Level); err != nil {
		t.Fatal(err)
	}
	var texture uint32
	gl.GenTextures(1, &texture)
	gl.BindTexture(gl.TEXTURE_2D, texture)
	gl.Enable(gl.SCISSOR_TEST)
	if err := c.MakeCurrent(Interface); err != nil {
		t.Fatal(err)
	}
	if gl.IsTexture(texture) || gl.IsEnabled(gl.SCISSOR_TEST) {
		t.Error("the interface's context sees the level's")
	}
	if err := c.MakeCurrent(Level); err != nil {
		t.Fatal(err)
	}
	if !gl.IsTexture(texture) || !gl.IsEnabled(gl.SCISSOR_TEST) {
		t.Error("the level's context forgot its own")
	}
}

func TestLostContextsStayLost(t *testing.T) {
	locked(t)
	c, err := NewOffscreen(image.Pt(8, 8))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Destroy()
	c.Lose()
	for _, api := range []API{Level, Interface} {
		if err := c.MakeCurrent(api); !errors.Is(err, ErrLost) {
			t.Errorf("%v after the loss: %v", api, err)
		}
	}
	if !c.Lost() {
		t.Error("the loss is not told")
	}
}

func TestHeadlessHasNoInterface(t *testing.T) {
	locked(t)
	c, err := NewHeadless()
	if err != nil {
		t.Fatal(err)
	}
	defer c.Destroy()
	if err := c.MakeCurrent(Interface); err == nil {
		t.Error("a context that does not exist is current")
	}
}

// Contexts come and go on many threads at once without disturbing each other.
func TestManyThreads(t *testing.T) {
	var wg sync.WaitGroup
	for n := range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			for range 5 {
				c, err := NewOffscreen(image.Pt(4, 4))
				if err != nil {
					t.Error(err)
					return
				}
				var pixel [4]uint8
				if err := c.MakeCurrent(Level); err != nil {
					t.Error(err)
				}
				gl.ClearColor(float32(n)/255, 0, 0, 1)
				gl.Clear(gl.COLOR_BUFFER_BIT)
				gl.ReadPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, gl.Ptr(&pixel[0]))
				if int(pixel[0]) != n {
					t.Errorf("thread %d read %v", n, pixel)
				}
				c.Destroy()
			}
		}()
	}
	wg.Wait()
}

// Making and destroying leaves neither open files nor memory behind.
func TestDestroyFreesEverything(t *testing.T) {
	locked(t)
	cycle := func(n int) {
		for range n {
			c, err := NewOffscreen(image.Pt(512, 512))
			if err != nil {
				t.Fatal(err)
			}
			if err := c.MakeCurrent(Level); err != nil {
				t.Fatal(err)
			}
			gl.Clear(gl.COLOR_BUFFER_BIT)
			gl.Finish()
			c.Destroy()
		}
	}
	cycle(10)
	files, pages := openFiles(t), residentPages(t)
	cycle(60)
	if now := openFiles(t); now > files+2 {
		t.Errorf("%d open files, were %d", now, files)
	}
	// 60 surfaces of 1 MiB, and contexts of several, would be over 60 MiB.
	if grown := (residentPages(t) - pages) * os.Getpagesize() >> 20; grown > 40 {
		t.Errorf("%d MiB more in use", grown)
	}
}

func openFiles(t *testing.T) int {
	t.Helper()
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(list)
}

func residentPages(t *testing.T) (pages int) {
	t.Helper()
	b, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Fatal(err)
	}
	var size int
	if _, err := fmt.Sscan(string(b), &size, &pages); err != nil {
		t.Fatal(err)
	}
	return pages
}

func TestErrorsSayWhatFailed(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{&Error{Call: "eglMakeCurrent", Code: 0x3009, Tried: "OpenGL ES 3"}, "eglMakeCurrent failed: EGL_BAD_MATCH (OpenGL ES 3)"},
		{&Error{Call: "eglInitialize", Code: 0x300E}, "eglInitialize failed: EGL_CONTEXT_LOST"},
		{&Error{Call: "eglChooseConfig", Code: 0x3000, Tried: "8 bits"}, "eglChooseConfig failed (8 bits)"},
		{&Error{Call: "eglGetDisplay", Code: 0x4321}, "eglGetDisplay failed: EGL error 0x4321"},
	} {
		if got := c.err.Error(); got != c.want {
			t.Errorf("%q, expected %q", got, c.want)
		}
		if got, want := errors.Is(c.err, ErrLost), strings.Contains(c.want, "LOST"); got != want {
			t.Errorf("%v is a loss: %v", c.err, got)
		}
	}
}

func TestBadSizesAreRefused(t *testing.T) {
	for _, size := range []image.Point{{}, {X: 10}, {X: -5, Y: 5}, {X: 1 << 20, Y: 4}} {
		c, err := NewOffscreen(size)
		if err == nil {
			c.Destroy()
			t.Errorf("%v was accepted", size)
		} else if !strings.Contains(err.Error(), fmt.Sprintf("%d×%d", size.X, size.Y)) {
			t.Errorf("the error does not name the size: %v", err)
		}
	}
}

func TestBadIconsAreRefused(t *testing.T) {
	if err := (X11{}).SetIcons(image.NewNRGBA(image.Rect(0, 0, 513, 4))); err == nil {
		t.Error("a huge icon was accepted")
	}
	if err := (X11{}).SetIcons(image.NewNRGBA(image.Rectangle{})); err == nil {
		t.Error("an empty icon was accepted")
	}
	if err := (X11{}).SetIcons(); err != nil {
		t.Error(err)
	}
}

func TestIconPixels(t *testing.T) {
	m := image.NewRGBA(image.Rect(0, 0, 1, 1))
	m.Set(0, 0, color.NRGBA{R: 200, G: 100, B: 0, A: 51})
	if got := argb(m, 0, 0); got != 0x33c86400 {
		t.Errorf("0x%08x, expected 0x33c86400", got)
	}
}

func BenchmarkSwitch(b *testing.B) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	c, err := NewOffscreen(image.Pt(1280, 720))
	if err != nil {
		b.Fatal(err)
	}
	defer c.Destroy()
	b.ReportAllocs()
	for b.Loop() {
		for _, api := range []API{Level, Interface} {
			if err := c.MakeCurrent(api); err != nil {
				b.Fatal(err)
			}
		}
	}
}
