#include "commands.hpp"
#include "results.hpp"

namespace kith::cli {

exit_status run_query(world& in, const options& given, output& out) {
  const query_view<> q = ask(in, given.asked);
  require_parameters(q, given.asked);
  const auto writer = make_writer(given.format, out);
  return write_results(q, given.with_ids, *writer).is_no ? answered_false : ok;
}

}  // namespace kith::cli
