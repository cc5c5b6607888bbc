// SPDX-License-Identifier: MIT
// From YAML text to Node through yaml-cpp's events; YAML::Node itself forgets repeated keys and most places.
#include <algorithm>
#include <array>
#include <exception>
#include <sstream>
#include <string>
#include <unordered_map>
#include <utility>

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include "sim/base/config_compose.h"
#include "sim/base/text.h"

namespace ftlab::config {

namespace {

/// Ends the parsing at once.
struct Refusal : std::exception {
    Refusal(YAML::Mark where, std::string path_, std::string sentence_)
        : mark{where}, path{std::move(path_)}, sentence{std::move(sentence_)} {}

    YAML::Mark mark;
    std::string path;
    std::string sentence;
};

constexpr std::string_view kNoAnchors =
    "anchors (&) and aliases (*) are not supported; write the value out, share files by extends, or put text that "
    "begins with such a character in quotes";

constexpr std::string_view kOpenQuote = "a quote is opened here and never closed; close it";

/// Whether the quote that `text` begins with, if any, ends.
bool is_closed(std::string_view text) {
    const char quote = text.empty() ? '\0' : text.front();
    if (quote != '"' && quote != '\'') {
        return true;
    }
    for (std::size_t i = 1; i < text.size(); ++i) {
        const bool doubled = quote == '\'' && text.substr(i).starts_with("''");  // stands for one
        if (text[i] == quote && !doubled) {
            return true;
        }
        i += doubled || (quote == '"' && text[i] == '\\') ? 1 : 0;
    }
    return false;
}

class TreeBuilder final : public YAML::EventHandler {
public:
    TreeBuilder(std::string_view text, const std::string& name, std::vector<Problem>& problems, int max_depth)
        : text_{text}, name_{name}, problems_{problems}, max_depth_{max_depth} {}

    [[nodiscard]] Place place(const YAML::Mark& mark) const {
        return {name_, std::max(mark.line, 0) + 1, std::max(mark.column, 0) + 1};
    }
    /// Where the innermost bracket that is open was opened, or `otherwise`.
    [[nodiscard]] Place open_bracket(char bracket, const YAML::Mark& otherwise) const {
        for (auto frame = stack_.rbegin(); frame != stack_.rend(); ++frame) {
            if (frame->opening < text_.size() && text_[frame->opening] == bracket) {
                return frame->node.place();
            }
        }
        return place(otherwise);
    }
    /// None when there was no document.
    [[nodiscard]] std::optional<Node> take() { return std::move(root_); }

    void OnDocumentStart(const YAML::Mark& mark) override {
        if (root_) {
            const bool marked = text_.substr(std::min(offset(mark), text_.size())).starts_with("---");
            throw Refusal{mark, "",
                          marked ? "a second document begins here; write one document a file"
                                 : "this does not belong to what is above; check the indentation, brackets and quotes"};
        }
    }
    void OnDocumentEnd() override {}
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override {
        complain(mark, std::string{kNoAnchors});
        add(Node{Node::Kind::null, place(mark)}, false);
    }
    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        const bool fine = accept(mark, "", anchor);
        add(Node{Node::Kind::null, null_place(mark)}, fine);
    }
    void OnScalar(const YAML::Mark& mark,
                  const std::string& tag,
                  YAML::anchor_t anchor,
                  const std::string& value) override {
        const bool fine = accept(mark, tag, anchor);
        if (!is_closed(text_.substr(std::min(offset(mark), text_.size())))) {
            throw Refusal{mark, path(), std::string{kOpenQuote}};  // yaml-cpp takes the rest of the file
        }
        add(Node{value, tag == "!", place(mark)}, fine);
    }
    void OnSequenceStart(const YAML::Mark& mark,
                         const std::string& tag,
                         YAML::anchor_t anchor,
                         YAML::EmitterStyle::value /*style*/) override {
        open(Node::Kind::list, mark, tag, anchor);
    }
    void OnMapStart(const YAML::Mark& mark,
                    const std::string& tag,
                    YAML::anchor_t anchor,
                    YAML::EmitterStyle::value /*style*/) override {
        open(Node::Kind::map, mark, tag, anchor);
    }
    void OnSequenceEnd() override { close(); }
    void OnMapEnd() override { close(); }

private:
    /// A list or map that is being built, with the key whose value is awaited.
    struct Frame {
        Node node;
        std::size_t opening;  // offset of its first character
        bool fine = true;     // false: dropped when it closes
        bool has_key = false;
        bool key_is_fine = true;
        std::string key = {};
        Place key_place = {};
        std::unordered_map<std::string, Place> seen = {};
    };

    [[nodiscard]] static std::size_t offset(const YAML::Mark& mark) {
        return static_cast<std::size_t>(std::max(mark.pos, 0));
    }

    /// yaml-cpp places an empty value at whatever comes next; people look for it behind its key or dash.
    [[nodiscard]] Place null_place(const YAML::Mark& mark) const {
        if (!stack_.empty() && stack_.back().has_key) {
            return stack_.back().key_place;
        }
        Place here = place(mark);
        const std::string_view before = text_.substr(0, std::min(offset(mark), text_.size()));
        const std::size_t last = before.find_last_not_of(" \r\n");
        if (last == std::string_view::npos || (before[last] != '-' && before[last] != ',' && before[last] != '[')) {
            return here;
        }
        const std::string_view head = before.substr(0, last);
        here.line = 1 + static_cast<int>(std::count(head.begin(), head.end(), '\n'));
        here.column = static_cast<int>(last - (head.rfind('\n') + 1)) + 1;
        return here;
    }

    [[nodiscard]] std::string path() const {
        std::string at;
        for (const Frame& frame : stack_) {
            if (frame.node.is_list()) {
                at = item_path(at, frame.node.items().size());
            } else if (frame.has_key) {
                at = key_path(at, frame.key);
            }
        }
        return at;
    }

    void complain(const YAML::Mark& mark, std::string sentence) {
        problems_.push_back({place(mark), path(), std::move(sentence)});
    }

    bool accept(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
        if (anchor != 0) {
            complain(mark, std::string{kNoAnchors});
            return false;
        }
        if (!tag.empty() && tag != "?" && tag != "!") {
            complain(mark, "tags (!) are not supported; remove " + text::quote(tag) +
                               ", or put text that begins with ! in quotes");
            return false;
        }
        return true;
    }

    void open(Node::Kind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
        if (static_cast<int>(stack_.size()) >= max_depth_) {
            throw Refusal{mark, "",
                          "is nested more than " + std::to_string(kMaxDepth) +
                              " levels deep; no configuration needs that, check the brackets"};
        }
        const bool fine = accept(mark, tag, anchor);
        stack_.push_back(Frame{.node = Node{kind, place(mark)}, .opening = offset(mark), .fine = fine});
    }

    void close() {
        Frame frame = std::move(stack_.back());
        stack_.pop_back();
        add(std::move(frame.node), frame.fine);
    }

    void add(Node node, bool fine) {
        if (++count_ > kMaxValues) {
            throw Refusal{YAML::Mark{}, "",
                          "has more than " + std::to_string(kMaxValues) + " values; no configuration needs that"};
        }
        if (stack_.empty()) {
            root_ = std::move(node);
            return;
        }
        Frame& top = stack_.back();
        if (top.node.is_list()) {
            top.node.items().push_back(std::move(node));
        } else if (!top.has_key) {
            take_key(top, std::move(node), fine);
        } else {
            if (node.is_null() && top.key_is_fine && top.key.find(':') != std::string::npos) {
                const std::size_t colon = top.key.find(':');
                problems_.push_back({top.key_place, path(),
                                     "has no space after the colon; write " +
                                         text::quote(top.key.substr(0, colon) + ": " + top.key.substr(colon + 1))});
            } else if (fine && top.key_is_fine) {
                top.node.insert(std::move(top.key), std::move(top.key_place), std::move(node));
            }
            top.has_key = false;
        }
    }

    void take_key(Frame& top, Node node, bool fine) {
        Place where = node.place();
        top.key_is_fine = false;
        if (!node.is_scalar() || node.text().empty()) {
            problems_.push_back({where, path(), "a key must be a plain name; write it like \"name: value\""});
        } else if (fine) {
            const auto at = top.seen.emplace(node.text(), where);
            top.key_is_fine = at.second;
            if (!at.second) {
                problems_.push_back({where, key_path(path(), node.text()),
                                     "is given twice; remove it here or at " + to_string(at.first->second)});
            }
        }
        top.key = node.text();
        top.key_place = std::move(where);
        top.has_key = true;
    }

    std::string_view text_;
    const std::string& name_;
    std::vector<Problem>& problems_;
    int max_depth_;
    std::size_t count_ = 0;
    std::vector<Frame> stack_;
    std::optional<Node> root_;
};

/// What yaml-cpp says, and what helps.
struct Explanation {
    std::string_view message;
    std::string_view sentence;
};
constexpr std::array kExplanations{
    Explanation{"illegal map value",
                "a \"key: value\" cannot be here; check the indentation, and put text that "
                "contains \": \" in quotes"},
    Explanation{"end of map not found",
                "this line does not fit the map above; give all keys of a map the same "
                "indentation"},
    Explanation{"end of sequence not found",
                "this line does not fit the list above; give all items of a list the "
                "same indentation"},
    Explanation{"end of map flow not found",
                "this { is never closed, or a comma is missing after it; write "
                "{key: value, key: value}"},
    Explanation{"end of sequence flow not found",
                "this [ is never closed, or a comma is missing after it; write "
                "[value, value]"},
    Explanation{"illegal flow end", "this bracket closes nothing; remove it, or open it before"},
    Explanation{"illegal EOF in scalar", "a quote before this place is never closed; close it"},
    Explanation{"illegal document indicator in scalar", "a quote before this place is never closed; close it"},
    Explanation{"unknown token", "a value cannot begin with this character; put it in quotes"},
    Explanation{"illegal block entry",
                "a list item cannot be here; write \"- \" at the beginning of a line of its "
                "own"},
    Explanation{"the referenced anchor is not defined", kNoAnchors},
};

std::string explained(const std::string& message) {
    for (const Explanation& each : kExplanations) {
        if (message == each.message) {
            return std::string{each.sentence};
        }
    }
    return "this is not valid YAML (" + message + "); check quotes, brackets and indentation";
}

/// What must not be in a text file at all.
bool is_clean(std::string_view text, const std::string& name, std::vector<Problem>& problems) {
    if (text.size() > kMaxFileSize) {
        problems.push_back(
            {{name, 1, 1}, "", "is larger than " + text::people(Bytes{kMaxFileSize}) + "; is this a configuration?"});
        return false;
    }
    const std::size_t before = problems.size();
    Place at{name, 1, 1};
    bool indenting = true;
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t length = text::utf8_length(text.substr(i));
        const auto c = static_cast<unsigned char>(text[i]);
        if (length == 0 || c == 0x7f || (c < 0x20 && c != '\t' && c != '\n' && c != '\r')) {
            problems.push_back({at, "",
                                length == 0 ? "this byte is not UTF-8; save the file as UTF-8 text"
                                            : "a control character is not allowed here; remove it"});
            return false;
        }
        if (c == '\t' && indenting) {
            problems.push_back({at, "", "a tab cannot be used for indentation; write spaces"});
            indenting = false;
        }
        i += length;
        at.column += static_cast<int>(length);
        indenting = indenting && c == ' ';
        if (c == '\n') {
            ++at.line;
            at.column = 1;
            indenting = true;
        }
    }
    return problems.size() == before;
}

}  // namespace

std::optional<Node> parse_yaml(std::string_view text,
                               const std::string& name,
                               std::vector<Problem>& problems,
                               int max_depth) {
    constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
    if (text.starts_with(kByteOrderMark)) {
        text.remove_prefix(kByteOrderMark.size());
    }
    if (!is_clean(text, name, problems)) {
        return std::nullopt;
    }
    TreeBuilder builder{text, name, problems, max_depth};
    try {
        std::istringstream stream{std::string{text}};
        YAML::Parser parser{stream};
        while (parser.HandleNextDocument(builder)) {
        }
    } catch (const Refusal& refusal) {
        problems.push_back({builder.place(refusal.mark), refusal.path, refusal.sentence});
        return std::nullopt;
    } catch (const YAML::Exception& error) {
        const Place place = error.msg == "end of map flow not found"        ? builder.open_bracket('{', error.mark)
                            : error.msg == "end of sequence flow not found" ? builder.open_bracket('[', error.mark)
                                                                            : builder.place(error.mark);
        problems.push_back({place, "", explained(error.msg)});
        return std::nullopt;
    }
    std::optional<Node> root = builder.take();
    if (!root || root->is_null()) {
        problems.push_back({{name, 1, 1}, "", "is empty; write at least one \"key: value\""});
        return std::nullopt;
    }
    return root;
}

}  // namespace ftlab::config
