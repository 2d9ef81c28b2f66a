package main

import (
	"os"
	"path/filepath"
	"strings"

	"forecourt/internal/demo"
)

func importCommands(o operatorOf) {
	file := filepath.Join(o.t.TempDir(), "menu.csv")
	if err := os.WriteFile(file, []byte("category,name,price\nBakery,Butter Croissant,5.90\n"), 0o600); err != nil {
		o.t.Fatal(err)
	}
	for _, flag := range []string{"--client", "--merchant"} { // --merchant is its old name
		if got := o.does(0, "merchant", "import", file, flag, demo.MerchantCode); !strings.HasPrefix(got, "https://pay.example/pos/"+demo.MerchantCode) {
			o.t.Errorf("%s: it prints %q", flag, got)
		}
	}
	o.fails(2, "--client", "merchant", "import", file)
	o.fails(1, "no merchant has the code", "merchant", "import", file, "--client", "nobody")
}
