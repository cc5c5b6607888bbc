// SPDX-License-Identifier: MIT
#include "sim/report/terminal.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string>

#include <unistd.h>

namespace ftlab::report {

Terminal Terminal::of(int descriptor) {
    std::string locale;
    for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {  // the first that is set decides
        const char* value = std::getenv(name);
        if (value != nullptr && *value != '\0') {
            locale = value;
            break;
        }
    }
    std::transform(locale.begin(), locale.end(), locale.begin(), [](unsigned char c) { return std::tolower(c); });
    return {.is_terminal = isatty(descriptor) == 1,
            .utf8 = locale.find("utf-8") != std::string::npos || locale.find("utf8") != std::string::npos};
}

}  // namespace ftlab::report
