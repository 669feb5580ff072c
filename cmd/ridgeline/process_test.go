package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// program is ridgeline as a process of its own.
func program(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(self, args...)
	c.Env = append(os.Environ(), asProgram+"=1")
	return c
}

func TestProcess(t *testing.T) {
	inDir(t)
	if out, err := program(t, "new", "a.ridge", "--size", "33x33").CombinedOutput(); err != nil || string(out) != "a.ridge: 33×33 samples, 1 m apart, flat\n" {
		t.Fatalf("%v: %s", err, out)
	}
	for args, want := range map[string]struct {
		code int
		errs string
	}{
		"info none.ridge": {1, "ridgeline: none.ridge: no such file or folder\n"},
		"info --frob":     {2, "ridgeline: unknown flag: --frob (see ridgeline info --help)\n"},
	} {
		c := program(t, strings.Fields(args)...)
		var errs strings.Builder
		c.Stderr = &errs
		if err := c.Run(); err == nil || c.ProcessState.ExitCode() != want.code || errs.String() != want.errs {
			t.Errorf("%s: %v, %s", args, err, errs.String())
		}
	}
}

// Ctrl+C in the middle of a script leaves the level as it was.
func TestInterrupt(t *testing.T) {
	dir := inDir(t)
	ok(t, "new", "a.ridge", "--size", "1025x1025")
	script := "layer.add name=A\n" + strings.Repeat("terrain.stroke op=smooth at=0,0 to=\"1024,1024;0,1024;1024,0\" radius=200 strength=1\n", 1000)
	write(t, "long.txt", "terrain.stroke op=raise at=500,500 radius=300 strength=50\n"+script)
	before := snapshot(t, dir)
	c := program(t, "run", "a.ridge", "long.txt")
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var errs strings.Builder
	c.Stderr = &errs
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	// The layer's index: the script has begun.
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "4\n" {
		t.Errorf("printed %q, %v", line, err)
	}
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := c.Wait(); err == nil || c.ProcessState.ExitCode() != exitFailed || errs.String() != "ridgeline: stopped; nothing was changed\n" {
		t.Errorf("%v, %q", err, errs.String())
	}
	if d := cmp.Diff(before, snapshot(t, dir)); d != "" {
		t.Error(d)
	}
}

// A folder that cannot be written to. The process gives up root, for which
// permissions mean nothing.
func TestNoPermission(t *testing.T) {
	if os.Getuid() != 0 {
		t.Log("not root: permissions hold as it is")
	}
	dir, err := os.MkdirTemp("/tmp", "ridgeline-perm") // below a folder that all may enter
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	self, err := os.ReadFile("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(dir, "ridgeline.test")
	if err := os.WriteFile(bin, self, 0o755); err != nil {
		t.Fatal(err)
	}
	work := filepath.Join(dir, "work")
	if err := os.Mkdir(work, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Chdir(work)
	ok(t, "new", "a.ridge", "--size", "65x65")
	ok(t, "export", "a.ridge", "-o", "a.r32")
	write(t, "secret.r32", "1234")
	if err := os.Chmod("secret.r32", 0); err != nil {
		t.Fatal(err)
	}
	before := snapshot(t, work)
	if err := os.Chmod(work, 0o555); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string]string{
		"new b.ridge":                        "b.ridge: permission denied",
		"import a.r32 -o b.ridge":            "b.ridge: permission denied",
		"import secret.r32 -o b.ridge":       "b.ridge: permission denied",
		"import secret.r32 --info":           "secret.r32: permission denied",
		"run a.ridge -e layer.add~name=x":    "a.ridge: permission denied",
		"run a.ridge -e help -o b.ridge":     "b.ridge: permission denied",
		"export a.ridge -o b.r32":            "b.r32: permission denied",
		"export a.ridge -o a.r32":            "a.r32: permission denied",
		"export a.ridge -o b.gltf":           "b.gltf: permission denied",
		"new /proc/none/a.ridge":             "/proc/none/a.ridge: no such file or folder",
		"export a.ridge -o /proc/none/a.r32": "/proc/none/a.r32: no such file or folder",
	} {
		list := strings.Fields(args)
		for i := range list {
			list[i] = strings.ReplaceAll(list[i], "~", " ")
		}
		c := exec.Command(bin, list...)
		c.Env = []string{asProgram + "=1", "HOME=" + dir}
		if os.Getuid() == 0 {
			c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		}
		var errs strings.Builder
		c.Stderr = &errs
		if err := c.Run(); err == nil || c.ProcessState.ExitCode() != exitFailed || errs.String() != "ridgeline: "+want+"\n" {
			t.Errorf("%s: %v, %q", args, err, errs.String())
		}
	}
	if d := cmp.Diff(before, snapshot(t, work)); d != "" {
		t.Error(d)
	}
}

// A disk that is full. It takes root to mount one.
func TestFullDisk(t *testing.T) {
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=256k"); err != nil {
		t.Skipf("no small disk can be mounted here: %v", err)
	}
	defer syscall.Unmount(disk, 0)
	dir := inDir(t)
	write(t, "noise.png", noise(400))
	ok(t, "import", "noise.png", "-o", "a.ridge")
	small := filepath.Join(disk, "small.ridge")
	ok(t, "new", small, "--size", "600x600")
	before, beside := snapshot(t, disk), snapshot(t, dir)
	full := func(path string) string { return fmt.Sprintf("ridgeline: %s: the disk is full\n", path) }
	for _, test := range []struct {
		args []string
		path string
	}{
		{[]string{"import", "noise.png", "-o", disk + "/b.ridge"}, disk + "/b.ridge"},
		{[]string{"run", "a.ridge", "-e", "help undo", "-o", disk + "/b.ridge"}, disk + "/b.ridge"},
		{[]string{"import", "noise.png", "-o", small, "--force"}, small},
		{[]string{"export", "a.ridge", "-o", disk + "/b.r32"}, disk + "/b.r32"},
		{[]string{"export", "a.ridge", "-o", disk + "/b.png"}, disk + "/b.png"},
		{[]string{"export", "a.ridge", "-o", disk + "/b.glb"}, disk + "/b.glb"},
		{[]string{"export", "a.ridge", "-o", disk + "/b.gltf"}, disk + "/b.gltf"},
	} {
		r := cli(t, "", test.args...)
		if r.code != exitFailed || !strings.HasPrefix(r.errs, "ridgeline: "+test.path) || !strings.HasSuffix(r.errs, ": the disk is full\n") {
			t.Errorf("%v: code %d\n got %swant %s", test.args, r.code, r.errs, full(test.path))
		}
		if d := cmp.Diff(before, snapshot(t, disk)); d != "" {
			t.Errorf("%v: %s", test.args, d)
		}
		if d := cmp.Diff(beside, snapshot(t, dir)); d != "" {
			t.Errorf("%v: %s", test.args, d)
		}
	}
}
