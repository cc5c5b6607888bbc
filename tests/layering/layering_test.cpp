// SPDX-License-Identifier: MIT
#include "tests/layering/layering.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <unistd.h>

using namespace ftlab::layering;
namespace fs = std::filesystem;

namespace {

/// A source tree in which everything is as it should be, until a test adds a file.
class Tree {
public:
    Tree() {
        for (const char* header : {"sim/base/units.h", "nand/array.h", "ftl/ftl.h", "ftl/gc/victim.h",
                                   "controller/ssd.h", "sim/workload/source.h", "sim/analysis/fit.h",
                                   "sim/device/build.h", "sim/app/cli.h", "tests/support/x.h"}) {
            add(header, "");
        }
    }
    ~Tree() { fs::remove_all(root_); }
    Tree(const Tree&) = delete;
    Tree& operator=(const Tree&) = delete;

    /// Adds a file that is well-formed apart from `lines`, which begin in line 3.
    Tree& add(const std::string& file, const std::string& lines) {
        const bool is_header = file.ends_with(".h");
        return add_raw(
            file, std::string{"// SPDX-License-Identifier: MIT\n"} + (is_header ? "#pragma once\n" : "\n") + lines);
    }
    Tree& add_raw(const std::string& file, const std::string& text) {
        fs::create_directories((root_ / file).parent_path());
        std::ofstream{root_ / file} << text;
        return *this;
    }
    [[nodiscard]] std::vector<Violation> violations() const { return ftlab::layering::violations(root_); }

private:
    fs::path root_ = fs::temp_directory_path() / ("ftlab-layering-" + std::to_string(::getpid()));
};

using Violations = std::vector<Violation>;

}  // namespace

TEST_CASE("no arrow of this source tree runs up") {
    const fs::path root = FTLAB_TEST_SOURCE_DIR;
    REQUIRE(fs::exists(root / "sim/base/units.h"));  // else the tree would be in order for want of files

    std::string report;
    for (const Violation& violation : violations(root)) {
        report += violation + '\n';
    }

    INFO(report);
    CHECK(report.empty());
}

TEST_CASE("a tree in order has no violations, and each layer may include what lies below it") {
    Tree tree;
    tree.add("nand/array.cpp", "#include \"nand/array.h\"\n#include <vector>\n#include \"sim/base/units.h\"\n");
    tree.add("ftl/ftl.cpp", "#include \"ftl/ftl.h\"\n#include \"nand/array.h\"\n#include \"ftlab_version.h\"\n");
    tree.add("controller/ssd.cpp",
             "#include <systemc>\n#include <tlm_utils/simple_target_socket.h>\n#include \"ftl/ftl.h\"\n");
    tree.add("controller/thermal.cpp", "#include <Eigen/Dense>\n");
    tree.add("sim/analysis/fit.cpp", "#include <Eigen/Dense>\n#include <boost/graph/adjacency_list.hpp>\n");
    tree.add("sim/device/build.cpp",
             "#include <systemc>\n#include \"controller/ssd.h\"\n#include \"sim/workload/source.h\"\n");
    tree.add("sim/app/main.cpp",
             "#include <CLI/CLI.hpp>\n#include \"sim/app/cli.h\"\n#include \"sim/analysis/fit.h\"\n");
    tree.add("tests/ftl/ftl_test.cpp",
             "#include <catch2/catch.hpp>\n#include \"sim/app/cli.h\"\n#include \"tests/support/x.h\"\n");

    CHECK(tree.violations().empty());
}

TEST_CASE("an include that runs up is reported with its file and line") {
    Tree tree;
    tree.add("nand/array.cpp", "\n#include \"sim/base/units.h\"\n#  include  \"ftl/ftl.h\"\n");

    CHECK(tree.violations() == Violations{"nand/array.cpp:5: nand may not include ftl/ftl.h"});
}

TEST_CASE("an include that runs aside is reported") {
    Tree tree;
    tree.add("sim/base/a.cpp", "#include \"sim/device/build.h\"\n");
    tree.add("sim/workload/b.cpp", "#include \"nand/array.h\"\n#include \"sim/analysis/fit.h\"\n");
    tree.add("sim/analysis/c.cpp", "#include \"sim/workload/source.h\"\n");
    tree.add("ftl/d.cpp", "#include \"sim/workload/source.h\"\n");

    CHECK(tree.violations() == Violations{"ftl/d.cpp:3: ftl may not include sim/workload/source.h",
                                          "sim/analysis/c.cpp:3: sim/analysis may not include sim/workload/source.h",
                                          "sim/base/a.cpp:3: sim/base may not include sim/device/build.h",
                                          "sim/workload/b.cpp:3: sim/workload may not include nand/array.h",
                                          "sim/workload/b.cpp:4: sim/workload may not include sim/analysis/fit.h"});
}

TEST_CASE("nobody builds on the command line or on tests") {
    Tree tree;
    tree.add("sim/device/a.cpp", "#include \"sim/app/cli.h\"\n#include \"tests/support/x.h\"\n");

    CHECK(tree.violations() == Violations{"sim/device/a.cpp:3: sim/device may not include sim/app/cli.h",
                                          "sim/device/a.cpp:4: sim/device may not include tests/support/x.h"});
}

TEST_CASE("a foreign library stays in the folders that need it") {
    Tree tree;
    tree.add("ftl/a.cpp", "#include <systemc>\n#include <tlm>\n#include <sysc/kernel/sc_time.h>\n");
    tree.add("sim/scenario/b.cpp", "#include <systemc.h>\n#include <yaml-cpp/yaml.h>\n");
    tree.add("controller/ssd.cpp", "#include <Eigen/Dense>\n#include <boost/config.hpp>\n");
    tree.add("sim/report/c.cpp", "#include <CLI/CLI.hpp>\n#include <catch2/catch.hpp>\n");

    CHECK(tree.violations() == Violations{"controller/ssd.cpp:3: <Eigen/Dense> of Eigen is not for this layer",
                                          "controller/ssd.cpp:4: <boost/config.hpp> of Boost is not for this layer",
                                          "ftl/a.cpp:3: <systemc> of SystemC is not for this layer",
                                          "ftl/a.cpp:4: <tlm> of SystemC is not for this layer",
                                          "ftl/a.cpp:5: <sysc/kernel/sc_time.h> of SystemC is not for this layer",
                                          "sim/report/c.cpp:3: <CLI/CLI.hpp> of CLI11 is not for this layer",
                                          "sim/report/c.cpp:4: <catch2/catch.hpp> of Catch2 is not for this layer",
                                          "sim/scenario/b.cpp:3: <systemc.h> of SystemC is not for this layer",
                                          "sim/scenario/b.cpp:4: <yaml-cpp/yaml.h> of yaml-cpp is not for this layer"});
}

TEST_CASE("an implementation is included by nobody, and a policy has no header") {
    Tree tree;
    tree.add("ftl/gc/victim_greedy.cpp", "#include \"ftl/gc/victim.h\"\n");
    tree.add("ftl/gc/victim_fifo.h", "");
    tree.add("tests/ftl/a.cpp", "#include \"ftl/gc/victim_greedy.cpp\"\n");

    CHECK(tree.violations() ==
          Violations{"ftl/gc/victim_fifo.h:1: a policy's implementation has no header: it is built by its name",
                     "tests/ftl/a.cpp:3: includes ftl/gc/victim_greedy.cpp: an implementation is nobody's interface"});
}

TEST_CASE("includes start at the root of the tree and name a file of it") {
    Tree tree;
    tree.add("ftl/a.cpp", "#include \"ftl.h\"\n#include \"../nand/array.h\"\n#include \"ftl/gone.h\"\n");
    const std::string reason = ", which is no header of a layer (paths start at the root)";

    CHECK(tree.violations() == Violations{"ftl/a.cpp:3: includes \"ftl.h\"" + reason,
                                          "ftl/a.cpp:4: includes \"../nand/array.h\"" + reason,
                                          "ftl/a.cpp:5: includes \"ftl/gone.h\"" + reason});
}

TEST_CASE("every file states its licence first, and every header is read once") {
    Tree tree;
    tree.add_raw("nand/a.h", "// SPDX-License-Identifier: MIT\nint twice();\n");
    tree.add_raw("nand/b.cpp", "#include \"nand/array.h\"\n");
    tree.add_raw("nand/c.cpp", "");
    tree.add("sim/stray.h", "");

    CHECK(tree.violations() == Violations{"nand/a.h:1: has no #pragma once",
                                          "nand/b.cpp:1: does not begin with // SPDX-License-Identifier: MIT",
                                          "nand/c.cpp:1: is empty", "sim/stray.h:1: lies in no layer"});
}
