// Any world and any query: no crash, and the same results with every kind of cache.
//
// The text is facts, a line `--`, queries one per line, and again facts and queries. The queries
// live while later facts change the world.
#include <algorithm>
#include <string>
#include <vector>

#include <kith/kith.hpp>

#include "check_error.hpp"

namespace {

struct asked_query {
  kith::query<> kept, found_anew;
};

std::vector<std::string> rows(const kith::query<>& q) {
  std::vector<std::string> all;
  constexpr std::size_t enough = 2000;
  q.run([&](kith::iter& it) {
    while (it.next())
      for (std::size_t row = 0; row < it.count() && all.size() < enough; ++row) {
        std::string text = it.entity(row) ? it.entity(row).str() : "";
        for (const std::string& name : q.vars()) text += " " + it.get_var(name).str();
        for (std::size_t f = 0; f < it.field_count(); ++f) text += " " + it.id(f).str();
        all.push_back(text);
      }
  });
  std::sort(all.begin(), all.end());
  return all.size() < enough ? all : std::vector<std::string>();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  // Skips texts with large entity numbers: each allocates a page of records, which slows the
  // fuzzer.
  for (std::size_t at = 0; (at = text.find('#', at)) != text.npos; ++at) {
    std::size_t end = at + 1;
    while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
    if (end - at > 7) return 0;
  }
  kith::world world;
  std::vector<asked_query> queries;
  bool facts = true;
  while (!text.empty()) {
    const std::size_t cut = std::min(text.find("\n--\n"), text.size());
    std::string_view part = text.substr(0, cut);
    text.remove_prefix(std::min(text.size(), cut + 4));
    if (facts) {
      // A wrong text changes nothing, so the result does not matter.
      (void)world.try_define(part);
    } else {
      while (!part.empty() && queries.size() < 8) {
        const std::size_t end = std::min(part.find('\n'), part.size());
        kith::query_desc desc{.expr = std::string(part.substr(0, end))};
        part.remove_prefix(std::min(part.size(), end + 1));
        desc.cache = kith::cache_kind::always;
        auto kept = world.try_query(desc);
        desc.cache = kith::cache_kind::never;
        auto found_anew = world.try_query(desc);
        require(kept.has_value() == found_anew.has_value());
        if (kept && kept->str().find('@') == std::string::npos)
          queries.push_back({*kept, *found_anew});
      }
    }
    facts = !facts;
    for (const asked_query& q : queries) {
      require(rows(q.kept) == rows(q.found_anew));
      require(rows(q.kept) == rows(q.found_anew));
    }
  }
  return 0;
}
