// SPDX-License-Identifier: MIT
#pragma once

namespace ftlab::report {

/// What the user's terminal can show.
struct Terminal {
    bool is_terminal = false;  ///< somebody looks at it
    bool utf8 = false;         ///< block and braille characters come out right

    /// Of standard output (1) or standard error (2) and the locale of the environment.
    [[nodiscard]] static Terminal of(int descriptor);
};

}  // namespace ftlab::report
