// SPDX-License-Identifier: MIT
#include "sim/analysis/mean_field.h"

#include <cmath>

#include "sim/base/check.h"

namespace ftlab::analysis {

namespace {

/// U / T.
double utilisation(Ratio spare_factor) {
    FTLAB_CHECK(spare_factor.value > 0.0 && spare_factor.value < 1.0, "a spare factor lies between 0 and 1");
    return 1.0 - spare_factor.value;
}

/// The root of a monotonic function that changes sign between `low` and `high`, to the last bits.
template <class Function>
double root(Function f, double low, double high) {
    const bool rises = f(low) < 0.0;
    for (int i = 0; i < 200 && low < high; ++i) {
        const double middle = low + (high - low) / 2;
        if (middle == low || middle == high) {
            break;
        }
        ((f(middle) < 0.0) == rises ? low : high) = middle;
    }
    return low + (high - low) / 2;
}

/// The s that solves s^d + k s = 1 + k `above`.  From the right of the root of a convex function Newton's steps only
/// descend; s = 1 is on the right because `above` <= 1.
double share_at_least(std::uint32_t d, double k, double above) {
    double s = 1.0;
    for (int i = 0; i < 100; ++i) {
        const double power = std::pow(s, static_cast<double>(d - 1));
        const double step = (power * s + k * (s - above) - 1.0) / (d * power + k);
        s -= step;
        if (step < 1e-15) {
            break;
        }
    }
    return s;
}

/// Mean valid sectors of a block when WA = T / (c U).  With S_m the share of blocks that have at least m valid sectors,
/// the equilibrium of collection and host writes telescopes to 1 - S_m^d = c m (S_m - S_m+1), S_b+1 = 0.
double mean_valid(std::uint32_t block, std::uint32_t d, double c) {
    double sum = 0.0;
    double above = 0.0;
    for (std::uint32_t m = block; m >= 1; --m) {
        above = share_at_least(d, c * m, above);
        sum += above;
    }
    return sum;
}

}  // namespace

double waf_fifo(Ratio spare_factor) {
    const double rho = utilisation(spare_factor);
    // In w = 1 - u, the share that a victim frees: WA = 1 / w.
    const double freed = root([rho](double w) { return -w / std::log1p(-w) - rho; }, 1e-300, 1.0);
    return 1.0 / freed;
}

double waf_random(Ratio spare_factor) { return 1.0 / (1.0 - utilisation(spare_factor)); }

double waf_d_choices(Ratio spare_factor, std::uint32_t block, std::uint32_t d) {
    FTLAB_CHECK(block > 0 && d > 0, "there are sectors in a block and draws to make");
    const double rho = utilisation(spare_factor);
    // No policy of this family is better than WA = 1 or worse than random; a little wider, for rounding.
    const double c =
        root([&](double x) { return mean_valid(block, d, x) - block * rho; }, 0.99 * (1.0 - rho) / rho, 1.01 / rho);
    return 1.0 / (c * rho);
}

double waf_greedy(Ratio spare_factor, std::uint32_t block) {
    FTLAB_CHECK(block > 0, "there are sectors in a block");
    const double rho = utilisation(spare_factor);
    // The share x_m of blocks with m valid sectors is 1 / (c m) above the victims' level j, and the rest is at j.  As
    // the level goes down the mean falls: j is the first level that would reach below b rho when its share is also 1 /
    // (c j).
    double harmonic = 0.0;  // H_b - H_j
    for (std::uint32_t j = block - 1; j > 0; --j) {
        harmonic += 1.0 / (j + 1.0);
        if ((block - j + 1.0) / (harmonic + 1.0 / j) <= block * rho) {
            const double c = (block - j - j * harmonic) / (block * rho - j);
            return 1.0 / (c * rho);
        }
    }
    return 1.0;  // level 0: victims are empty
}

}  // namespace ftlab::analysis
