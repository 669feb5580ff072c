package xtest

import (
	"bytes"
	"errors"
	"fmt"
	"image"
)

// Window is an X window.
type Window uint32

// Find returns the visible window whose class is the given one, the lowest in the
// stack if there are several, or 0.
func (d *Display) Find(class string) (Window, error) { return d.find(d.root, class) }

func (d *Display) find(parent Window, class string) (Window, error) {
	b, err := d.call(15, 0, parent)
	if err != nil {
		return 0, err
	}
	for i := range int(word(b, 16)) {
		w := Window(long(b, 32+4*i))
		// A window may go away while it is looked at: that is no error.
		if name, err := d.property(w, "WM_CLASS"); err == nil && bytes.Contains(name, []byte("\x00"+class+"\x00")) {
			if a, err := d.call(3, 0, w); err == nil && a[26] == viewable {
				return w, nil
			}
		}
		if found, err := d.find(w, class); err == nil && found != 0 {
			return found, nil
		}
	}
	return 0, nil
}

// viewable is the state of a window that is mapped, as are those around it.
const viewable = 2

// Title is the window's title.
func (d *Display) Title(w Window) (string, error) {
	b, err := d.property(w, "_NET_WM_NAME")
	return string(b), err
}

// Size is the window's size.
func (d *Display) Size(w Window) (image.Point, error) {
	b, err := d.call(14, 0, w)
	if err != nil {
		return image.Point{}, err
	}
	return image.Pt(int(word(b, 16)), int(word(b, 18))), nil
}

// Capture photographs the window as it is on the screen now. It must be wholly on
// the screen and not covered.
func (d *Display) Capture(w Window) (*image.NRGBA, error) {
	size, err := d.Size(w)
	if err != nil {
		return nil, err
	}
	const wholePixels, allPlanes = 2, ^uint32(0)
	b, err := d.call(73, wholePixels, w, uint16(0), uint16(0), uint16(size.X), uint16(size.Y), allPlanes)
	if err != nil {
		return nil, err
	}
	m := image.NewNRGBA(image.Rectangle{Max: size})
	if pix := b[32:]; len(pix) == len(m.Pix) {
		for i := 0; i < len(pix); i += 4 {
			m.Pix[i], m.Pix[i+1], m.Pix[i+2], m.Pix[i+3] = pix[i+2], pix[i+1], pix[i], 255
		}
		return m, nil
	}
	return nil, fmt.Errorf("the picture of %v has %d bytes: the screen must have 24 bits a pixel", size, len(b)-32)
}

// Resize gives the window another size.
func (d *Display) Resize(w Window, size image.Point) error {
	const width, height = 1 << 2, 1 << 3
	return d.send(12, 0, w, uint16(width|height), uint16(0), uint32(size.X), uint32(size.Y))
}

// Focus gives the window the keyboard.
func (d *Display) Focus(w Window) error {
	const toRoot = 1
	return d.send(42, toRoot, w, uint32(0))
}

// Rival makes a small window in a corner of the screen, which can take the keyboard
// from another.
func (d *Display) Rival(at image.Point) (Window, error) {
	w := Window(d.newID())
	const inputOutput = 1
	if err := d.send(1, 0, w, d.root, uint16(at.X), uint16(at.Y), uint16(8), uint16(8), uint16(0), uint16(inputOutput), d.visual, uint32(0)); err != nil {
		return 0, err
	}
	if err := d.send(8, 0, w); err != nil {
		return 0, err
	}
	return w, d.Sync()
}

// RequestClose asks the window to close, as a window manager's cross does.
func (d *Display) RequestClose(w Window) error {
	protocols, err := d.atom("WM_PROTOCOLS")
	if err != nil {
		return err
	}
	remove, err := d.atom("WM_DELETE_WINDOW")
	if err != nil {
		return err
	}
	const clientMessage, format = 33, 32
	return d.send(25, 0, w, uint32(0), byte(clientMessage), byte(format), uint16(0), w, protocols, remove,
		uint32(0), uint32(0), uint32(0), uint32(0))
}

// Sync waits until the server has done all that was asked of it.
func (d *Display) Sync() error {
	_, err := d.call(43, 0)
	return err
}

// Watch begins to count what is drawn on the window.
func (d *Display) Watch(w Window) error {
	if d.damage == 0 {
		const name = "DAMAGE"
		b, err := d.call(98, 0, uint16(len(name)), uint16(0), name)
		if err != nil {
			return err
		}
		if b[8] == 0 {
			return errors.New("the X server lacks the DAMAGE extension")
		}
		d.damage, d.damageEvent = b[9], b[10]
		if _, err := d.call(d.damage, 0, uint32(1), uint32(1)); err != nil {
			return err
		}
	}
	const everyRectangle = 0
	if err := d.send(d.damage, 1, d.newID(), w, uint32(everyRectangle)); err != nil {
		return err
	}
	return d.Sync()
}

// Drawn is how many times anything was drawn on the watched windows so far. A frame
// counts once or more.
func (d *Display) Drawn() (int, error) {
	err := d.Sync()
	return d.drawn, err
}

// Pointer tells where the mouse pointer is on the screen.
func (d *Display) Pointer() (image.Point, error) {
	b, err := d.call(38, 0, d.root)
	if err != nil {
		return image.Point{}, err
	}
	return image.Pt(int(word(b, 16)), int(word(b, 18))), nil
}
