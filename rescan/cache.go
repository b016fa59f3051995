package rescan

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Bounds of a cache entry, in bytes.
const (
	maxStored = 64 << 20  // on disk
	maxEntry  = 512 << 20 // unpacked
)

// cache is a folder of entries by key. An entry is a line with the SHA-256 of
// what follows, and packed JSON that repeats the key; one that does not fit, for
// whatever reason, is not there. It is written beside its place and renamed. A
// nil cache keeps nothing.
type cache struct{ root *os.Root }

// ErrCache: results cannot be kept.
var ErrCache = errors.New("results cannot be kept")

// openCache opens or makes the folder of a cache. "" is derived/rescan in the
// archive, where no link is followed out of it.
func openCache(archive, dir string) (*cache, error) {
	if dir == "" {
		root, err := os.OpenRoot(archive)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrCache, withoutPath(err))
		}
		defer root.Close()
		inside := filepath.Join(derivedName, "rescan")
		if err := root.MkdirAll(inside, 0o777); err != nil {
			return nil, fmt.Errorf("%w in %s: %w", ErrCache, inside, withoutPath(err))
		}
		own, err := root.OpenRoot(inside)
		if err != nil {
			return nil, fmt.Errorf("%w in %s: %w", ErrCache, inside, withoutPath(err))
		}
		return writable(own, " in "+inside)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCache, withoutPath(err))
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCache, withoutPath(err))
	}
	return writable(root, "")
}

// writable refuses a folder that takes no file, before any work is done.
func writable(root *os.Root, where string) (*cache, error) {
	const probe = ".probe"
	err := root.WriteFile(probe, nil, 0o666)
	if err == nil {
		err = root.Remove(probe)
	}
	if err != nil && !errors.Is(err, os.ErrNotExist) { // another scan may have removed it
		root.Close()
		return nil, fmt.Errorf("%w%s: %w", ErrCache, where, withoutPath(err))
	}
	return &cache{root}, nil
}

func (c *cache) close() {
	if c != nil {
		c.root.Close()
	}
}

// place is the file of a key, spread over 256 folders.
func place(key string) string { return filepath.Join(key[:2], key[2:]) }

// stored is the JSON of an entry.
type stored struct {
	Key   string          `json:"key"`
	Value json.RawMessage `json:"value"`
}

// load reads the entry of a key into v, and reports whether there is one that is
// whole and of that key.
func (c *cache) load(key string, v any) bool {
	if c == nil {
		return false
	}
	info, err := c.root.Lstat(place(key))
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxStored {
		return false
	}
	data, err := c.root.ReadFile(place(key))
	if err != nil {
		return false
	}
	sum, packed, ok := bytes.Cut(data, []byte("\n"))
	if !ok || string(sum) != sumOf(packed) {
		return false
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return false
	}
	text, err := io.ReadAll(io.LimitReader(unpacked, maxEntry))
	if err != nil {
		return false
	}
	var e stored
	return json.Unmarshal(text, &e) == nil && e.Key == key && json.Unmarshal(e.Value, v) == nil
}

// store keeps the JSON of a value under a key. A process that is killed
// meanwhile leaves the old entry or the new one, and at most a hidden file that
// the next writer of the key replaces.
func (c *cache) store(key string, value json.RawMessage) error {
	if c == nil {
		return nil
	}
	text, err := json.Marshal(stored{key, value})
	if err != nil {
		return err
	}
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestSpeed)
	if err == nil {
		_, err = w.Write(text)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		return err
	}
	name := place(key)
	if err := c.root.Mkdir(filepath.Dir(name), 0o777); err != nil && !errors.Is(err, os.ErrExist) {
		return err
	}
	next := filepath.Join(filepath.Dir(name), "."+filepath.Base(name))
	data := append([]byte(sumOf(packed.Bytes())+"\n"), packed.Bytes()...)
	if err := c.root.WriteFile(next, data, 0o666); err != nil {
		return err
	}
	return c.root.Rename(next, name)
}

func sumOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// historyKey is where the configurations of past scans are kept, the latest last.
var historyKey = strings.Repeat("0", 64)

// maxHistory bounds how many of them are.
const maxHistory = 64

// history returns the configurations of past scans.
func (c *cache) history() []string {
	var past []string
	if !c.load(historyKey, &past) {
		return nil
	}
	return past
}
