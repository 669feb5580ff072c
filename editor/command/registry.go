package command

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"ridgeline/terrain/fault"
)

// Class is what a command does to the level.
type Class int

// The classes of commands.
const (
	Edit Class = iota // changes the level, as one step of the history
	View              // changes nothing that is saved
	Disk              // reads or writes files
)

// String is the class's name in the reference.
func (c Class) String() string { return [...]string{"edit", "view", "file"}[c] }

// Command is one thing the editor can do.
type Command struct {
	ID    string // "terrain.stroke"
	Title string // what menus and the palette show: "Sculpt along a stroke"
	Help  string // one or more sentences
	Class Class

	Params   []Param
	Reserved []string // arguments that later versions will know

	// Enabled tells why the command cannot run now; nil, or a nil Enabled, when it
	// can. Tooltips show the reason.
	Enabled func(*Env) error

	// Run does it. The arguments are complete and within their ranges. An error
	// means that nothing changed.
	Run func(context.Context, *Env, Args) error
}

// Group is the part of the id before the dot.
func (c *Command) Group() string {
	group, _, _ := strings.Cut(c.ID, ".")
	return group
}

// Param finds an argument by name.
func (c *Command) Param(name string) (*Param, bool) {
	for i := range c.Params {
		if c.Params[i].Name == name {
			return &c.Params[i], true
		}
	}
	return nil, false
}

// Why tells why the command cannot run now; nil when it can.
func (c *Command) Why(env *Env) error {
	if c.Enabled == nil {
		return nil
	}
	return c.Enabled(env)
}

// Registry is a set of commands. The zero value is empty and ready. It is not
// safe to add to while others read.
type Registry struct {
	all  []*Command
	byID map[string]*Command
}

// Add puts commands into the registry. It refuses an id that is taken and a
// command whose description contradicts itself, and then adds none.
func (r *Registry) Add(commands ...Command) error {
	fresh := make(map[string]*Command, len(commands))
	for i := range commands {
		c := &commands[i]
		if _, taken := r.byID[c.ID]; taken || fresh[c.ID] != nil {
			return fmt.Errorf("the command %s is registered twice", c.ID)
		}
		if err := c.validate(); err != nil {
			return fmt.Errorf("the command %q: %w", c.ID, err)
		}
		fresh[c.ID] = c
	}
	if r.byID == nil {
		r.byID = make(map[string]*Command)
	}
	for i := range commands {
		c := commands[i]
		r.byID[c.ID] = &c
		r.all = append(r.all, &c)
	}
	return nil
}

func (c *Command) validate() error {
	if !isKey(c.ID) || c.Title == "" || c.Help == "" || c.Run == nil {
		return errors.New("needs an id, a title, a help text and something to run")
	}
	for i := range c.Params {
		p := &c.Params[i]
		if _, taken := (&Command{Params: c.Params[:i]}).Param(p.Name); taken || slices.Contains(c.Reserved, p.Name) {
			return fmt.Errorf("has two arguments %q", p.Name)
		}
		if !isKey(p.Name) || p.Help == "" {
			return fmt.Errorf("argument %d needs a name and a help text", i)
		}
		if p.Positional && i > 0 {
			return fmt.Errorf("%s cannot be positional, only the first argument can", p.Name)
		}
		if (p.Kind == Choice) != (len(p.Choices) > 0) {
			return fmt.Errorf("%s must be a choice with choices or neither", p.Name)
		}
		if (p.Kind == Numbers) != (len(p.Counts) > 0) {
			return fmt.Errorf("%s must be numbers with counts or neither", p.Name)
		}
		if p.Default != "" {
			if p.Required {
				return fmt.Errorf("%s cannot be required and have a default", p.Name)
			}
			if _, err := p.parse(p.Default); err != nil {
				return fmt.Errorf("the default: %w", err)
			}
		}
	}
	return nil
}

// All lists the commands in the order in which they were added.
func (r *Registry) All() []*Command { return slices.Clone(r.all) }

// Lookup finds a command by id.
func (r *Registry) Lookup(id string) (*Command, bool) {
	c, ok := r.byID[id]
	return c, ok
}

// Find is Lookup with an error that suggests the nearest id.
func (r *Registry) Find(id string) (*Command, error) {
	if c, ok := r.byID[id]; ok {
		return c, nil
	}
	ids := make([]string, len(r.all))
	for i, c := range r.all {
		ids[i] = c.ID
	}
	return nil, &fault.Error{Op: "run a command", Place: id, Found: "no command of this name" + didYouMean(id, ids)}
}

// Check finds the command of a call and looks at everything about its arguments
// that can be known without a level: that they exist, stand once, are complete,
// and are within range.
func (r *Registry) Check(call Call) (*Command, error) {
	c, err := r.Find(call.ID)
	if err != nil {
		return nil, err
	}
	_, err = c.read(call)
	return c, err
}

// Run finds a call's command, reads its arguments and runs it.
func (r *Registry) Run(ctx context.Context, env *Env, call Call) error {
	c, err := r.Find(call.ID)
	if err != nil {
		return err
	}
	args, err := c.Bind(env, call)
	if err != nil {
		return err
	}
	return c.Do(ctx, env, args)
}

// Do runs the command with arguments that Bind gave, unless it is not enabled.
func (c *Command) Do(ctx context.Context, env *Env, args Args) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := c.Why(env); err != nil {
		return c.within(err)
	}
	return c.within(c.Run(ctx, env, args))
}

// Bind reads the arguments of a call for this command and looks the layers and
// ids among them up in the level.
func (c *Command) Bind(env *Env, call Call) (Args, error) {
	args, err := c.read(call)
	if err != nil {
		return Args{}, err
	}
	for i := range c.Params {
		p := &c.Params[i]
		v, ok := args.values[p.Name]
		if !ok || !p.needsLevel() {
			continue
		}
		if args.values[p.Name], err = p.resolve(env, v.(string)); err != nil {
			return Args{}, c.within(err)
		}
	}
	return args, nil
}

// read is the part of Bind that needs no level.
func (c *Command) read(call Call) (Args, error) {
	args := Args{values: make(map[string]any, len(c.Params)), given: make(map[string]bool, len(call.Args))}
	for i, a := range call.Args {
		p, err := c.param(i, a)
		if err != nil {
			return Args{}, c.within(err)
		}
		if args.given[p.Name] {
			return Args{}, c.within(&fault.Error{Place: p.Name, Found: "the argument twice", Want: "it once"})
		}
		args.given[p.Name] = true
		if args.values[p.Name], err = p.parse(a.Value); err != nil {
			return Args{}, c.within(err)
		}
	}
	for i := range c.Params {
		p := &c.Params[i]
		switch {
		case args.given[p.Name]:
		case p.Required:
			return Args{}, c.within(&fault.Error{Place: p.Name, Found: "no value", Want: p.wanted()})
		case p.Default != "":
			v, err := p.parse(p.Default)
			if err != nil {
				return Args{}, c.within(err)
			}
			args.values[p.Name] = v
		}
	}
	return args, nil
}

// param finds what argument number i of a call is for.
func (c *Command) param(i int, a Arg) (*Param, error) {
	if a.Name == "" {
		if i == 0 && len(c.Params) > 0 && c.Params[0].Positional {
			return &c.Params[0], nil
		}
		return nil, &fault.Error{Found: quoteWord(a.Value), Want: "arguments as name=value" + c.usage()}
	}
	if p, ok := c.Param(a.Name); ok {
		return p, nil
	}
	if slices.Contains(c.Reserved, a.Name) {
		return nil, &fault.Error{Place: a.Name, Found: "an argument that comes with a later version"}
	}
	names := make([]string, len(c.Params))
	for i := range c.Params {
		names[i] = c.Params[i].Name
	}
	hint := didYouMean(a.Name, names)
	if hint == "" {
		hint = c.usage()
	}
	return nil, &fault.Error{Place: a.Name, Found: "no argument of this name" + hint}
}

func (c *Command) usage() string {
	if len(c.Params) == 0 {
		return "; the command takes none"
	}
	names := make([]string, len(c.Params))
	for i := range c.Params {
		names[i] = c.Params[i].Name + "="
	}
	return "; the command takes " + strings.Join(names, " ")
}

// wanted says what a missing argument should be.
func (p *Param) wanted() string {
	s := "a " + p.Kind.String()
	switch p.Kind {
	case IDs, Points, Text, Assets:
		s = p.Kind.String()
	case Entity, Asset:
		s = "an " + p.Kind.String()
	case Numbers:
		s = p.howMany()
	}
	if len(p.Choices) > 0 {
		s = "one of " + strings.Join(p.Choices, ", ")
	}
	if r := p.Range(); r != "" {
		s += " from " + r
	}
	return s
}

// within says in which command an error arose.
func (c *Command) within(err error) error {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	var e *fault.Error
	if !errors.As(err, &e) {
		return &fault.Error{Op: "run " + c.ID, Place: c.ID, Err: err}
	}
	f := *e
	if f.Op == "" {
		f.Op = "run " + c.ID
	}
	if f.File == "" {
		f.Place = strings.TrimSuffix(c.ID+": "+f.Place, ": ")
	}
	return &f
}
