#include "options.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <functional>
#include <set>

#include <CLI/CLI.hpp>

#include "failure.hpp"

namespace kith::cli {

namespace {

// The texts in the help of a command.
struct command_text {
  const char* does;
  const char* examples;
};

constexpr command_text query_text{"Print the results of a query",
                                  R"(examples:
  kith query -w family.facts '(BornTo, $p), (BornTo, $q), Married($p, $q)'
  kith query -w family.facts -a who=Anna 'Ancestor(@who, $a)' --format tsv
  kith query -w family.facts 'Married(Anna, Otto)' && echo yes

The exit status is 1 if the answer is false, 2 after a mistake.)"};
constexpr command_text explain_text{
    "Print a query in full, its plan, and what each step costs in this world",
    R"(example:
  kith explain -w family.facts '(BornTo, $p), (BornTo, $q), Married($p, $q)')"};
constexpr command_text facts_text{"Print a world as facts",
                                  R"(example:
  kith facts -w first.facts -w second.facts > both.facts)"};
constexpr command_text graph_text{
    "Print entities and relations for Graphviz: all of them, or those in the results of EXPR",
    R"(examples:
  kith graph -w family.facts | dot -Tsvg > family.svg
  kith graph -w family.facts 'Ancestor(Anna, $a)')"};
constexpr command_text shell_text{"Read facts and queries interactively",
                                  R"(example:
  kith shell -w family.facts)"};
constexpr command_text tour_text{"Show a small world and queries about it, with explanations", ""};
constexpr command_text help_text{"Print the help of a command", ""};

// Declares the commands with their options, and stores the values that the user gave.
class command_line {
 public:
  command_line() {
    app_.set_version_flag("--version", "kith " KITH_VERSION);
    app_.set_help_flag("-h,--help", "Print this help");
    app_.require_subcommand(1);
    app_.get_formatter()->label("SUBCOMMAND", "COMMAND");
    app_.footer("kith help COMMAND prints the options of a command.");

    CLI::App* query = add("query", options::command::query, query_text);
    add_worlds(query);
    add_expression(query)->required();
    add_values(query);
    add_caching(query);
    query->add_option("--format", format_, "table, for people; tsv or json, for programs")
        ->option_text("table|tsv|json")
        ->take_last();
    query->add_flag("--ids", read_.with_ids, "Add a column for each term: the id that it matched");

    CLI::App* explain = add("explain", options::command::explain, explain_text);
    add_worlds(explain);
    add_expression(explain)->required();
    add_values(explain);
    add_caching(explain);
    explain->add_flag(
        "--live", read_.live,
        "Print the plan before the query runs, and how far it has come while it does");
    explain->add_flag("--storage", read_.with_storage,
                      "Also print where the ids of the query are kept, and why");

    add_worlds(add("facts", options::command::facts, facts_text));

    CLI::App* graph = add("graph", options::command::graph, graph_text);
    add_worlds(graph);
    add_expression(graph);
    add_values(graph);

    add_worlds(add("shell", options::command::shell, shell_text));
    add("tour", options::command::tour, tour_text);
    // read() handles `help` before CLI11 does; this makes the help list it.
    add("help", options::command::text, help_text)->add_option("COMMAND")->option_text(" ");
  }

  options read(int count, const char* const* words) {
    if (count > 1 && std::string_view(words[1]) == "help") return read_help(count, words);
    try {
      app_.parse(count, words);
    } catch (const CLI::CallForHelp&) {
      return text_to_print(help_of(asked_for()));
    } catch (const CLI::CallForVersion&) {
      return text_to_print(app_.version() + "\n");
    } catch (const CLI::ParseError& e) {
      complain(e, count, words);
    }
    for (const std::string& value : values_) read_.asked.values.push_back(read_binding(value));
    check_values();
    check_worlds();
    read_.format = read_format();
    if (is_cached_ && is_uncached_) throw failure("--cached and --uncached exclude each other");
    if (is_cached_) read_.asked.cache = cache_kind::always;
    if (is_uncached_) read_.asked.cache = cache_kind::never;
    return read_;
  }

 private:
  CLI::App* add(const std::string& name, options::command what, const command_text& text) {
    CLI::App* command = app_.add_subcommand(name, text.does);
    command->group("Commands");
    command->footer(text.examples);
    command->callback([this, what] { read_.what = what; });
    return command;
  }

  void add_worlds(CLI::App* command) {
    command->add_option("-w,--world", read_.worlds, "A file of facts; - is standard input")
        ->option_text("FILE ...")
        ->allow_extra_args(false);
    add_limit(command, "--max-entities", "N", "Refuse a file that creates more entities",
              [this](double n) { read_.most.entities = whole(n); });
    add_limit(command, "--max-rows", "N", "End a query that has more results with an error",
              [this](double n) { read_.most.rows = whole(n); });
    add_limit(command, "--max-seconds", "S", "The same for a file or a query that takes longer",
              [this](double n) { read_.most.seconds = n; });
  }

  static std::size_t whole(double n) {
    constexpr double many = 1e18;
    return static_cast<std::size_t>(std::min(std::ceil(n), many));
  }

  void add_limit(CLI::App* command, const std::string& name, const char* unit, const char* help,
                 std::function<void(double)> set) {
    const auto read = [name, set = std::move(set)](const std::string& text) {
      double n = 0;
      const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), n);
      if (wrong != std::errc() || end != text.data() + text.size() || !(n > 0))
        throw failure(name + " " + text + ": expected a number above 0");
      set(n);
    };
    command->add_option_function<std::string>(name, read, help)
        ->option_text(unit)
        ->take_last()
        ->group("Limits, for facts and queries that you do not trust");
  }

  CLI::Option* add_expression(CLI::App* command) {
    return command
        ->add_option_function<std::string>(
            "EXPR",
            [this](const std::string& text) {
              read_.asked.expression = text;
              read_.has_expression = true;
            },
            "A query; put it in quotes, so that the shell passes it as one word")
        ->option_text(" ");
  }

  void add_values(CLI::App* command) {
    command->add_option("-a,--arg", values_, "A value for a parameter or variable")
        ->option_text("NAME=ENTITY ...")
        ->allow_extra_args(false);
  }

  void add_caching(CLI::App* command) {
    command->add_flag("--cached", is_cached_,
                      "Keep the results up to date while the world changes");
    command->add_flag("--uncached", is_uncached_, "Keep nothing; the answer is the same");
  }

  static options text_to_print(std::string text) {
    options read;
    read.text = std::move(text);
    return read;
  }

  std::vector<CLI::App*> commands() {
    return app_.get_subcommands([](CLI::App*) { return true; });
  }

  // The command for which the user gave --help.
  CLI::App& asked_for() {
    const std::vector<CLI::App*> given = app_.get_subcommands();
    return given.empty() ? app_ : *given.front();
  }

  std::string help_of(const CLI::App& command) const {
    return &command == &app_ ? app_.help() : command.help(app_.get_name());
  }

  options read_help(int count, const char* const* words) {
    if (count > 3) throw failure("help takes one command");
    const std::string name = count == 3 ? words[2] : "";
    if (name.empty() || name.starts_with('-')) return text_to_print(help_of(app_));
    for (CLI::App* command : commands())
      if (command->get_name() == name) return text_to_print(help_of(*command));
    throw failure(unknown_command(name));
  }

  std::string unknown_command(const std::string& name) {
    std::string message = "there is no command '" + name + "'; the commands are";
    for (const CLI::App* command : commands()) message += " " + command->get_name();
    return message;
  }

  [[noreturn]] void complain(const CLI::ParseError& e, int count, const char* const* words) {
    const CLI::App& command = asked_for();
    const bool has_command = &command != &app_;
    const std::string help = has_command ? "kith help " + command.get_name() : "kith help";
    std::string message = e.what();
    if (!has_command && count == 1) {
      message = "no command was given";
    } else if (!has_command && words[1][0] != '-') {
      message = unknown_command(words[1]);
    } else if (!has_command) {
      message = "there is no option '" + std::string(words[1]) + "' here";
    } else if (dynamic_cast<const CLI::ExtrasError*>(&e) && app_.remaining_size() > 0) {
      message =
          "'" + app_.remaining().front() + "' stands before the command; options come after it";
    } else if (dynamic_cast<const CLI::ArgumentMismatch*>(&e)) {
      message = message.substr(0, message.find(':')) + " needs a value";
    } else if (dynamic_cast<const CLI::ExtrasError*>(&e) && command.remaining_size() > 0) {
      const std::string left = command.remaining().front();
      message = left.starts_with("-") ? "there is no option '" + left + "'"
                                      : "unexpected argument '" + left + "'";
      const auto is_file = [](const std::string& word) {
        std::error_code unknown;
        return std::filesystem::is_regular_file(word, unknown);
      };
      if (command.get_option_no_throw("--world") &&
          (is_file(left) || is_file(read_.asked.expression)))
        message += "; a file of facts is given with -w";
      else if (read_.has_expression && !left.starts_with("-"))
        message += "; put the expression in quotes, so that the shell passes it as one word";
    }
    throw failure(message + "\nsee " + help);
  }

  static binding read_binding(const std::string& text) {
    const std::size_t equals = text.find('=');
    binding b{text.substr(0, equals), equals == text.npos ? "" : text.substr(equals + 1)};
    // The name may be written as in the query: `$team`, `@team`, `This`.
    if (b.variable.starts_with('$') || b.variable.starts_with('@')) b.variable.erase(0, 1);
    if (b.variable == "This") b.variable = "this";
    if (b.variable.empty() || b.entity.empty())
      throw failure("-a " + text + ": expected NAME=ENTITY");
    return b;
  }

  format read_format() const {
    const std::optional<format> known = find_format(format_);
    if (!known) throw failure("--format " + format_ + ": expected table, tsv or json");
    return *known;
  }

  void check_values() {
    if (!read_.asked.values.empty() && !read_.has_expression)
      throw failure("-a " + values_.front() + ": a value needs an expression");
    std::set<std::string> given;
    for (const binding& b : read_.asked.values)
      if (!given.insert(b.variable).second)
        throw failure("-a " + b.variable + "=" + b.entity + ": " + b.variable +
                      " has a value already");
  }

  void check_worlds() const {
    if (std::count(read_.worlds.begin(), read_.worlds.end(), "-") > 1)
      throw failure("-w -: standard input can be read only once");
  }

  CLI::App app_{"Answer queries about worlds of entities and relations", "kith"};
  std::vector<std::string> values_;
  std::string format_ = "table";
  bool is_cached_ = false;
  bool is_uncached_ = false;
  options read_;
};

}  // namespace

options read_options(int count, const char* const* words) {
  return command_line().read(count, words);
}

}  // namespace kith::cli
