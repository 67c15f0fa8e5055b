// The shell: reads lines and adds facts, runs queries and carries out commands.
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>
#include <optional>

#include "commands.hpp"
#include "completion.hpp"
#include "entry.hpp"
#include "interrupt.hpp"
#include "line_editor.hpp"
#include "load.hpp"
#include "results.hpp"
#include "shell_commands.hpp"
#include "text.hpp"

namespace kith::cli {

namespace {

constexpr std::string_view how_to_type = R"(Facts are told, queries are asked:

  Likes(bob, alice)          a fact: it names all it is about
  !Likes(bob, alice)         no longer
  struct Position {f32 x, f32 y}
  (Likes, $whom)             a query: something is left open
  Likes(bob, alice)?         a question mark asks whether it is so

A line that ends with a comma or an open bracket goes on; an empty line ends it anyway.
Tab completes names. Ctrl-C stops what is printed; a second one ends the shell.

)";

class shell {
 public:
  shell(world& in, const budget& most, output& out)
      : world_(in),
        most_(most),
        out_(out),
        editor_([&in](std::string_view line,
                      std::string_view start) { return completions(in, line, start); },
                default_history_file()) {}

  exit_status run() {
    if (editor_.is_interactive()) {
      remember_interrupts();
      world_.stop_queries_when(interrupt_flag());
      out_ << "kith " KITH_VERSION ", " << count_text(world_.entity_count(), "entity", "entities")
           << ". :help lists the commands.\n";
    }
    while (!is_over_) {
      out_.flush();
      const std::optional<std::string> typed = read();
      if (!typed) break;
      forget_interrupt();
      carry_out_and_complain(*typed);
      // Otherwise read() would take Ctrl-D for the interrupt.
      forget_interrupt();
    }
    // Ends the line in which the user typed Ctrl-D.
    if (editor_.is_interactive() && !is_over_) out_ << "\n";
    return had_mistake_ && !editor_.is_interactive() ? mistake : ok;
  }

 private:
  // All lines of an entry; nothing at the end of the input.
  std::optional<std::string> read() {
    std::string typed;
    for (;;) {
      const std::optional<std::string> line = editor_.read(typed.empty() ? "kith> " : "  ... ");
      if (!line && is_interrupted()) {
        // An interrupt drops the lines of this entry.
        forget_interrupt();
        typed.clear();
        out_ << "\n";
        out_.flush();
        continue;
      }
      if (!line && typed.empty()) return std::nullopt;
      if (!line || (line->empty() && !typed.empty())) return typed;
      typed += *line + "\n";
      if (!is_unfinished(typed)) return typed;
    }
  }

  void carry_out_and_complain(std::string_view typed) {
    try {
      carry_out(read_entry(typed));
    } catch (const kith::error& e) {
      complain(explained(e));
    } catch (const std::exception& e) {
      complain(e.what());
    }
  }

  void complain(const std::string& message) {
    had_mistake_ = true;
    out_.flush();
    std::cerr << "kith: " << message << std::endl;
  }

  void carry_out(const entry& e) {
    switch (e.is) {
      case entry::kind::nothing:
        return;
      case entry::kind::command:
        return carry_out_command(e.text);
      case entry::kind::facts:
        return tell(e.text);
      case entry::kind::query:
        const query_view<> q = ask(e.text);
        last_query_ = e.text;
        write_results(q, with_ids_, *make_writer(format_, out_));
    }
  }

  void tell(const std::string& facts) {
    const result<std::size_t> told = world_.try_define(facts, most_);
    if (!told) throw failure(explained(told.error()));
    if (editor_.is_interactive()) out_ << out_.dim(count_text(told.value(), "statement")) << "\n";
  }

  query_view<> ask(const std::string& expression) {
    const question asked{expression};
    const query_view<> q = cli::ask(world_, asked);
    if (const auto open = open_parameters(q, asked); !open.empty())
      throw failure("the parameter @" + open.front() + " has no value; write $" + open.front() +
                    " and add $" + open.front() + " == ENTITY");
    return q;
  }

  void carry_out_command(std::string_view text) {
    const std::string_view name = text.substr(0, text.find_first_of(" \t\n"));
    const std::size_t rest = text.find_first_not_of(" \t\n", name.size());
    const std::string argument(rest == text.npos ? "" : text.substr(rest));
    const shell_command* command = find_shell_command(name);
    if (!command)
      throw failure("there is no command :" + std::string(name) + "; :help lists the commands");
    if (!argument.empty() && command->argument.empty())
      throw failure(":" + std::string(command->name) + " takes no argument, found '" + argument +
                    "'");
    if (argument.empty() && !command->argument.empty() && command->argument[0] != '[')
      throw failure(":" + std::string(command->name) + " needs " + std::string(command->argument));
    carry_out(*command, argument);
  }

  void carry_out(const shell_command& command, const std::string& argument) {
    switch (command.is) {
      case shell_command::kind::help:
        return print_help();
      case shell_command::kind::explain:
        return explain(world_, {without_question_mark(argument)}, out_);
      case shell_command::kind::load:
        out_ << out_.dim(describe(load(world_, argument, most_))) << "\n";
        return;
      case shell_command::kind::save:
        return save(argument);
      case shell_command::kind::facts:
        return print_facts(world_, out_);
      case shell_command::kind::format:
        return set_format(argument);
      case shell_command::kind::ids:
        with_ids_ = !with_ids_;
        out_ << "ids are " << (with_ids_ ? "shown" : "hidden") << "\n";
        return;
      case shell_command::kind::time:
        return time(argument.empty() ? last_query_ : without_question_mark(argument));
      case shell_command::kind::quit:
        is_over_ = true;
    }
  }

  void print_help() {
    out_ << how_to_type;
    constexpr std::size_t width = 24;
    for (const shell_command& command : shell_commands()) {
      const std::string use = ":" + std::string(command.name) + " " + std::string(command.argument);
      out_ << "  " << use << std::string(width - use.size(), ' ') << command.help << "\n";
    }
  }

  void save(const std::string& file) {
    errno = 0;
    std::ofstream to(file, std::ios::binary);
    if (to) world_.facts([&](std::string_view piece) { to << piece; });
    to.close();
    if (!to) throw failure(file + ": " + (errno ? std::strerror(errno) : "cannot be written"));
    out_ << out_.dim("saved to " + file) << "\n";
  }

  void set_format(std::string_view name) {
    const std::optional<format> known = find_format(name);
    if (!known) throw failure("there is no format '" + std::string(name) + "': table, tsv or json");
    format_ = *known;
  }

  void time(const std::string& expression) {
    if (expression.empty()) throw failure("there was no query yet: :time QUERY");
    out_ << measure(ask(expression)) << "\n";
  }

  world& world_;
  budget most_;
  output& out_;
  line_editor editor_;
  format format_ = format::table;
  bool with_ids_ = false;
  std::string last_query_;
  bool is_over_ = false;
  bool had_mistake_ = false;
};

}  // namespace

exit_status run_shell(world& in, const budget& most, output& out) {
  return shell(in, most, out).run();
}

}  // namespace kith::cli
