package cli

import (
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"headroom/analyze"
)

// Flags of evidence whose values name files, and those whose values may begin with
// the name of one and a =.
var (
	fileFlags = []string{"run", "before", "after", "map"}
	ofOneFile = []string{"as", "timezone", "clock-offset"}
)

// exitStatus is the flag that takes a number or a file.
const exitStatusFlag = "exit-status"

// given returns the flags that were given, as a document records how its files were
// read: by name, each value once, files by their base names. nil if none was.
func (f *evidenceFlags) given() map[string][]string {
	out := map[string][]string{}
	f.flags.VisitAll(func(flag *pflag.Flag) {
		if !flag.Changed {
			return
		}
		values := valuesOf(flag.Value)
		for i, v := range values {
			switch file, rest, one := strings.Cut(v, "="); {
			case slices.Contains(ofOneFile, flag.Name) && one:
				values[i] = filepath.Base(file) + "=" + rest
			case slices.Contains(fileFlags, flag.Name), flag.Name == exitStatusFlag:
				values[i] = filepath.Base(v)
			}
		}
		out[flag.Name] = values
	})
	for _, r := range f.places.roles {
		out[string(r.role)] = append(out[string(r.role)], filepath.Base(r.path))
	}
	for _, g := range f.places.groups {
		out["run"] = append(out["run"], g.name)
	}
	maps.DeleteFunc(out, func(_ string, values []string) bool { return len(values) == 0 })
	if len(out) == 0 {
		return nil
	}
	return out
}

// valuesOf are the values of a flag, each as Set takes it.
func valuesOf(v pflag.Value) (out []string) {
	switch v := v.(type) {
	case pflag.SliceValue:
		return slices.Clone(v.GetSlice())
	case pairsValue:
		for _, k := range slices.Sorted(maps.Keys(*v.m)) {
			out = append(out, k+"="+(*v.m)[k])
		}
		return out
	case groupValue, roleValue: // their places have them
		return nil
	}
	return []string{v.String()}
}

// again takes from a document by which rules it was made, and how its files were
// read, where nothing was given in their place.
func (o *ReportBuildOptions) again(old *analyze.Capacity) (err error) {
	if o.Protocol, err = old.AskedWith(o.Protocol); err != nil {
		return lookf("%s: %w", o.Out, err)
	}
	o.read = maps.Clone(o.evidence.given())
	if o.read == nil {
		o.read = map[string][]string{}
	}
	files, err := o.foreign()
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(old.Read)) {
		if _, now := o.read[name]; now {
			continue
		}
		o.read[name] = old.Read[name]
		if len(files) == 0 {
			continue // runs say themselves how they were read
		}
		if err := o.set(name, old.Read[name], files); err != nil {
			return err
		}
	}
	if len(o.read) == 0 {
		o.read = nil
	}
	return nil
}

// foreign are the arguments that are no runs, files of roles included.
func (o *ReportBuildOptions) foreign() (files []string, err error) {
	for _, arg := range o.Args {
		isRuns, err := holdsRuns(o.Env, arg)
		if err != nil {
			return nil, err
		}
		if !isRuns {
			files = append(files, arg)
		}
	}
	for _, r := range o.evidence.places.roles {
		files = append(files, r.path)
	}
	return files, nil
}

// set gives a flag the values that a document records. What names a file has to be
// given again: a document knows of no folder.
func (o *ReportBuildOptions) set(name string, values, files []string) error {
	given := strings.Join(values, " --"+name+" ")
	_, number := strconv.Atoi(given)
	if slices.Contains(fileFlags, name) || name == exitStatusFlag && number != nil {
		return lookf("%s was made with --%s %s, which names files or how they go together: give that too", o.Out, name, plain(given))
	}
	flag := o.evidence.flags.Lookup(name)
	if flag == nil {
		return lookf("%s was made with --%s, which this version does not have", o.Out, plain(name))
	}
	for _, v := range values {
		if file, rest, one := strings.Cut(v, "="); one && slices.Contains(ofOneFile, name) {
			if i := slices.IndexFunc(files, func(f string) bool { return filepath.Base(f) == file }); i >= 0 {
				v = files[i] + "=" + rest
			}
		}
		if err := flag.Value.Set(v); err != nil {
			return lookf("%s was made with --%s %s: %w", o.Out, name, plain(v), err)
		}
	}
	return nil
}
