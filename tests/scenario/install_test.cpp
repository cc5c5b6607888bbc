// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include "tests/scenario/program.h"

namespace ftlab::test {

using Catch::Matchers::Contains;

TEST_CASE("the installed program finds its scenarios and drives from any folder, also through a link") {
    const ScratchFolder folder;
    REQUIRE(shell(folder, "'" FTLAB_CMAKE "' --install '" FTLAB_BUILD_DIR "' --prefix \"$PWD/usr\"").code == 0);

    const Outcome run = shell(folder,
                              "unset FTLAB_HOME; mkdir links elsewhere; ln -s ../usr/bin/ftlab links/; cd elsewhere; "
                              "../usr/bin/ftlab run quick --out o && ../links/ftlab list");

    INFO(run.err);
    CHECK(run.code == 0);
    CHECK_THAT(run.out, Contains("m5m-consistency") && Contains("plextor-m5m-64"));
    const std::string facts = content_of(folder.path("elsewhere/o/run.json"));
    CHECK_THAT(facts, Contains(folder.path("usr/share/ftlab/scenarios/quick.yaml")));
    CHECK_THAT(facts, Contains(folder.path("usr/share/ftlab/configs/devices/tiny.yaml")));
}

}  // namespace ftlab::test
