package privacy

// Entry is what tests know of an entry of the list: conditions for the rows that it finds, and for those that an erasure leaves none of.
type Entry struct {
	Name        string
	Finds, Gone []string
	Copied      bool // a copy has a file of it
	Says        bool // it does something, or says why the rows stay
	Most        string
}

// OfAccount returns what the list says about accounts, in one entry for each table.
func OfAccount() (all []Entry) {
	for _, t := range tables {
		e := Entry{Name: t.name, Most: t.most, Copied: t.gives+t.sent+t.did != "", Says: t.drop || t.blank+t.empty+t.found+t.by+t.paid+t.stays != ""}
		add := func(where string, gone bool) {
			where = "(" + where + ")"
			e.Finds = append(e.Finds, where)
			if gone {
				e.Gone = append(e.Gone, where)
			}
		}
		if t.own != "" {
			add(t.own+" = @id", t.drop)
		}
		if t.mine != "" {
			add(t.mine, true)
		}
		if t.found != "" {
			add(t.found, t.name != "river_job") // the last letter waits
		}
		if t.by != "" {
			add("@email IN ("+t.by+")", true)
		}
		all = append(all, e)
	}
	return all
}

// OfPayer returns what the list says about payers.
func OfPayer() (all []Entry) {
	for _, t := range tables {
		if t.paid != "" {
			e := Entry{Name: t.name, Finds: []string{t.paid}}
			if t.empty == "" {
				e.Gone = e.Finds
			}
			all = append(all, e)
		}
	}
	return all
}
