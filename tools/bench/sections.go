package main

import (
	"context"
	"errors"
	"fmt"
	"os"
)

// section is a part of a run that is measured separately.
type section struct {
	name    string
	measure func(*bench, context.Context) error
}

func (b *bench) everything(ctx context.Context) error {
	return errors.Join(
		b.each(ctx, section{"size", (*bench).size}, section{"starts", (*bench).starts}, section{"starts outside", (*bench).startsOutside},
			section{"memory after unpacking", (*bench).memoryAfterUnpacking}),
		b.running(ctx),
		b.each(ctx, section{"fanout", (*bench).fanout}, section{"payments", (*bench).payments}, section{"crowd", (*bench).oneAddress},
			section{"forms", (*bench).drafts}, section{"floods", (*bench).floods}, section{"steady", (*bench).steady}),
	)
}

// running measures everything that needs a running program.
func (b *bench) running(ctx context.Context) error {
	return b.onProgram(ctx, part{"memory", (*bench).memory}, part{"menu", (*bench).menuPage}, part{"orders", (*bench).orders},
		part{"pages", (*bench).pages}, part{"studio", (*bench).studio})
}

// everyPage measures the menu and the payment page, on the server and in a browser.
func (b *bench) everyPage(ctx context.Context) error {
	return errors.Join(
		b.onProgram(ctx, part{"menu", (*bench).menuPage}, part{"pages", (*bench).pages}),
		b.each(ctx, section{"payment page", (*bench).onPayment}),
	)
}

// part is a section that measures a running program.
type part struct {
	name    string
	measure func(*bench, context.Context, *process) error
}

// onProgram measures parts on a program that has been started a second time.
func (b *bench) onProgram(ctx context.Context, parts ...part) (err error) {
	if _, err := b.boot(ctx, "/readyz", "data"); err != nil {
		return fmt.Errorf("a running program: %w", err)
	}
	p, err := b.serve(ctx, "data")
	if err != nil {
		return fmt.Errorf("a running program: %w", err)
	}
	defer func() { err = errors.Join(err, p.stop()) }()
	var sections []section
	for _, one := range parts {
		sections = append(sections, section{one.name, func(b *bench, ctx context.Context) error { return one.measure(b, ctx, p) }})
	}
	return b.each(ctx, sections...)
}

// each measures one section after another. It tries a failed section again, because a browser or a busy machine may stumble, and
// reports a section that fails again before it goes on to the next. The error names the sections that failed.
func (b *bench) each(ctx context.Context, sections ...section) error {
	var failed []error
	for _, s := range sections {
		if ctx.Err() != nil {
			return errors.Join(append(failed, ctx.Err())...)
		}
		err := b.alone(ctx, s)
		if err != nil && ctx.Err() == nil {
			fmt.Fprintf(b.out, "\n%s failed and will be tried once more: %v\n", s.name, err)
			err = b.alone(ctx, s)
		}
		if err != nil {
			fmt.Fprintf(b.out, "\n%s FAILED: %v\n", s.name, err)
			failed = append(failed, fmt.Errorf("%s: %w", s.name, err))
		}
	}
	return errors.Join(failed...)
}

// alone measures a section in a new folder, so that a second try finds nothing of the first.
func (b *bench) alone(ctx context.Context, s section) (err error) {
	one := *b
	if one.folder, err = os.MkdirTemp(b.folder, "section-"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(one.folder)) }()
	if err := openFolder(one.folder); err != nil {
		return err
	}
	return s.measure(&one, ctx)
}

// openFolder lets PostgreSQL enter a folder. PostgreSQL runs as another user if this program runs as root.
func openFolder(path string) error {
	return os.Chmod(path, 0o755) //nolint:gosec // see above
}
