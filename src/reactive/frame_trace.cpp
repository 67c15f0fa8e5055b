#include "reactive/frame_trace.hpp"

#include <algorithm>
#include <cstdio>
#include <fstream>

#include <kith/detail/error.hpp>

namespace kith::core {

namespace {

std::string json_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
      out += escape;
    } else {
      out += c;
    }
  }
  return out += '"';
}

}  // namespace

void frame_trace::add(std::string name, std::string_view kind, clock::time_point begin,
                      clock::time_point end, std::uint64_t rows) {
  const std::lock_guard lock(guard_);
  const std::thread::id me = std::this_thread::get_id();
  auto thread = std::ranges::find(threads_, me);
  if (thread == threads_.end()) thread = threads_.insert(threads_.end(), me);
  spans_.push_back({std::move(name), kind, begin, end,
                    static_cast<std::size_t>(thread - threads_.begin()), rows});
}

std::string frame_trace::to_json() const {
  const auto micros = [&](clock::duration d) {
    return std::to_string(std::chrono::duration<double, std::micro>(d).count());
  };
  std::string text = "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [\n";
  for (std::size_t n = 0; n < threads_.size(); ++n)
    text += concat(R"({"ph": "M", "pid": 1, "tid": )", std::to_string(n),
                   R"(, "name": "thread_name", "args": {"name": ")",
                   n == 0 ? "main" : concat("worker ", std::to_string(n)), "\"}},\n");
  for (const span& s : spans_)
    text += concat(R"({"ph": "X", "pid": 1, "tid": )", std::to_string(s.thread),
                   ", \"name\": ", json_text(s.name), ", \"cat\": ", json_text(s.kind),
                   ", \"ts\": ", micros(s.begin - start_), ", \"dur\": ", micros(s.end - s.begin),
                   ", \"args\": {\"rows\": ", std::to_string(s.rows), "}},\n");
  text += concat(R"({"ph": "M", "pid": 1, "name": "process_name", "args": {"name": "kith"}})",
                 "\n]}\n");
  return text;
}

void frame_trace::write() const {
  std::ofstream file(path_, std::ios::binary);
  file << to_json();
  file.close();
  if (!file) raise(errc::io, "the trace cannot be written to '", path_, "'");
}

}  // namespace kith::core
