package menu

import (
	"context"
	"strings"

	"forecourt/db"
)

// number gives each new part of a menu its id: that of a hidden row of the same name, or the next of its table's sequence.
func number(ctx context.Context, queries *db.Queries, code string, m *Menu) error {
	n := numbering{used: map[string]map[int64]bool{}, next: map[string][]*int64{}}
	groups := map[int64]*int64{} // new groups by the id that items know them by
	for i := range m.Groups {
		g := &m.Groups[i]
		if was := g.ID; was <= 0 {
			groups[was] = &g.ID
		}
		n.add("option_group", &g.ID, "")
		for k := range g.Choices {
			n.add("option_choice", &g.Choices[k].ID, "")
		}
	}
	for i := range m.Categories {
		c := &m.Categories[i]
		n.add("category", &c.ID, c.Name)
		for k := range c.Items {
			n.add("item", &c.Items[k].ID, c.Items[k].Name)
		}
	}
	if err := n.reuse(ctx, queries, code); err != nil {
		return err
	}
	for table, wanting := range n.next {
		ids, err := queries.MenuIdsTake(ctx, table, int64(len(wanting)))
		if err != nil {
			return err
		}
		for i, id := range ids {
			*wanting[i] = id
		}
	}
	for i := range m.Categories {
		for k := range m.Categories[i].Items {
			for g, id := range m.Categories[i].Items[k].Groups {
				if to := groups[id]; to != nil {
					m.Categories[i].Items[k].Groups[g] = *to
				}
			}
		}
	}
	return nil
}

// numbering collects the parts of a menu that need ids.
type numbering struct {
	used  map[string]map[int64]bool
	next  map[string][]*int64
	names []string          // of new items and categories
	keys  []string          // of named, in the order of the menu
	named map[string]*int64 // where their ids go, by table and name
}

func (n *numbering) add(table string, id *int64, name string) {
	switch {
	case *id > 0:
		if n.used[table] == nil {
			n.used[table] = map[int64]bool{}
		}
		n.used[table][*id] = true
	case name != "":
		name = strings.ToLower(name)
		if n.named == nil {
			n.named = map[string]*int64{}
		}
		key := table + " " + name
		n.names, n.keys, n.named[key] = append(n.names, name), append(n.keys, key), id
	default:
		n.next[table] = append(n.next[table], id)
	}
}

// reuse gives new parts the ids of hidden rows with the same names.
func (n *numbering) reuse(ctx context.Context, queries *db.Queries, code string) error {
	if len(n.names) == 0 {
		return nil
	}
	rows, err := queries.MenuNamesKept(ctx, code, n.names)
	if err != nil {
		return err
	}
	for _, row := range rows {
		key := row.Kind + " " + row.Name
		if id := n.named[key]; id != nil && !n.used[row.Kind][row.ID] {
			*id = row.ID
			delete(n.named, key)
		}
	}
	for _, key := range n.keys {
		if id := n.named[key]; id != nil {
			table, _, _ := strings.Cut(key, " ")
			n.next[table] = append(n.next[table], id)
		}
	}
	return nil
}
