package demo

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"forecourt/internal/kit/brand"
	"forecourt/internal/kit/check"
	"forecourt/internal/shop/menu"
)

func TestBusinesses(t *testing.T) {
	t.Parallel()
	t.Run("there are four, only tahbella is live, only sabona has no paylink key", func(t *testing.T) {
		t.Parallel()
		var codes []string
		for _, b := range load(t) {
			codes = append(codes, b.Code)
			want := b.Code == "tahbella"
			check.Equal(t, b.Live, want, "%s: live", b.Code)
			if want := b.Code != "sabona"; (b.PaylinkTest != nil) != want || (b.PaylinkLive != nil) != want {
				t.Errorf("%s: paylink keys test %v, live %v, want both %v", b.Code, b.PaylinkTest, b.PaylinkLive, want)
			}
			for _, p := range []*Account{b.PaylinkTest, b.PaylinkLive} {
				if p != nil && (!strings.HasPrefix(p.MID, "sandbox-") || !strings.HasPrefix(p.Password, "sandbox-")) {
					t.Errorf("%s: paylink key %v does not show that it belongs to the sandbox", b.Code, *p)
				}
			}
		}
		check.Equal(t, strings.Join(codes, " "), "panezski moollar sabona tahbella", "businesses")
	})
	for _, b := range load(t) {
		t.Run(b.Code+" introduces itself", func(t *testing.T) {
			t.Parallel()
			if b.Name == "" || b.PLName == "" || !strings.HasSuffix(b.Email, ".example") {
				t.Errorf("name %q, plName %q, email %q", b.Name, b.PLName, b.Email)
			}
			_, ok := brand.FormatABN(b.ABN)
			check.Equal(t, ok, true, "the ABN %q is valid", b.ABN)
			_, err := os.Stat(filepath.Join("../../../static", b.Logo))
			check.NoError(t, err)
		})
	}
}

func TestMenus(t *testing.T) {
	t.Parallel()
	for _, b := range load(t) {
		t.Run(b.Code+" has a menu to order from", func(t *testing.T) {
			t.Parallel()
			names, locs := map[string]bool{}, map[string]bool{}
			for _, c := range b.Categories {
				if c.Name == "" || len(c.Items) == 0 {
					t.Errorf("category %q has %d items", c.Name, len(c.Items))
				}
				for _, i := range c.Items {
					if i.Name == "" || i.Loc == "" || i.Description == "" || i.Price < 300 || i.Price > 5000 {
						t.Errorf("%+v lacks a name, a location, a description or a price from $3 to $50", i)
					}
					if names[i.Name] {
						t.Errorf("%s is there twice", i.Name)
					}
					names[i.Name], locs[i.Loc] = true, true
				}
			}
			if len(locs) < 2 {
				t.Errorf("preparation locations %v, want at least two", locs)
			}
		})
	}
}

func load(t *testing.T) []Business {
	t.Helper()
	all, err := Businesses()
	check.Must(t, err)
	return all
}

// What the demo says about allergens must be true of such a dish, because people copy it.
func TestAllergensFitTheDish(t *testing.T) {
	t.Parallel()
	contains := map[string][]string{
		"Butter Croissant": {"gluten", "wheat", "egg", "milk"}, "Almond Croissant": {"gluten", "wheat", "egg", "milk", "nuts"}, "Pale Ale": {"gluten"},
		"House Shiraz": {"sulphites"}, "Fish Tacos": {"gluten", "wheat", "egg", "fish", "milk"}, "Lemon Myrtle Prawns": {"crustaceans"},
	}
	unknown := []string{"Soup of the Day", "Plum Martini", "Curry Leaf Gimlet"}
	asked := map[string]bool{}
	for _, b := range load(t) {
		for _, c := range b.Categories {
			for _, i := range c.Items {
				for _, code := range contains[i.Name] {
					if !slices.Contains(i.Contains, code) {
						t.Errorf("%s does not list %s", i.Name, code)
					}
				}
				if slices.Contains(unknown, i.Name) && i.AllergensKnown {
					t.Errorf("%s states its allergens, which nobody can know", i.Name)
				}
				stated := slices.Concat(i.Contains, i.MayContain)
				asked["Served in"] = asked["Served in"] || asks(b, i, "Served in")
				asked["Milk"] = asked["Milk"] || asks(b, i, "Milk")
				if asks(b, i, "Served in") && !slices.Contains(stated, "wheat") {
					t.Errorf("%s does not list wheat, though it may be served in a waffle cone", i.Name)
				}
				if asks(b, i, "Milk") && !slices.Contains(stated, "gluten") {
					t.Errorf("%s does not list gluten, though it may be made with oat milk", i.Name)
				}
				if slices.Contains(i.Diets, "halal") || slices.Contains(i.Diets, "kosher") {
					t.Errorf("%s is marked halal or kosher, though nobody certified an invented kitchen", i.Name)
				}
			}
		}
	}
	check.Equal(t, asked["Served in"] && asked["Milk"], true, "the demo still asks what the checks are about")
}

// asks reports whether guests answer a question with an item.
func asks(b Business, i menu.Item, question string) bool {
	return slices.ContainsFunc(b.Groups, func(g menu.Group) bool { return g.Name == question && slices.Contains(i.Groups, g.ID) })
}
