package menu

import (
	"context"
	"strings"

	"forecourt/db"
)

// number gives each new part of a menu its id: that of a hidden row of the same name, or the next of its table's sequence.
func number(ctx context.Context, queries *db.Queries, code string, m *Menu) error {
	type part struct {
		id          *int64
		table, name string // in small letters; "" if it takes no row of that name
	}
	var added []part
	var names []string
	used := map[partKey]bool{}
	add := func(id *int64, table, name string) {
		if *id > 0 {
			used[partKey{table, *id}] = true
			return
		}
		name = strings.ToLower(name)
		added = append(added, part{id, table, name})
		if name != "" {
			names = append(names, name)
		}
	}
	groups := map[int64]*int64{} // new groups by the id that items know them by
	for i := range m.Groups {
		g := &m.Groups[i]
		if g.ID <= 0 {
			groups[g.ID] = &g.ID
		}
		add(&g.ID, "option_group", "")
		for k := range g.Choices {
			add(&g.Choices[k].ID, "option_choice", "")
		}
	}
	for i := range m.Categories {
		c := &m.Categories[i]
		add(&c.ID, "category", c.Name)
		for k := range c.Items {
			add(&c.Items[k].ID, "item", c.Items[k].Name)
		}
	}
	free := map[string]int64{} // hidden rows by table and name
	if len(names) > 0 {
		rows, err := queries.MenuNamesKept(ctx, code, names)
		if err != nil {
			return err
		}
		for _, row := range rows {
			if !used[partKey{row.Kind, row.ID}] {
				free[row.Kind+" "+row.Name] = row.ID
			}
		}
	}
	next := map[string][]*int64{}
	for _, p := range added {
		if id := free[p.table+" "+p.name]; id != 0 {
			*p.id = id
			delete(free, p.table+" "+p.name)
		} else {
			next[p.table] = append(next[p.table], p.id)
		}
	}
	for table, wanting := range next {
		ids, err := queries.MenuIdsTake(ctx, table, int64(len(wanting)))
		if err != nil {
			return err
		}
		for i, id := range ids {
			*wanting[i] = id
		}
	}
	for _, c := range m.Categories {
		for _, i := range c.Items {
			for g, id := range i.Groups {
				if to := groups[id]; to != nil {
					i.Groups[g] = *to
				}
			}
		}
	}
	return nil
}
