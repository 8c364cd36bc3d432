package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"dev.example/pileup/loadgen/cli"
	"dev.example/pileup/loadgen/demo"
	"dev.example/pileup/loadgen/lang"
	"dev.example/pileup/tui/keys"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"pileup": func() { os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	})
}

// TestScripts runs the command as a user does. Beside the usual commands the
// scripts have
//
//	code N pileup …      run it; its exit code must be N; its output goes to the files out and err
//	port NAME            put a free port of 127.0.0.1 into $NAME
//	up PORT              wait until something listens there
//	speak PORT FILE      answer every connection there with FILE
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{Dir: "testdata/script", Cmds: map[string]func(*testscript.TestScript, bool, []string){
		"code": code, "port": port, "up": up, "speak": speak,
	}})
}

func code(ts *testscript.TestScript, _ bool, args []string) {
	c := exec.Command(args[1], args[2:]...)
	c.Dir = ts.MkAbs(".")
	c.Env = []string{"PATH=" + ts.Getenv("PATH"), "HOME=" + ts.Getenv("HOME"), "TMPDIR=" + ts.Getenv("TMPDIR")}
	var out, err bytes.Buffer
	c.Stdout, c.Stderr = &out, &err
	_ = c.Run() // the code says it
	ts.Check(os.WriteFile(ts.MkAbs("out"), out.Bytes(), 0o644))
	ts.Check(os.WriteFile(ts.MkAbs("err"), err.Bytes(), 0o644))
	if got := strconv.Itoa(c.ProcessState.ExitCode()); got != args[0] {
		ts.Fatalf("exit code %s, want %s\n%s%s", got, args[0], out.String(), err.String())
	}
}

func port(ts *testscript.TestScript, _ bool, args []string) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	_, p, err := net.SplitHostPort(ln.Addr().String())
	ts.Check(err)
	ts.Check(ln.Close())
	ts.Setenv(args[0], p)
}

func up(ts *testscript.TestScript, _ bool, args []string) {
	for end := time.Now().Add(time.Minute); ; {
		c, err := net.Dial("tcp", "127.0.0.1:"+args[0])
		if err == nil {
			ts.Check(c.Close())
			return
		}
		if time.Now().After(end) {
			ts.Fatalf("nothing listens: %v", err)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func speak(ts *testscript.TestScript, _ bool, args []string) {
	text := ts.ReadFile(args[1])
	ln, err := net.Listen("tcp", "127.0.0.1:"+args[0])
	ts.Check(err)
	ts.Defer(func() { ln.Close() })
	go func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				_, _ = c.Read(make([]byte, 4096))
				_, _ = io.WriteString(c, text)
			}()
		}
	}()
}

const module = "dev.example/pileup"

// mayImport says which of our packages each one may import. A name that ends
// in /… stands for everything below it. pace and guard may be imported by all.
var mayImport = map[string]string{
	"":                        "loadgen/cli",
	"themes":                  "",
	"probes":                  "",
	"probes/…":                "probes loadgen/wire",
	"loadgen/pace":            "",
	"loadgen/guard":           "",
	"loadgen/wire":            "",
	"loadgen/payload":         "",
	"loadgen/ledger":          "probes",
	"loadgen":                 "loadgen/ledger loadgen/payload",
	"loadgen/target/httpconn": "loadgen loadgen/ledger loadgen/payload",
	"loadgen/target/…":        "loadgen loadgen/ledger loadgen/payload loadgen/wire loadgen/target/httpconn",
	"loadgen/explain":         "loadgen/ledger probes",
	"loadgen/runfile":         "loadgen/ledger probes",
	"loadgen/lang":            "loadgen/ledger",
	"loadgen/report":          "loadgen/ledger loadgen/lang probes",
	"loadgen/plan":            "loadgen/ledger loadgen/lang probes",
	"loadgen/run":             "loadgen loadgen/ledger loadgen/explain loadgen/runfile probes",
	"loadgen/study":           "loadgen loadgen/run loadgen/plan loadgen/ledger loadgen/runfile probes",
	"loadgen/demo":            "loadgen/wire loadgen/payload probes",
	"loadgen/remote":          "loadgen/run loadgen/ledger loadgen/wire probes/agent",
	"loadgen/cli":             "loadgen loadgen/… probes probes/… themes tui tui/…",
	"tui":                     "loadgen/ledger loadgen/lang probes themes tui/…",
	"tui/cells":               "",
	"tui/term":                "",
	"tui/…":                   "loadgen/ledger loadgen/lang probes themes tui/…",
}

// mayUse says which packages may import a module, where not all may.
var mayUse = map[string]string{
	"github.com/NimbleMarkets/ntcharts":   "tui/chart",
	"github.com/charmbracelet/bubbletea":  "tui tui/term loadgen/cli",
	"github.com/spf13/cobra":              "loadgen/cli",
	"github.com/prometheus/client_golang": "loadgen/report",
}

// TestTheHouse holds every direct import to the plan of the house.
func TestTheHouse(t *testing.T) {
	for pkg, imports := range directImports(t) {
		allowed, known := rule(mayImport, pkg)
		if !known {
			t.Errorf("package %q is in no room of the house", pkg)
		}
		for _, imp := range imports {
			if inner, ours := cutModule(imp); ours {
				if inner != "loadgen/pace" && inner != "loadgen/guard" && !among(inner, allowed) {
					t.Errorf("%s may not import %s", pkg, inner)
				}
				continue
			}
			for mod, users := range mayUse {
				if (imp == mod || strings.HasPrefix(imp, mod+"/")) && !among(pkg, users) {
					t.Errorf("%s may not import %s", pkg, imp)
				}
			}
		}
	}
}

// rule returns the entry of pkg, or of what it lies below.
func rule(rules map[string]string, pkg string) (string, bool) {
	if r, ok := rules[pkg]; ok {
		return r, true
	}
	for dir := pkg; strings.Contains(dir, "/"); {
		dir = dir[:strings.LastIndexByte(dir, '/')]
		if r, ok := rules[dir+"/…"]; ok {
			return r, true
		}
	}
	return "", false
}

func among(pkg, names string) bool {
	return slices.ContainsFunc(strings.Fields(names), func(n string) bool {
		below, all := strings.CutSuffix(n, "…")
		return n == pkg || all && strings.HasPrefix(pkg, below)
	})
}

func cutModule(path string) (inner string, ours bool) {
	if path == module {
		return "", true
	}
	return strings.CutPrefix(path, module+"/")
}

// directImports lists the imports of each of our packages, without tests.
func directImports(t *testing.T) map[string][]string {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]string{}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			ImportPath string
			Imports    []string
		}
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		inner, _ := cutModule(p.ImportPath)
		all[inner] = p.Imports
	}
}

// walkSources walks the program's own files: what lies under a dot is of those
// who work on it.
func walkSources(visit fs.WalkDirFunc) error {
	return filepath.WalkDir(".", func(path string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() && path != "." && strings.HasPrefix(d.Name(), ".") {
			return fs.SkipDir
		}
		return visit(path, d, err)
	})
}

// TestGoroutinesStartInGuardOnly finds a goroutine that a panic would leave
// alone with the terminal.
func TestGoroutinesStartInGuardOnly(t *testing.T) {
	starts := regexp.MustCompile(`(?m)^\s*go (func\b|[\w.]+\()`)
	groups := regexp.MustCompile(`(\w+)\s+sync\.WaitGroup\b`)
	err := walkSources(func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") ||
			filepath.Dir(path) == filepath.Join("loadgen", "guard") {
			return err
		}
		text, err := os.ReadFile(path)
		if loc := starts.FindIndex(text); loc != nil {
			t.Errorf("%s starts a goroutine of its own: %s", path, bytes.TrimSpace(text[loc[0]:loc[1]]))
		}
		for _, m := range groups.FindAllSubmatch(text, -1) {
			if bytes.Contains(text, append(m[1], ".Go("...)) {
				t.Errorf("%s starts goroutines in a sync.WaitGroup of its own: %s", path, m[1])
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestContextsBeginInMainOnly finds a context that nobody can end.
func TestContextsBeginInMainOnly(t *testing.T) {
	var found []string
	err := walkSources(func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		if bytes.Contains(text, []byte("context.Background()")) || bytes.Contains(text, []byte("context.TODO()")) {
			found = append(found, filepath.ToSlash(path))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"loadgen/cli/cli.go"}; !slices.Equal(found, want) {
		t.Errorf("contexts begin in %v, want %v", found, want)
	}
}

// TestReadme holds the README to the program: its commands are the ones the
// scripts run, and its table of keys is the table the program has.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	readme := string(text)
	if n := strings.Count(readme, "\n"); n > 300 {
		t.Errorf("%d lines", n)
	}
	if want := keyTable(); !strings.Contains(readme, want) {
		t.Errorf("the table of keys is not the program's:\n%s", want)
	}
	for _, m := range regexp.MustCompile(`!\[[^]]*\]\(([^)]+)\)`).FindAllStringSubmatch(readme, -1) {
		if _, err := os.Stat(m[1]); err != nil {
			t.Errorf("picture: %v", err)
		}
	}
}

// TestReadmeCommands runs every command of the README that drives a server, for
// three requests, with the demo's server in the place of its example.
func TestReadmeCommands(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	ln, err := demo.Listen(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go demo.New(demo.Config{}).Serve(t.Context(), ln)
	t.Chdir(t.TempDir())
	picture(t, "cat.png")
	ran := 0
	for _, line := range regexp.MustCompile(`(?m)^\$ pileup (.*)$`).FindAllStringSubmatch(string(text), -1) {
		args := words(regexp.MustCompile(`(xavier|tx2|nano):8501`).ReplaceAllString(line[1], ln.Addr().String()))
		args = append(args, "-n", "3")
		if !slices.Contains(args, "--json") {
			args = append(args, "--plain")
		}
		var out, errs bytes.Buffer
		if got := cli.Main(args, strings.NewReader(""), &out, &errs); got != 0 {
			t.Errorf("%s: exit code %d\n%s%s", line[0], got, out.String(), errs.String())
		}
		var object struct{ Total struct{ Due int } }
		d := json.NewDecoder(&out)
		if slices.Contains(args, "--json") && (d.Decode(&object) != nil || object.Total.Due != 3 || d.Decode(&object) != io.EOF) {
			t.Errorf("%s: not one object of 3 requests", line[0])
		}
		if i := slices.Index(args, "-o"); i >= 0 {
			if data, err := os.ReadFile(args[i+1]); err != nil || !bytes.HasPrefix(data, []byte(`{"t":"run"`)) || bytes.Count(data, []byte(`{"t":"req"`)) != 3 {
				t.Errorf("%s: no recording of 3 requests: %v\n%s", line[0], err, data)
			}
		}
		ran++
	}
	if ran < 4 {
		t.Errorf("only %d commands were found", ran)
	}
}

// TestReadmeWorkload makes the workload that the README makes.
func TestReadmeWorkload(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	made := regexp.MustCompile("`pileup (workload make .*?)`").FindAllStringSubmatch(string(text), -1)
	for _, line := range made {
		var out, errs bytes.Buffer
		if got := cli.Main(words(line[1]), strings.NewReader(""), &out, &errs); got != 0 || !strings.HasPrefix(out.String(), "second,model,count\n1,") {
			t.Errorf("%s: exit code %d\n%s%s", line[0], got, out.String(), errs.String())
		}
	}
	if len(made) != 1 {
		t.Errorf("%d are made", len(made))
	}
}

// words splits a command line as a shell does, as far as the README needs it.
func words(line string) (out []string) {
	for _, w := range regexp.MustCompile(`'[^']*'|\S+`).FindAllString(line, -1) {
		out = append(out, strings.Trim(w, "'"))
	}
	return out
}

// TestReadmePatterns holds the table of what is due to the program: what it
// says is understood, and only the server is missing.
func TestReadmePatterns(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile("w.csv", []byte("1,m,3\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile("(?m)^\\| `(-[^`]+)` \\|").FindAllStringSubmatch(string(text), -1)
	for _, row := range rows {
		var out, errs bytes.Buffer
		args := append(words(row[1]), "-m", "m", "--plain", "tfs+http://127.0.0.1:1")
		if got := cli.Main(args, strings.NewReader(""), &out, &errs); got != 2 || !strings.Contains(errs.String(), "nothing listens at 127.0.0.1:1") {
			t.Errorf("%s: exit code %d\n%s", row[1], got, errs.String())
		}
	}
	if len(rows) < 5 {
		t.Errorf("only %d patterns were found", len(rows))
	}
}

func picture(t *testing.T, name string) {
	t.Helper()
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(png.Encode(f, image.NewRGBA(image.Rect(0, 0, 40, 30))), f.Close()); err != nil {
		t.Fatal(err)
	}
}

// keyTable is the program's own table of keys as it stands in the README.
func keyTable() string {
	var b strings.Builder
	b.WriteString("| key | does |\n| --- | --- |\n")
	for _, g := range keys.Groups {
		for _, k := range keys.Of(g) {
			if shown := k.Help().Key; shown != "" {
				fmt.Fprintf(&b, "| `%s` | %s |\n", shown, lang.English.T(lang.ID("help-"+k.Name)))
			}
		}
	}
	return b.String()
}
