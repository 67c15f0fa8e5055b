// When a system or a timer happens: each time, every so many seconds, or every so many times that
// its source does.
#pragma once

#include <kith/detail/system_desc.hpp>

namespace kith::core {

class tick {
 public:
  tick() = default;
  explicit tick(const tick_desc& d) : desc_(d) {}

  const tick_desc& desc() const { return desc_; }
  bool is_always() const { return desc_.seconds <= 0 && desc_.rate == 0 && desc_.source == 0; }
  bool runs() const { return runs_; }
  void start() {
    runs_ = true;
    elapsed_ = 0;
    count_ = 0;
  }
  void stop() { runs_ = false; }

  // A frame has gone by. `source_happened`: true if there is no source. Does it happen?
  bool advance(double delta_time, bool source_happened) {
    if (!runs_) return false;
    if (desc_.seconds > 0) {
      elapsed_ += delta_time;
      if (elapsed_ < desc_.seconds) return false;
      // What is left counts for the next time, but a long frame happens once.
      elapsed_ -= desc_.seconds;
      if (elapsed_ >= desc_.seconds) elapsed_ = 0;
      if (desc_.is_once) runs_ = false;
      if (desc_.rate == 0) return source_happened;
    }
    if (!source_happened) return false;
    if (desc_.rate == 0) return true;
    if (++count_ < desc_.rate) return false;
    count_ = 0;
    return true;
  }

 private:
  tick_desc desc_;
  double elapsed_ = 0;
  std::uint32_t count_ = 0;
  bool runs_ = true;
};

}  // namespace kith::core
