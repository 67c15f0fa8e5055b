// The command `kith`: answers queries about worlds of facts.
#include <clocale>
#include <csignal>
#include <iostream>
#include <string_view>

#include <langinfo.h>
#include <unistd.h>

#include "commands.hpp"
#include "load.hpp"

namespace {

using namespace kith::cli;

exit_status run(const options& given, output& out) {
  if (given.what == options::command::text) return out << given.text, ok;
  if (given.what == options::command::tour) return run_tour(out), ok;
  kith::world world = load_all(given.worlds, given.most);
  switch (given.what) {
    case options::command::query:
      return run_query(world, given, out);
    case options::command::explain:
      return explain(world, given.asked, out, {given.live, given.with_storage}), ok;
    case options::command::facts:
      return print_facts(world, out), ok;
    case options::command::graph:
      return print_graph(world, given.has_expression ? &given.asked : nullptr, out), ok;
    default:
      return run_shell(world, given.most, out);
  }
}

// Names are UTF-8, so the command uses that encoding in every locale.
void use_utf8() {
  std::setlocale(LC_CTYPE, "");
  if (nl_langinfo(CODESET) != std::string_view("UTF-8")) std::setlocale(LC_CTYPE, "C.UTF-8");
}

}  // namespace

int main(int count, char** words) {
  use_utf8();
  // A write to a closed pipe then returns an error instead of ending the process.
  std::signal(SIGPIPE, SIG_IGN);
  output out(STDOUT_FILENO);
  try {
    const exit_status status = run(read_options(count, words), out);
    out.flush();
    return status;
  } catch (const closed_pipe&) {
    return ok;
  } catch (const kith::error& e) {
    out.flush();
    std::cerr << "kith: " << explained(e) << "\n";
    return mistake;
  } catch (const std::exception& e) {
    std::cerr << "kith: " << e.what() << "\n";
    return mistake;
  }
}
