#include "read_text.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "failure.hpp"

namespace kith::cli {

namespace {

[[noreturn]] void fail(const std::string& file) {
  throw failure(shown_name(file) + ": " + std::strerror(errno));
}

std::string read_all(std::FILE* from, const std::string& file) {
  std::string text;
  char piece[1 << 16];
  while (const std::size_t n = std::fread(piece, 1, sizeof piece, from)) text.append(piece, n);
  if (std::ferror(from)) fail(file);
  return text;
}

}  // namespace

std::string read_text(const std::string& file) {
  if (file == "-") return read_all(stdin, file);
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> opened(std::fopen(file.c_str(), "rb"),
                                                               std::fclose);
  if (!opened) fail(file);
  return read_all(opened.get(), file);
}

std::string shown_name(const std::string& file) { return file == "-" ? "<stdin>" : file; }

}  // namespace kith::cli
