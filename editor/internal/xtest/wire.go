package xtest

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"time"
)

// patience bounds the wait for a reply of the server.
const patience = 20 * time.Second

// Display is a connection to an X server. It belongs to one goroutine at a time.
type Display struct {
	conn     net.Conn
	sequence uint16
	root     Window
	visual   uint32
	nextID   uint32
	step     uint32 // between resource ids
	atoms    map[string]uint32

	damage      byte // opcode of the extension; 0 until it is used
	damageEvent byte
	drawn       int // damage events so far
}

// Open connects to a server on this machine by name, as in ":7".
func Open(name string) (*Display, error) {
	conn, err := net.Dial("unix", "/tmp/.X11-unix/X"+name[1:])
	if err != nil {
		return nil, fmt.Errorf("no X server answers at %s: %w", name, err)
	}
	d := &Display{conn: conn, atoms: map[string]uint32{}}
	if err := d.greet(); err != nil {
		conn.Close()
		return nil, fmt.Errorf("the X server at %s: %w", name, err)
	}
	return d, nil
}

// Close ends the connection.
func (d *Display) Close() { d.conn.Close() }

// greet sets the connection up, without authorization.
func (d *Display) greet() error {
	hello := []byte{'l', 0, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0}
	if _, err := d.conn.Write(hello); err != nil {
		return err
	}
	d.conn.SetReadDeadline(time.Now().Add(patience))
	var head [8]byte
	if _, err := io.ReadFull(d.conn, head[:]); err != nil {
		return err
	}
	b := make([]byte, 4*int(binary.LittleEndian.Uint16(head[6:])))
	if _, err := io.ReadFull(d.conn, b); err != nil {
		return err
	}
	if head[0] != 1 {
		return fmt.Errorf("refuses: %s", b)
	}
	vendor, formats := int(word(b, 16)), int(b[21])
	screen := 32 + (vendor+3)/4*4 + 8*formats
	if len(b) < screen+40 {
		return errors.New("sends a short greeting")
	}
	d.nextID, d.step = long(b, 4), long(b, 8)&-long(b, 8)
	d.root, d.visual = Window(long(b, screen)), long(b, screen+32)
	return nil
}

func word(b []byte, at int) uint16 { return binary.LittleEndian.Uint16(b[at:]) }
func long(b []byte, at int) uint32 { return binary.LittleEndian.Uint32(b[at:]) }

// newID names a resource of ours.
func (d *Display) newID() uint32 {
	d.nextID += d.step
	return d.nextID
}

// send sends a request: its opcode, the byte after it, and its body in values of
// one, two or four bytes, or text.
func (d *Display) send(op, detail byte, body ...any) error {
	b := []byte{op, detail, 0, 0}
	for _, v := range body {
		switch v := v.(type) {
		case byte:
			b = append(b, v)
		case uint16:
			b = binary.LittleEndian.AppendUint16(b, v)
		case uint32:
			b = binary.LittleEndian.AppendUint32(b, v)
		case Window:
			b = binary.LittleEndian.AppendUint32(b, uint32(v))
		case string:
			b = append(b, v...)
		default:
			return fmt.Errorf("a request with a %T", v)
		}
	}
	for len(b)%4 != 0 {
		b = append(b, 0)
	}
	binary.LittleEndian.PutUint16(b[2:], uint16(len(b)/4))
	d.sequence++
	_, err := d.conn.Write(b)
	return err
}

// call sends a request and waits for its reply, at least 32 bytes.
func (d *Display) call(op, detail byte, body ...any) ([]byte, error) {
	if err := d.send(op, detail, body...); err != nil {
		return nil, err
	}
	d.conn.SetReadDeadline(time.Now().Add(patience))
	for {
		b := make([]byte, 32)
		if _, err := io.ReadFull(d.conn, b); err != nil {
			return nil, err
		}
		switch ours := word(b, 2) == d.sequence; {
		case b[0] == 1:
			rest := make([]byte, 4*int(long(b, 4)))
			if _, err := io.ReadFull(d.conn, rest); err != nil {
				return nil, err
			}
			if ours {
				return append(b, rest...), nil
			}
		case b[0] == 0 && ours:
			return nil, fmt.Errorf("request %d is refused with error %d", op, b[1])
		case b[0]&0x7f == d.damageEvent && d.damage != 0:
			d.drawn++
		}
	}
}

// atom gives the number of a name.
func (d *Display) atom(name string) (uint32, error) {
	if a, ok := d.atoms[name]; ok {
		return a, nil
	}
	b, err := d.call(16, 0, uint16(len(name)), uint16(0), name)
	if err != nil {
		return 0, err
	}
	d.atoms[name] = long(b, 8)
	return long(b, 8), nil
}

// property reads a property of a window as bytes; nil if there is none.
func (d *Display) property(w Window, name string) ([]byte, error) {
	a, err := d.atom(name)
	if err != nil {
		return nil, err
	}
	b, err := d.call(20, 0, w, a, uint32(0), uint32(0), uint32(1<<16))
	if err != nil {
		return nil, err
	}
	n := int(long(b, 16)) * int(b[1]) / 8
	return b[32 : 32+n], nil
}
