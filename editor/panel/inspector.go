package panel

import (
	"gioui.org/layout"
)

type inspector struct{ sh *Shell }

func (in *inspector) layout(gtx layout.Context) layout.Dimensions {
	return layout.Dimensions{}
}
