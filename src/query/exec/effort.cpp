#include "query/exec/effort.hpp"

#include <algorithm>
#include <utility>

#include <kith/detail/error.hpp>

#include "base/amount_text.hpp"

namespace kith::core {

namespace {

// So many units take far less than a tenth of a second, and looking costs nothing beside them.
constexpr std::uint64_t between_looks = 4096;

}  // namespace

void effort::allow(std::uint64_t units, clock::time_point deadline) {
  last_ = units < no_limit - done_ ? done_ + units : no_limit;
  deadline_ = deadline;
  look_at_ = is_watched() ? done_ : last_;
}

void effort::watch(const std::atomic<bool>* stop) {
  stop_ = stop;
  look_at_ = stop ? done_ : std::min(look_at_, last_);
}

void effort::tell(std::function<void()> tell, clock::duration every) {
  tell_ = std::move(tell);
  every_ = every;
  next_tell_ = clock::now() + every;
  look_at_ = tell_ ? done_ : std::min(look_at_, last_);
}

effort::clock::time_point effort::end_of_time() const {
  constexpr double year = 365.0 * 24 * 3600;
  if (most_.seconds <= 0 || most_.seconds > year) return clock::time_point::max();
  return clock::now() +
         std::chrono::duration_cast<clock::duration>(std::chrono::duration<double>(most_.seconds));
}

void effort::raise_rows() const {
  raise(errc::budget, "the query has more than ",
        amount_text(static_cast<double>(most_.rows), "result", "results"),
        ", the limit that budget::rows sets");
}

void effort::raise_stopped() { raise(errc::cancelled, "the query was stopped"); }

void effort::look() {
  look_at_ = is_watched() ? std::min(last_, done_ + between_looks) : last_;
  check_stop();
  if (done_ >= last_) raise(errc::budget, "the query has used up the work it was allowed");
  if (has_deadline() && clock::now() >= deadline_)
    raise(errc::budget, "the query takes more than ",
          amount_text(most_.seconds, "second", "seconds"), ", the limit that budget::seconds sets");
  if (!tell_ || clock::now() < next_tell_) return;
  // What it asks is not told of, and it may ask for other calls.
  next_tell_ = clock::time_point::max();
  const std::function<void()> now = tell_;
  now();
  next_tell_ = clock::now() + every_;
}

}  // namespace kith::core
