// SPDX-License-Identifier: MIT
#include "ftl/block_pool.h"

#include <algorithm>

#include "sim/base/check.h"

namespace ftlab::ftl {

std::uint32_t BlockPool::usable(const nand::Array& array, std::uint32_t held_back) {
    const nand::Geometry& g = array.geometry();
    std::uint32_t worst = g.nominal_blocks_per_plane;
    for (std::uint32_t die = 0; die < g.dies(); ++die) {
        for (std::uint32_t plane = 0; plane < g.planes; ++plane) {
            std::uint32_t good = 0;
            for (std::uint32_t block = 0; block < g.blocks_per_plane; ++block) {
                good += array.is_bad(nand::DieId{static_cast<std::uint16_t>(die)}, plane, block) ? 0U : 1U;
            }
            worst = std::min(worst, good);
        }
    }
    return worst > held_back ? worst - held_back : 0;
}

BlockPool::BlockPool(nand::Array& array, std::uint32_t held_back)
    : array_{array},
      dies_{array.geometry().dies()},
      planes_{array.geometry().planes},
      lanes_{array.geometry().lanes()},
      sectors_{array.geometry().sectors_per_block() * lanes_},
      units_{array.geometry().pages_per_block * dies_},
      unit_sectors_{array.geometry().sectors_per_unit()},
      shift_{static_cast<std::uint32_t>(std::bit_width(sectors_ - 1))},
      sector_valid_{std::uint64_t{usable(array, held_back)} << shift_},
      closed_{usable(array, held_back), sectors_} {
    const std::uint32_t count = usable(array, held_back);
    FTLAB_CHECK((std::uint64_t{count} << shift_) < 0xffffffffULL, "sector addresses fit in 32 bits");
    blocks_.resize(static_cast<std::size_t>(count) * lanes_);
    const std::uint32_t nominal = array.geometry().nominal_blocks_per_plane;
    for (std::uint32_t lane = 0; lane < lanes_; ++lane) {
        const nand::DieId die{static_cast<std::uint16_t>(lane / planes_)};
        const std::uint32_t plane = lane % planes_;
        // Extended blocks stand in for bad ones, in order; then the good nominal blocks that no superblock uses.
        std::vector<std::uint32_t> spares;
        for (std::uint32_t block = nominal; block < array.geometry().blocks_per_plane; ++block) {
            spares.push_back(block);
        }
        for (std::uint32_t block = count; block < nominal; ++block) {
            spares.push_back(block);
        }
        std::size_t next_spare = 0;
        for (std::uint32_t sb = 0; sb < count; ++sb) {
            std::uint32_t block = sb;
            while (array.is_bad(die, plane, block)) {
                FTLAB_CHECK(next_spare < spares.size(), "usable() counted enough good blocks");
                block = spares[next_spare++];
            }
            blocks_[static_cast<std::size_t>(sb) * lanes_ + lane] = static_cast<std::uint16_t>(block);
        }
    }
    states_.assign(count, State::free);
    valid_.assign(count, 0);
    filled_.assign(count, 0);
    pins_.assign(count, 0);
    free_ring_.assign(count, 0);
    for (std::uint32_t sb = 0; sb < count; ++sb) {
        push_free(SuperblockId{sb});
    }
}

nand::MultiPlaneAddress BlockPool::address(SuperblockId sb, std::uint32_t unit) const {
    nand::MultiPlaneAddress where;
    where.die = die_of_unit(unit);
    where.page = static_cast<std::uint16_t>(page_of_unit(unit));
    where.planes = static_cast<std::uint16_t>(planes_);
    const std::uint16_t* blocks = blocks_.data() + sb.index() * lanes_ + where.die.index() * planes_;
    std::copy_n(blocks, planes_, where.block.begin());
    return where;
}

void BlockPool::push_free(SuperblockId sb) {
    free_ring_[(free_head_ + free_count_) % superblocks()] = sb.value;
    ++free_count_;
}

SuperblockId BlockPool::open() {
    FTLAB_CHECK(free_count_ > 0, "a superblock is free");
    const SuperblockId sb{free_ring_[free_head_]};
    free_head_ = (free_head_ + 1) % superblocks();
    --free_count_;
    states_[sb.index()] = State::open;
    return sb;
}

void BlockPool::close(SuperblockId sb) {
    FTLAB_CHECK(states_[sb.index()] == State::open && filled_[sb.index()] == sectors_,
                "a superblock is closed when its last program has ended");
    states_[sb.index()] = State::closed;
    closed_.insert(sb, valid_[sb.index()]);
}

void BlockPool::take(SuperblockId sb) {
    closed_.remove(sb);
    valid_[sb.index()] = closed_.valid(sb);
    states_[sb.index()] = State::victim;
}

void BlockPool::recycle(SuperblockId sb) {
    FTLAB_CHECK(states_[sb.index()] == State::victim && valid_[sb.index()] == 0 && pins_[sb.index()] == 0,
                "only an empty victim that nobody reads is recycled");
    states_[sb.index()] = State::free;
    filled_[sb.index()] = 0;
    push_free(sb);
}

std::uint64_t BlockPool::erase_all() {
    std::uint64_t erases = 0;
    for (std::uint32_t i = 0; i < superblocks(); ++i) {
        const SuperblockId sb{i};
        FTLAB_CHECK(pins_[i] == 0, "nothing is in flight during an erase of everything");
        if (states_[i] == State::closed) {
            closed_.remove(sb);
        }
        if (filled_[i] > 0) {
            for (std::uint32_t die = 0; die < dies_; ++die) {
                const nand::MultiPlaneAddress where = address(sb, die);
                bool written = false;
                for (std::uint32_t plane = 0; plane < planes_; ++plane) {
                    written |= array_.next_page(where.die, plane, where.block[plane]) > 0;
                }
                if (written) {
                    array_.erase(where);
                    ++erases;
                }
            }
        }
        states_[i] = State::free;
        valid_[i] = 0;
        filled_[i] = 0;
    }
    sector_valid_.clear_all();
    free_head_ = 0;
    free_count_ = 0;
    for (std::uint32_t i = 0; i < superblocks(); ++i) {
        push_free(SuperblockId{i});
    }
    return erases;
}

std::uint64_t BlockPool::total_valid() const {
    std::uint64_t sum = closed_.total_valid();
    for (std::uint32_t i = 0; i < superblocks(); ++i) {
        sum += states_[i] == State::closed ? 0U : valid_[i];
    }
    return sum;
}

std::uint64_t BlockPool::total_filled() const {
    std::uint64_t sum = 0;
    for (const std::uint32_t f : filled_) {
        sum += f;
    }
    return sum;
}

void BlockPool::check_invariants() const {
    closed_.check_invariants();
    std::uint32_t free = 0;
    for (std::uint32_t i = 0; i < superblocks(); ++i) {
        const SuperblockId sb{i};
        free += states_[i] == State::free ? 1U : 0U;
        FTLAB_CHECK((states_[i] == State::closed) == closed_.contains(sb), "the index holds the closed superblocks");
        FTLAB_CHECK(valid(sb) <= filled_[i], "only programmed sectors are valid");
        FTLAB_CHECK(states_[i] != State::free || filled_[i] == 0, "a free superblock is erased");
    }
    FTLAB_CHECK(free == free_count_, "free superblocks are counted");
}

}  // namespace ftlab::ftl
