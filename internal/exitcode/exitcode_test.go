package exitcode_test

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"

	"headroom/internal/exitcode"
)

func TestOf(t *testing.T) {
	absent := &exitcode.Error{Code: exitcode.CouldNotLook, Err: fs.ErrNotExist}
	for _, c := range []struct {
		err  error
		want exitcode.Code
	}{
		{nil, 0},
		{&exitcode.Error{Code: exitcode.Failed, Err: errors.New("gate dropped failed")}, 1},
		{absent, 2},
		{fmt.Errorf("run.json: %w", absent), 2},
		{errors.New("unknown flag"), 3},
	} {
		if got := exitcode.Of(c.err); got != c.want {
			t.Errorf("Of(%v) = %d, want %d", c.err, got, c.want)
		}
	}
	if !errors.Is(absent, fs.ErrNotExist) || absent.Error() != fs.ErrNotExist.Error() {
		t.Error("the cause is lost")
	}
}
