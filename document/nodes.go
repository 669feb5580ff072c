package document

import (
	"encoding/json"
	"fmt"
)

// NodeTree says how the level's things are sorted for culling and collision. The
// zero value stands for the defaults.
type NodeTree struct {
	Split NodeSplit // "" is auto
	Size  float64   // metres: nodes no larger are not split; 0 stands for 256
	Items int       // nodes with no more things are not split; 0 stands for 32
}

// NodeSplit says along which axes nodes are split.
type NodeSplit string

// The splits.
const (
	SplitAuto NodeSplit = ""     // quad with terrain, oct without
	SplitQuad NodeSplit = "quad" // x and z: flat worlds
	SplitOct  NodeSplit = "oct"  // all three: many storeys
)

// The values that the zeros of NodeTree stand for, and their bounds.
const (
	NodeSize     = 256.0
	NodeItems    = 32
	MinNodeSize  = 0.01
	MaxNodeItems = 1 << 20
)

// Validate tells what is wrong with the settings of the node tree.
func (n NodeTree) Validate() error {
	switch {
	case n.Split != SplitAuto && n.Split != SplitQuad && n.Split != SplitOct:
		return fmt.Errorf("the node tree's split is %q, expected quad or oct", string(n.Split))
	case n.Size != 0 && !(n.Size >= MinNodeSize && n.Size <= MaxDistance):
		return fmt.Errorf("the node tree's size is %g m, expected %g to %g", n.Size, MinNodeSize, MaxDistance)
	case n.Items < 0 || n.Items > MaxNodeItems:
		return fmt.Errorf("the node tree has %d items a node, expected 1 to %d", n.Items, MaxNodeItems)
	}
	return nil
}

// SetNodeTree replaces the settings of the node tree.
func (tx *Tx) SetNodeTree(n NodeTree) error {
	return tx.settings(func(s *Settings) { s.Nodes = n })
}

func parseNodeTree(raw json.RawMessage, place string) (NodeTree, error) {
	f := ParseFields(raw, place)
	var n NodeTree
	f.Get("split", &n.Split)
	f.Get("size", &n.Size)
	f.Get("items", &n.Items)
	f.Check(n.Validate())
	_, err := f.End()
	return n, err
}

func encodeNodeTree(n NodeTree) (json.RawMessage, error) {
	b := NewBuilder(nil)
	setText(b, "split", string(n.Split))
	setNumber(b, "size", n.Size)
	if n.Items != 0 {
		b.Set("items", n.Items)
	}
	return b.Bytes()
}
