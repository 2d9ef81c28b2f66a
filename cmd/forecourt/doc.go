package main

import (
	"context"
	"fmt"
	"os"
	"strconv"

	"forecourt/internal/site/legal"
)

type docCommand struct {
	Put  putDocument    `cmd:"" help:"Save a UTF-8 text of any size. Readers see the old text until the new one is there, whole."`
	Get  getDocument    `cmd:"" help:"Print a document."`
	List listDocuments  `cmd:"" help:"List the documents."`
	Rm   removeDocument `cmd:"" help:"Delete a document."`
}

type ofDocument struct {
	ID string `arg:"" name:"id" help:"Its name."`
}

type putDocument struct {
	ofDocument
	File string `arg:"" optional:"" help:"The text; from the standard input without one."`
}

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
	return withDocuments(ctx, env, func(docs *legal.Documents) error {
		saved, err := docs.Save(ctx, o.ID, source)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(env.stdout, "Saved %s: %d characters (pages: %d).\n", saved.ID, saved.Characters, saved.Pages)
		return err
	})
}

type getDocument struct{ ofDocument }

func (o getDocument) Run(ctx context.Context, env environment) error {
	return withDocuments(ctx, env, func(docs *legal.Documents) error { return docs.Write(ctx, o.ID, env.stdout) })
}

type removeDocument struct{ ofDocument }

func (o removeDocument) Run(ctx context.Context, env environment) error {
	return withDocuments(ctx, env, func(docs *legal.Documents) error { return docs.Remove(ctx, o.ID) })
}

type listDocuments struct{ asJSON }

func (o listDocuments) Run(ctx context.Context, env environment) error {
	return withDocuments(ctx, env, func(docs *legal.Documents) error {
		infos, err := docs.List(ctx)
		if err != nil {
			return err
		}
		return printList(env, o.asJSON, infos, "ID\tCHARACTERS\tPAGES\tSAVED", func(info legal.DocumentInfo) []string {
			return []string{info.ID, strconv.FormatInt(info.Characters, 10), strconv.Itoa(info.Pages), inUTC(info.Saved)}
		})
	})
}

func withDocuments(ctx context.Context, env environment, work func(*legal.Documents) error) error {
	return withDatabase(ctx, env, func(_ config, d *database) error { return work(legal.NewDocuments(d.pool)) })
}
