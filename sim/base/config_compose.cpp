// SPDX-License-Identifier: MIT
#include "sim/base/config_compose.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <limits>
#include <system_error>
#include <utility>

#include "sim/base/text.h"

namespace ftlab::config {

namespace {

namespace fs = std::filesystem;

/// A file's content, or why it cannot be read, as the end of a sentence.
struct Content {
    std::string text;
    std::string failure;
};

Content read_file(const std::string& name) {
    std::error_code error;
    const fs::file_status status = fs::status(name, error);
    if (error || !fs::exists(status)) {
        return {"", error ? error.message() : "No such file or directory"};
    }
    if (!fs::is_regular_file(status)) {
        return {"", fs::is_directory(status) ? "it is a directory" : "it is not a regular file"};
    }
    errno = 0;
    std::ifstream stream{name, std::ios::binary};
    std::string text(kMaxFileSize + 1, '\0');  // one more than allowed, so that parse_yaml() can tell
    stream.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (stream.bad() || (stream.fail() && !stream.eof())) {
        return {"", errno != 0 ? std::generic_category().message(errno) : "it cannot be read"};
    }
    text.resize(static_cast<std::size_t>(stream.gcount()));
    return {std::move(text), ""};
}

/// Loads a file and what it extends.  Layers are numbered in the order of precedence: what a file extends comes
/// before the file, maps that extend on their own come between.
class Composer {
public:
    explicit Composer(std::vector<Problem>& problems) : problems_{problems} {}

    std::optional<Node> file(const std::string& name, const Place& wanted_at, const std::string& path, int depth) {
        Content content = read_file(name);
        if (!content.failure.empty()) {
            const bool at_top = chain_.empty();
            problems_.push_back({wanted_at, path,
                                 "cannot read " + text::quote(name) + ": " + content.failure +
                                     (at_top ? "; check the name" : "; the name is relative to this file")});
            return std::nullopt;
        }
        return text(content.text, name, wanted_at, path, depth);
    }

    std::optional<Node> text(
        std::string_view text, const std::string& name, const Place& wanted_at, const std::string& path, int depth) {
        std::string identity = fs::weakly_canonical(name, ignored_).string();
        if (std::find(chain_.begin(), chain_.end(), identity) != chain_.end()) {
            problems_.push_back({wanted_at, path,
                                 text::quote(name) + " extends itself, directly or through other "
                                                     "files; remove one of the extends"});
            return std::nullopt;
        }
        if (++files_ > kMaxFiles) {
            problems_.push_back(
                {wanted_at, path,
                 "more than " + std::to_string(kMaxFiles) + " files are read for one configuration; extend fewer"});
            return std::nullopt;
        }
        std::optional<Node> root = parse_yaml(text, name, problems_, kMaxDepth - depth);
        if (!root) {
            return std::nullopt;
        }
        chain_.push_back(std::move(identity));
        root->stamp(kThisFile);
        const bool complete = resolve(*root, name, "", depth);
        root->restamp(kThisFile, next_layer_++);
        chain_.pop_back();
        return complete ? std::move(root) : std::nullopt;
    }

    [[nodiscard]] int next_layer() { return next_layer_++; }

private:
    static constexpr int kThisFile = std::numeric_limits<int>::max();  // until all that it extends has its number

    /// Replaces every map below `node` that extends files by the result; false when one of them failed.
    bool resolve(Node& node, const std::string& file_name, const std::string& path, int depth) {
        bool complete = true;
        for (std::size_t i = 0; i < node.items().size(); ++i) {
            complete = resolve(node.items()[i], file_name, item_path(path, i), depth + 1) && complete;
        }
        const auto is_extends = [](const Node::Entry& entry) { return entry.key == "extends"; };
        auto& entries = node.entries();
        const auto at = std::find_if(entries.begin(), entries.end(), is_extends);
        std::optional<Node> base;
        if (at != entries.end()) {
            const Node names = std::move(at->value);
            entries.erase(at);
            base = bases(names, file_name, key_path(path, "extends"), depth);
            complete = base.has_value();
        }
        for (Node::Entry& entry : entries) {
            complete = resolve(entry.value, file_name, key_path(path, entry.key), depth + 1) && complete;
        }
        if (base) {
            base->lay_over(std::move(node));
            node = std::move(*base);
        }
        return complete;
    }

    /// All the files of one extends, laid over each other.
    std::optional<Node> bases(const Node& names, const std::string& file_name, const std::string& path, int depth) {
        std::vector<Node> wanted = names.items();
        if (names.is_scalar()) {
            wanted.push_back(names);
        }
        bool complete = !wanted.empty();
        Node merged{Node::Kind::map, names.place()};
        for (const Node& each : wanted) {
            if (!each.is_scalar() || each.text().empty()) {
                complete = false;
                break;
            }
        }
        if (!complete) {
            problems_.push_back({names.place(), path,
                                 "does not name files; write \"extends: other.yaml\" or "
                                 "\"extends: [one.yaml, two.yaml]\""});
            return std::nullopt;
        }
        for (const Node& each : wanted) {
            const fs::path beside = fs::path{file_name}.parent_path() / each.text();
            std::optional<Node> base = file(beside.lexically_normal().string(), each.place(), path, depth);
            if (base && !base->is_map()) {
                problems_.push_back({base->place(), "", "is not a map of keys; only such a file can be extended"});
                base.reset();
            }
            complete = base.has_value() && complete;
            if (base) {
                merged.lay_over(std::move(*base));
            }
        }
        return complete ? std::optional{std::move(merged)} : std::nullopt;
    }

    std::vector<Problem>& problems_;
    std::vector<std::string> chain_;  // identities of the files that are being loaded, outermost first
    std::error_code ignored_;         // an identity that cannot be had is the name itself
    int files_ = 0;
    int next_layer_ = 1;
};

/// One step of the path of an override.
struct Step {
    std::string key;
    std::optional<std::size_t> index;  // a list item; key is empty then
    int column = 1;
};

/// "phases[2].run.duration" -> phases, [2], run, duration; empty when it is not a path.
std::vector<Step> steps_of(std::string_view path) {
    std::vector<Step> steps;
    std::size_t at = 0;
    while (at < path.size()) {
        const int column = static_cast<int>(at) + 1;
        if (path[at] == '[' && !steps.empty()) {
            std::size_t index = 0;
            const auto read = std::from_chars(path.data() + at + 1, path.data() + path.size(), index);
            const auto end = static_cast<std::size_t>(read.ptr - path.data());
            if (read.ec != std::errc{} || end == path.size() || path[end] != ']') {
                return {};
            }
            steps.push_back({.key = "", .index = index, .column = column});
            at = end + 1;
        } else {
            const bool dotted = path[at] == '.' && !steps.empty();
            const std::size_t begin = at + (dotted ? 1 : 0);
            const std::size_t end = std::min(path.find_first_of(".[", begin), path.size());
            if (end == begin || (!dotted && !steps.empty())) {
                return {};
            }
            steps.push_back({.key = std::string{path.substr(begin, end - begin)},
                             .index = std::nullopt,
                             .column = static_cast<int>(begin) + 1});
            at = end;
        }
    }
    return steps;
}

/// Carries out one override.
class Setting {
public:
    Setting(const Override& option, std::vector<Problem>& problems)
        : text_{option.text}, begin_{option.begin}, ordinal_{option.ordinal}, problems_{problems} {}

    void apply(Node& root, int layer) {
        const std::size_t equals = text_.find('=', begin_);
        std::vector<Step> steps;
        if (equals != std::string_view::npos) {
            steps = steps_of(text_.substr(begin_, equals - begin_));
        }
        for (Step& step : steps) {
            step.column += static_cast<int>(begin_);
        }
        if (steps.empty()) {
            complain(path_column(), "",
                     text::quote(text_) +
                         " is not an override; write it like \"gc.victim=greedy\" or "
                         "\"phases[2].run.duration=10 s\"");
            return;
        }
        if (steps.size() > static_cast<std::size_t>(kMaxDepth)) {
            complain(path_column(), "",
                     "is nested more than " + std::to_string(kMaxDepth) + " levels deep; write a shorter path");
            return;
        }
        std::optional<Node> value = parse_value(equals + 1, steps);
        if (!value || !items_exist(root, steps)) {
            return;
        }
        value->stamp(layer);
        descend(root, steps, layer).lay_over(std::move(*value));
    }

private:
    [[nodiscard]] int path_column() const { return static_cast<int>(begin_) + 1; }

    void complain(int column, std::string path, std::string sentence) {
        problems_.push_back({{"--set", ordinal_, column}, std::move(path), std::move(sentence)});
    }

    /// The YAML value from `begin` on, its places moved into the override.
    std::optional<Node> parse_value(std::size_t begin, const std::vector<Step>& steps) {
        const std::string_view text = text_.substr(begin);
        if (text.find_first_not_of(' ') == std::string_view::npos) {
            return Node{Node::Kind::null, {"--set", ordinal_, static_cast<int>(begin) + 1}};
        }
        std::vector<Problem> found;
        std::optional<Node> value;
        if (const std::size_t line_end = text.find_first_of("\r\n"); line_end != std::string_view::npos) {
            found.push_back({{"--set", 1, static_cast<int>(line_end) + 1},
                             "",
                             "a line break is not allowed here; "
                             "write the value on one line"});
        } else if (text == "~" || text == "null") {
            value = Node{Node::Kind::null, {"--set", 1, 1}};
        } else {
            value = parse_yaml(text, "--set", found, kMaxDepth - static_cast<int>(steps.size()));
        }
        for (Problem& problem : found) {
            move(problem.place, begin);
            problem.path = path_of(steps, steps.size());
            problems_.push_back(std::move(problem));
        }
        if (!value || !found.empty()) {
            return std::nullopt;
        }
        move_all(*value, begin);
        return value;
    }

    void move(Place& place, std::size_t begin) const {
        place.line = ordinal_;
        place.column += static_cast<int>(begin);
    }
    void move_all(Node& node, std::size_t begin) const {
        Place place = node.place();
        move(place, begin);
        node.set_place(std::move(place));
        for (Node& item : node.items()) {
            move_all(item, begin);
        }
        for (Node::Entry& entry : node.entries()) {
            move(entry.key_place, begin);
            move_all(entry.value, begin);
        }
    }

    static std::string path_of(const std::vector<Step>& steps, std::size_t count) {
        std::string path;
        for (std::size_t i = 0; i < count; ++i) {
            path = steps[i].index ? item_path(path, *steps[i].index) : key_path(path, steps[i].key);
        }
        return path;
    }

    /// Whether every list item on the way exists.  Checked first, so that a refused override changes nothing.
    bool items_exist(const Node& root, const std::vector<Step>& steps) {
        const Node* node = &root;
        const Node* above = &root;
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const Step& step = steps[i];
            if (!step.index) {
                above = node;
                node = node != nullptr ? node->find(step.key) : nullptr;
                continue;
            }
            if (node == nullptr || *step.index >= node->items().size()) {
                complain(step.column, path_of(steps, i + 1), no_item(node, above, steps[i - 1].key));
                return false;
            }
            node = &node->items()[*step.index];
        }
        return true;
    }

    /// Why there is no item of `list`, which is the value of `key` in `above` if there is such a thing.
    static std::string no_item(const Node* list, const Node* above, std::string_view key) {
        if (list != nullptr && list->is_list()) {
            const std::size_t size = list->items().size();
            return "there is no such item; the list has " + std::to_string(size) + (size == 1 ? " item" : " items") +
                   ", counted from [0]";
        }
        std::vector<std::string_view> keys;
        if (list == nullptr && above != nullptr) {
            for (const Node::Entry& entry : above->entries()) {
                keys.push_back(entry.key);
            }
        }
        const std::string_view meant = text::nearest(key, keys);
        return "there is no list to take an item from; " + (meant.empty()
                                                                ? "write the whole list, like \"[first, second]\""
                                                                : "did you mean " + text::quote(meant) + "?");
    }

    /// The node that the path names, made where the tree has none yet.
    Node& descend(Node& root, const std::vector<Step>& steps, int layer) const {
        Node* node = &root;
        for (const Step& step : steps) {
            if (step.index) {
                node->touch(layer);
                node = &node->items()[*step.index];
                continue;
            }
            const Place place{"--set", ordinal_, step.column};
            if (!node->is_map()) {
                *node = Node{Node::Kind::map, place};
            }
            node->touch(layer);
            Node* child = node->find(step.key);
            node = child != nullptr ? child : &node->insert(step.key, place, Node{Node::Kind::null, place});
        }
        return *node;
    }

    std::string_view text_;
    std::size_t begin_;
    int ordinal_;
    std::vector<Problem>& problems_;
};

std::optional<Node> with_overrides(std::optional<Node> root,
                                   std::span<const Override> overrides,
                                   Composer& composer,
                                   std::vector<Problem>& problems) {
    for (const Override& each : overrides) {
        if (root) {
            Setting{each, problems}.apply(*root, composer.next_layer());
        }
    }
    return root;
}

}  // namespace

std::vector<Override> overrides_of(std::span<const std::string> options) {
    std::vector<Override> all;
    for (const std::string& each : options) {
        all.push_back({.text = each, .ordinal = static_cast<int>(all.size()) + 1});
    }
    return all;
}

std::optional<Node> compose_file(const std::string& file,
                                 std::span<const Override> overrides,
                                 std::vector<Problem>& problems) {
    Composer composer{problems};
    return with_overrides(composer.file(file, {file, 1, 1}, "", 0), overrides, composer, problems);
}

std::optional<Node> compose_text(std::string_view text,
                                 const std::string& name,
                                 std::span<const Override> overrides,
                                 std::vector<Problem>& problems) {
    Composer composer{problems};
    return with_overrides(composer.text(text, name, {name, 1, 1}, "", 0), overrides, composer, problems);
}

}  // namespace ftlab::config
