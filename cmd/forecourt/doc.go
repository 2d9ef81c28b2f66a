package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"text/tabwriter"
	"time"

	"forecourt/internal/document"
)

// documents runs the commands about documents.
func documents(ctx context.Context, env environment, args []string) error {
	return env.branch(ctx, "doc", "Keeps documents: terms, privacy and any other long text.", args, []command{
		{"put", "doc put ID [FILE]", "save a text, from stdin without FILE", putDocument},
		{"get", "doc get ID", "print it", getDocument},
		{"list", "doc list", "list them all", listDocuments},
		{"rm", "doc rm ID", "delete one", removeDocument},
	})
}

// putDocument saves a document.
func putDocument(ctx context.Context, env environment, args []string) error {
	words, rest := leading(args, 2)
	about := "Saves a UTF-8 text of any size: forecourt doc put ID [FILE]\nReaders see the old text until the new one is there, whole."
	if err := env.parse(flag.NewFlagSet("doc put", flag.ContinueOnError), rest, about); err != nil {
		return err
	}
	if len(words) == 0 {
		return env.wrong("doc put", "which document?")
	}
	source := env.stdin
	if file := at(words, 1); file != "" {
		f, err := os.Open(file) //nolint:gosec // G703: the operator names the file
		if err != nil {
			return err
		}
		defer func() { _ = f.Close() }()
		source = f
	}
	return withDocuments(ctx, env, "doc put", func(docs *document.Documents) error {
		saved, err := docs.Save(ctx, words[0], source)
		if text := new(document.TextError); errors.As(err, &text) {
			return errors.New(wordText(text))
		}
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(env.stdout, "Saved %s: %d characters (pages: %d).\n", saved.ID, saved.Characters, saved.Pages)
		return err
	})
}

func wordText(e *document.TextError) string {
	if e.NUL {
		return fmt.Sprintf("nothing was saved: byte %d, counted from 0, is NUL, which no text holds", e.Offset)
	}
	return fmt.Sprintf("nothing was saved: the text is not UTF-8 at byte %d, counted from 0", e.Offset)
}

// getDocument prints a document.
func getDocument(ctx context.Context, env environment, args []string) error {
	id, err := env.oneDocument("doc get", "Prints a document: forecourt doc get ID", args)
	if err != nil {
		return err
	}
	return withDocuments(ctx, env, "doc get", func(docs *document.Documents) error {
		return docs.Write(ctx, id, env.stdout)
	})
}

// removeDocument deletes a document.
func removeDocument(ctx context.Context, env environment, args []string) error {
	id, err := env.oneDocument("doc rm", "Deletes a document: forecourt doc rm ID", args)
	if err != nil {
		return err
	}
	return withDocuments(ctx, env, "doc rm", func(docs *document.Documents) error { return docs.Remove(ctx, id) })
}

// oneDocument reads the only argument of a command.
func (env environment) oneDocument(name, about string, args []string) (id string, err error) {
	words, rest := leading(args, 1)
	if err := env.parse(flag.NewFlagSet(name, flag.ContinueOnError), rest, about); err != nil {
		return "", err
	}
	if len(words) == 0 {
		return "", env.wrong(name, "which document?")
	}
	return words[0], nil
}

// listDocuments lists every document.
func listDocuments(ctx context.Context, env environment, args []string) error {
	flags := flag.NewFlagSet("doc list", flag.ContinueOnError)
	asJSON := flags.Bool("json", false, "as JSON")
	if err := env.parse(flags, args, "Lists the documents."); err != nil {
		return err
	}
	return withDocuments(ctx, env, "doc list", func(docs *document.Documents) error {
		infos, err := docs.List(ctx)
		if err != nil {
			return err
		}
		if *asJSON {
			return json.NewEncoder(env.stdout).Encode(infos)
		}
		table := tabwriter.NewWriter(env.stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "ID\tCHARACTERS\tPAGES\tSAVED")
		for _, info := range infos {
			fmt.Fprintf(table, "%s\t%d\t%d\t%s\n", info.ID, info.Characters, info.Pages, info.Saved.UTC().Format(time.RFC3339))
		}
		return table.Flush()
	})
}

// withDocuments opens the documents for a command and words what it could not do.
func withDocuments(ctx context.Context, env environment, name string, work func(*document.Documents) error) error {
	return withDatabase(ctx, env, func(_ config, d *database) error {
		err := work(document.New(d.pool))
		switch {
		case errors.Is(err, document.ErrMissing):
			return errors.New("there is no such document; forecourt doc list names them")
		case errors.Is(err, document.ErrID):
			return env.wrong(name, "a document's name has 1 to 100 small letters, digits, dots, - and _, a letter or digit first")
		}
		return err
	})
}
