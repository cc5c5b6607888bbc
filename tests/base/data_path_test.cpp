// SPDX-License-Identifier: MIT
#include "sim/base/data_path.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <catch2/catch.hpp>
#include <unistd.h>

using namespace ftlab;
namespace fs = std::filesystem;

namespace {

/// A clone with a build tree, an installation and a folder of the user's, all in a folder that goes when the test ends.
class Trees {
public:
    Trees() {
        for (const char* file : {"clone/scenarios/quick.yaml", "clone/configs/devices/tiny.yaml",
                                 "prefix/share/ftlab/scenarios/quick.yaml", "mine/scenarios/own.yaml", "secret.yaml"}) {
            fs::create_directories((top_ / file).parent_path());
            std::ofstream{top_ / file} << "# " << file << '\n';
        }
        fs::create_directories(top_ / "prefix/bin");
        fs::create_directories(top_ / "clone/build/release/sim/app");
    }
    ~Trees() { fs::remove_all(top_); }
    Trees(const Trees&) = delete;
    Trees& operator=(const Trees&) = delete;

    [[nodiscard]] fs::path operator/(const char* inner) const { return top_ / inner; }
    [[nodiscard]] DataPlaces places(const char* program, const char* home = nullptr) const {
        return {.home = home == nullptr ? fs::path{} : top_ / home,
                .program = top_ / program,
                .build_tree = top_ / "clone/build/release",
                .source = top_ / "clone"};
    }

private:
    fs::path top_ = fs::temp_directory_path() / ("ftlab data path " + std::to_string(::getpid()));
};

}  // namespace

TEST_CASE("a program in its build tree uses the data of its sources") {
    const Trees trees;

    const auto roots = data_roots(trees.places("clone/build/release/sim/app/ftlab"));

    CHECK(roots == std::vector{trees / "clone"});
}

TEST_CASE("an installed program uses the data installed beside it, also while its sources still exist") {
    const Trees trees;

    const auto roots = data_roots(trees.places("prefix/bin/ftlab"));

    CHECK(roots == std::vector{trees / "prefix/share/ftlab"});
}

TEST_CASE("a build tree whose sources are gone falls back to the installed data") {
    const Trees trees;
    fs::rename(trees / "clone", trees / "moved");

    const auto roots = data_roots(trees.places("clone/build/release/ftlab"));

    CHECK(roots == std::vector{trees / "clone/build/share/ftlab"});
}

TEST_CASE("a folder that only begins like the build tree is not the build tree") {
    const Trees trees;

    const auto roots = data_roots(trees.places("clone/build/release-2/ftlab"));

    CHECK(roots == std::vector{trees / "clone/build/share/ftlab"});
}

TEST_CASE("the user's own folder comes first and hides nothing that it does not have") {
    const Trees trees;

    const auto roots = data_roots(trees.places("clone/build/release/sim/app/ftlab", "mine"));

    REQUIRE(roots == std::vector{trees / "mine", trees / "clone"});
    CHECK(find_data("scenarios", "own", roots) == trees / "mine/scenarios/own.yaml");
    CHECK(find_data("scenarios", "quick", roots) == trees / "clone/scenarios/quick.yaml");
}

TEST_CASE("data is found by name with or without its suffix, and only data") {
    const Trees trees;
    const std::vector roots{trees / "clone"};

    CHECK(find_data("configs/devices", "tiny", roots) == trees / "clone/configs/devices/tiny.yaml");
    CHECK(find_data("configs", "devices/tiny.yaml", roots) == trees / "clone/configs/devices/tiny.yaml");
    CHECK_FALSE(find_data("configs", "devices", roots));
    CHECK_FALSE(find_data("scenarios", "tiny", roots));
    CHECK_FALSE(find_data("scenarios", "", roots));
    CHECK_FALSE(find_data("scenarios", "../../secret.yaml", roots));
    CHECK_FALSE(find_data("scenarios", "x/../../../secret.yaml", roots));
    CHECK_FALSE(find_data("scenarios", (trees / "secret.yaml").string(), roots));
}

TEST_CASE("FTLAB_HOME names the user's own folder, and an empty one counts as not set") {
    ::setenv("FTLAB_HOME", "/some/where", 1);
    CHECK(data_places().home == "/some/where");

    ::setenv("FTLAB_HOME", "", 1);
    CHECK(data_places().home.empty());

    ::unsetenv("FTLAB_HOME");
    CHECK(data_places().home.empty());
}

TEST_CASE("this very test runs from its build tree and finds the sources") {
    ::unsetenv("FTLAB_HOME");

    const auto roots = data_roots();

    REQUIRE(roots.size() == 1);
    CHECK(fs::equivalent(roots[0], FTLAB_TEST_SOURCE_DIR));
}
