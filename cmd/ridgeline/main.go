package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"ridgeline/terrain/fault"
)

// The exit codes.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
)

// shell is what a verb may reach of the world outside its arguments.
type shell struct {
	in       io.Reader
	out, err io.Writer
	now      func() time.Time
	after    []func() error // what is done at the end, whatever came of it
}

// verbs are the words after the program's name, each in a file of its own.
var verbs = []func(*shell) *cobra.Command{
	editVerb,
	newVerb,
	importVerb,
	runVerb,
	renderVerb,
	cullVerb,
	exportVerb,
	infoVerb,
	checkVerb,
}

func main() {
	// The first Ctrl+C asks to stop cleanly; once it has, another kills.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is the whole program but for the process around it.
func run(ctx context.Context, args []string, in io.Reader, out, errs io.Writer) (code int) {
	sh := &shell{in: in, out: out, err: errs, now: time.Now}
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprintf(errs, "ridgeline: %s\n", sh.crashed(p, args))
			code = exitFailed
		}
	}()
	root := rootCommand(sh)
	root.SetArgs(withVerb(root, args))
	err := root.ExecuteContext(ctx)
	if last := sh.cleanUp(); err == nil {
		err = last
	}
	if err == nil {
		return exitDone
	}
	fmt.Fprintf(errs, "ridgeline: %s\n", oneLine(err))
	if _, ok := errors.AsType[*usageError](err); ok {
		return exitUsage
	}
	return exitFailed
}

// cleanUp does what is to be done at the end, the last first.
func (sh *shell) cleanUp() error {
	var errs []error
	for _, fn := range slices.Backward(sh.after) {
		errs = append(errs, fn())
	}
	sh.after = nil
	return errors.Join(errs...)
}

// defaultVerb is what a command line without a verb means.
const defaultVerb = "edit"

// withVerb puts the default verb before a command line that has none: no words, or
// first a level. Any other first word is a verb, be it misspelt.
func withVerb(root *cobra.Command, args []string) []string {
	known := func(name string) bool {
		return slices.ContainsFunc(root.Commands(), func(c *cobra.Command) bool { return c.Name() == name })
	}
	if !known(defaultVerb) {
		return args
	}
	for _, a := range args {
		switch {
		case a == "-h" || a == "--help":
			return args
		case strings.HasPrefix(a, "-"):
			continue
		case known(a) || a == "help" || a == "completion" || strings.HasPrefix(a, "__") || !isLevelName(a):
			return args
		}
		break
	}
	return append([]string{defaultVerb}, args...)
}

// isLevelName tells a level from a misspelt verb.
func isLevelName(word string) bool {
	if word == sampleName || word == villageName || strings.HasSuffix(word, ".ridge") || strings.ContainsRune(word, os.PathSeparator) {
		return true
	}
	_, err := os.Lstat(word)
	return err == nil
}

// usageError is a command line that makes no sense, whatever the files hold.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

func misuse(format string, args ...any) error {
	return &usageError{fmt.Errorf(format, args...)}
}

func oneLine(err error) string {
	if errors.Is(err, context.Canceled) {
		return "stopped; nothing was changed"
	}
	text := strings.FieldsFunc(err.Error(), func(r rune) bool { return r == '\n' || r == '\r' })
	return fault.Plain(strings.Join(text, " "))
}

func rootCommand(sh *shell) *cobra.Command {
	root := &cobra.Command{
		Use:           "ridgeline",
		Short:         "A level and terrain editor",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return c.Help()
			}
			return misuse("there is no verb %q%s", args[0], suggest(c, args[0]))
		},
		CompletionOptions: cobra.CompletionOptions{HiddenDefaultCmd: true},
	}
	root.SuggestionsMinimumDistance = 2
	root.SetIn(sh.in)
	root.SetOut(sh.out)
	root.SetErr(sh.err)
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return misuse("%s (see %s --help)", err, c.CommandPath())
	})
	for _, verb := range verbs {
		root.AddCommand(verb(sh))
	}
	root.SetHelpCommand(&cobra.Command{
		Use:   "help [VERB]",
		Short: "Tell what a verb does and which flags it has",
		Args:  words(0, 1, "a verb"),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return root.Help()
			}
			c, _, err := root.Find(args)
			if err != nil || c == root {
				return misuse("there is no verb %q%s", args[0], suggest(root, args[0]))
			}
			return c.Help()
		},
	})
	return root
}

func suggest(root *cobra.Command, word string) string {
	if names := root.SuggestionsFor(word); len(names) > 0 {
		return "; did you mean " + names[0] + "?"
	}
	return "; see ridgeline help"
}

// words checks the number of words after a verb.
func words(least, most int, what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return misuse("%s: expected %s after the verb, found %s", c.Name(), what, count(args))
		case len(args) > most:
			return misuse("%s: expected %s after the verb, found %q too", c.Name(), what, args[most])
		}
		return nil
	}
}

func count(args []string) string {
	if len(args) == 0 {
		return "nothing"
	}
	return fmt.Sprintf("only %q", strings.Join(args, " "))
}
