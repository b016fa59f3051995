package stat

import (
	"fmt"
	"math/big"
	"strconv"
)

// Gap is by how much one arm was slower than another, and whether that can be
// claimed as a lower bound although the host was not equally busy.
type Gap struct {
	Share float64 // (faster - slower) / faster
	// AtLeast is the share in whole percent, rounded down: a lower bound may not
	// be rounded up.
	AtLeast int
	// Claimed says that the premise holds: foreign load only slows the product,
	// it was recorded for both arms, and the faster arm carried at least as much.
	Claimed bool
}

// OneSidedGap compares the throughput of two arms, 0 ≤ slower ≤ faster, given
// the foreign load of each in one unit; nil is not recorded.
func OneSidedGap(slower, faster float64, foreignSlower, foreignFaster *float64) (Gap, error) {
	if err := finite([]float64{slower, faster}); err != nil {
		return Gap{}, err
	}
	if slower < 0 || faster <= 0 || slower > faster {
		return Gap{}, fmt.Errorf("slower %v, faster %v: want 0 ≤ slower ≤ faster and faster positive", slower, faster)
	}
	share := new(big.Rat).Sub(decimal(faster), decimal(slower))
	share.Quo(share, decimal(faster))
	g := Gap{Claimed: foreignSlower != nil && foreignFaster != nil && *foreignFaster >= *foreignSlower}
	g.Share, _ = share.Float64()
	percent := share.Mul(share, big.NewRat(100, 1))
	g.AtLeast = int(new(big.Int).Quo(percent.Num(), percent.Denom()).Int64())
	return g, nil
}

// String is the claim in words.
func (g Gap) String() string {
	if !g.Claimed {
		return "not comparable"
	}
	return fmt.Sprintf("at least %d %%", g.AtLeast)
}

// decimal returns the number that a float64 was written as: 0.9 is 9/10, so
// that 1 against 0.9 is 10 %, not a little less.
func decimal(v float64) *big.Rat {
	r, _ := new(big.Rat).SetString(strconv.FormatFloat(v, 'g', -1, 64))
	return r
}
