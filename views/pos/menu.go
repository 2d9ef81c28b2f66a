package pos

import (
	"strconv"
)

// pictureSize is the size of an item's picture on the menu, in CSS pixels.
const pictureSize = 96

type part string

// Changing is the part of the menu and of the order view that depends on the basket, for templ.RenderFragments.
const Changing part = "changing"

// itemAnchor brings a page without scripts back to the row whose button was pressed.
func itemAnchor(id int64) string { return "i" + idText(id) }

func qtyName(pick string) string { return "qty." + pick }

func idText(id int64) string { return strconv.FormatInt(id, 10) }
