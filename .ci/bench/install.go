package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// install sees to it that the tools of the loads are there, those of which a
// version can be installed, and takes the others out of the loads. vegeta is
// required where anything is judged by it.
func (b *bench) install(ctx context.Context) error {
	for _, t := range tools {
		switch {
		case !b.wants(t.name):
			continue
		case t.versions == nil:
			b.binaries[t.name] = b.pileup
			continue
		}
		binary, err := newest(ctx, t, b.cache)
		if err == nil {
			b.binaries[t.name] = binary
			continue
		}
		if t.name == vegeta {
			return fmt.Errorf("install vegeta: %w", err)
		}
		b.note("%s is left out: it cannot be installed: %v", t.name, err)
		for i := range b.loads {
			b.loads[i].also = slices.DeleteFunc(slices.Clone(b.loads[i].also), func(n string) bool { return n == t.name })
		}
	}
	return nil
}

// wants reports whether a load asks for a tool.
func (b *bench) wants(name string) bool {
	return slices.ContainsFunc(b.loads, func(l load) bool {
		return slices.Contains(l.judged, name) || slices.Contains(l.also, name)
	})
}

// newest installs the first version of a tool that can be, unless it is there,
// and returns the program's file.
func newest(ctx context.Context, t tool, cache string) (binary string, err error) {
	for _, v := range t.versions {
		_, version, _ := strings.Cut(v, "@")
		dir := filepath.Join(cache, t.name+"-"+version)
		binary = filepath.Join(dir, t.name)
		if _, err = os.Stat(binary); err == nil {
			return binary, nil
		}
		if err = goInstall(ctx, v, dir); err == nil {
			return binary, nil
		}
	}
	return "", err
}

func goInstall(ctx context.Context, pkg, dir string) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "go", "install", pkg)
	cmd.Dir = filepath.Dir(dir)
	cmd.Env = append(os.Environ(), "GOBIN="+dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go install %s: %w: %s", pkg, err, ending(out))
	}
	return nil
}
