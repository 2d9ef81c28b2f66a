package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"text/tabwriter"
	"time"

	"forecourt/internal/document"
)

// docCommand manages documents.
type docCommand struct {
	Put  putDocument    `cmd:"" help:"Save a UTF-8 text of any size. Readers see the old text until the new one is there, whole."`
	Get  getDocument    `cmd:"" help:"Print a document."`
	List listDocuments  `cmd:"" help:"List the documents."`
	Rm   removeDocument `cmd:"" help:"Delete a document."`
}

// putDocument saves a document.
type putDocument struct {
	ID   string `arg:"" name:"id" help:"Its name." missing:"which document?"`
	File string `arg:"" optional:"" help:"The text; from the standard input without one."`
}

// Run saves it.
func (o putDocument) Run(ctx context.Context, env environment) error {
	source := env.stdin
	if o.File != "" {
		f, err := os.Open(o.File)
		if err != nil {
			return err
		}
		defer func() { _ = f.Close() }()
		source = f
	}
	return withDocuments(ctx, env, func(docs *document.Documents) error {
		saved, err := docs.Save(ctx, o.ID, source)
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
type getDocument struct {
	ID string `arg:"" name:"id" help:"Its name." missing:"which document?"`
}

// Run prints it.
func (o getDocument) Run(ctx context.Context, env environment) error {
	return withDocuments(ctx, env, func(docs *document.Documents) error {
		return docs.Write(ctx, o.ID, env.stdout)
	})
}

// removeDocument deletes a document.
type removeDocument struct {
	ID string `arg:"" name:"id" help:"Its name." missing:"which document?"`
}

// Run deletes it.
func (o removeDocument) Run(ctx context.Context, env environment) error {
	return withDocuments(ctx, env, func(docs *document.Documents) error { return docs.Remove(ctx, o.ID) })
}

// listDocuments lists every document.
type listDocuments struct {
	JSON bool `name:"json" help:"As JSON."`
}

// Run prints them.
func (o listDocuments) Run(ctx context.Context, env environment) error {
	return withDocuments(ctx, env, func(docs *document.Documents) error {
		infos, err := docs.List(ctx)
		if err != nil {
			return err
		}
		if o.JSON {
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

// withDocuments opens the documents for a command, with texts for its errors.
func withDocuments(ctx context.Context, env environment, work func(*document.Documents) error) error {
	return withDatabase(ctx, env, func(_ config, d *database) error {
		err := work(document.New(d.pool))
		switch {
		case errors.Is(err, document.ErrMissing):
			return errors.New("there is no such document; forecourt doc list names them")
		case errors.Is(err, document.ErrID):
			return env.wrong("a document's name has 1 to 100 small letters, digits, dots, - and _, a letter or digit first")
		}
		return err
	})
}
