// SPDX-License-Identifier: MIT
#include "controller/link/sata_link.h"

#include <algorithm>
#include <optional>

namespace ftlab::controller {

using namespace literals;

void SataParams::describe(config::Fields<SataParams>& f) {
    f("rate", &SataParams::rate, "payload rate after 8b/10b coding: 150, 300 or 600 MB/s")
        .range(Bandwidth{150'000'000}, Bandwidth{600'000'000});
    f("data_frame", &SataParams::data_frame, "most payload of a data FIS").range(Bytes{512}, Bytes{8192});
    f("data_frame_overhead", &SataParams::data_frame_overhead,
      "turnaround of a data FIS: header, CRC, SOF/EOF and X_RDY/R_RDY/WTRM/R_OK handshakes")
        .at_most(100_us);
    f("frame_overhead", &SataParams::frame_overhead, "handshakes of a register, DMA setup or set-device-bits FIS")
        .at_most(100_us);
    f.check([](const SataParams& p) -> std::optional<config::Complaint> {
        const std::uint64_t mb = p.rate.bytes_per_second / 1'000'000;
        if (mb != 150 && mb != 300 && mb != 600) {
            return config::Complaint{{"rate"}, "SATA has three rates; write 150 MB/s, 300 MB/s or 600 MB/s"};
        }
        return std::nullopt;
    });
}

SataLink::SataLink(const sc_core::sc_module_name& name, const SataParams& params)
    : sc_core::sc_module{name},
      params_{params},
      command_{frame(Bytes{20}) + frame(Bytes{20})},
      dma_setup_{frame(Bytes{28})},
      status_{frame(Bytes{8})},
      sector_{frames_of(kSectorSize)} {}

Duration SataLink::frame(Bytes payload) const { return transfer_time(payload, params_.rate) + params_.frame_overhead; }

Duration SataLink::frames_of(Bytes size) const {
    // Two ALIGN primitives (4 B each) after every 256 dwords.
    const Bytes with_align = size + Bytes{size.count / 1024 * 8};
    const std::uint64_t frames = (size.count + params_.data_frame.count - 1) / params_.data_frame.count;
    return transfer_time(with_align, params_.rate) + params_.data_frame_overhead * static_cast<std::int64_t>(frames);
}

}  // namespace ftlab::controller
