// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/config.h"
#include "sim/base/units.h"
#include "sim/workload/request.h"

namespace ftlab::workload {

/// What happens to a trace that addresses more than the drive has.
enum class AddressRule : std::uint8_t {
    refuse,   // the first request beyond the drive is an error
    wrap,     // addresses modulo the drive; a request across its end goes on at LBA 0
    scale,    // start addresses times drive over trace, a trace that fits stays as it is; sizes are kept
    compact,  // chunks get places on the drive in the order of their first read or write
};

}  // namespace ftlab::workload

template <>
struct ftlab::config::EnumNames<ftlab::workload::AddressRule> {
    using Rule = ftlab::workload::AddressRule;
    static constexpr EnumName<Rule> kNames[] = {
        {Rule::refuse, "refuse"}, {Rule::wrap, "wrap"}, {Rule::scale, "scale"}, {Rule::compact, "compact"}};
};

namespace ftlab::workload {

struct AddressMapParams {
    AddressRule rule = AddressRule::refuse;
    Bytes chunk{1U << 20U};  // chosen: a trace's files stay in one piece; a table of 256 GB has 250,000 entries

    static void describe(config::Fields<AddressMapParams>& f);
};

/// Fits the requests of a trace onto a drive.  Whatever the rule:
/// (1) every span lies within the drive;
/// (2) offset modulo 4 KiB is kept where a request begins and ends, so the partial sectors (and with them the
///     read-modify-writes) are those of the trace; cuts fall on multiples of 4 KiB;
/// (3) the spans of a read or write add up to its size; a trim may lose parts (see `dropped`).
/// Capacity beyond a multiple of 4 KiB (compact: of the chunk) is used by `refuse` alone.
class AddressMap {
public:
    AddressMap() = default;
    AddressMap(const AddressMap&) = delete;
    AddressMap& operator=(const AddressMap&) = delete;
    virtual ~AddressMap() = default;

    /// Replaces the content of `spans` by where `span` goes on the drive, in order; not for flushes.  Returns what
    /// forbids that, as the predicate of a sentence about the request ("ends at ...; how to go on"), or nothing.
    /// Allocates for addresses met for the first time and for trims of whole devices only.
    [[nodiscard]] virtual std::optional<std::string> map(Op op, Span span, std::vector<Span>& spans) = 0;

    /// LBAs that trims asked for and that have no place on the drive: compact drops what was never read or written,
    /// wrap and scale drop what exceeds the whole drive.
    [[nodiscard]] std::uint64_t dropped() const { return dropped_; }

protected:
    std::uint64_t dropped_ = 0;
};

/// `trace_lbas` is where the last request of the trace ends; only `scale` looks at it.  The drive has at least one 4
/// KiB sector (compact: one chunk), see complaint().
std::unique_ptr<AddressMap> make_address_map(const AddressMapParams& params,
                                             std::uint64_t drive_lbas,
                                             std::uint64_t trace_lbas);

/// Why these parameters make no sense for this drive, if so.
std::optional<config::Complaint> complaint(const AddressMapParams& params, std::uint64_t drive_lbas);

}  // namespace ftlab::workload
