#include "query/exec/effort.hpp"

#include <algorithm>

#include <kith/detail/error.hpp>

namespace kith::core {

namespace {

// So many units take far less than a tenth of a second, and looking costs nothing beside them.
constexpr std::uint64_t between_looks = 4096;

}  // namespace

void effort::allow(std::uint64_t units, clock::time_point deadline) {
  last_ = units < no_limit - done_ ? done_ + units : no_limit;
  deadline_ = deadline;
  look_at_ = stop_ || deadline != clock::time_point::max() ? done_ : last_;
}

void effort::watch(const std::atomic<bool>* stop) {
  stop_ = stop;
  look_at_ = stop ? done_ : std::min(look_at_, last_);
}

void effort::raise_stopped() { raise(errc::cancelled, "the query was stopped"); }

void effort::look() {
  const bool has_deadline = deadline_ != clock::time_point::max();
  look_at_ = stop_ || has_deadline ? std::min(last_, done_ + between_looks) : last_;
  check_stop();
  if (done_ >= last_) raise(errc::budget, "the query has used up the work it was allowed");
  if (has_deadline && clock::now() >= deadline_)
    raise(errc::budget, "the query has used up the time it was allowed");
}

}  // namespace kith::core
