// Plain tables for terminals: columns as wide as their widest cell, two blanks between them.
#pragma once

#include <string>
#include <vector>

namespace tessera::app {

class TextTable {
  public:
    explicit TextTable(std::vector<std::string> header) : rows_{std::move(header)} {}
    void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
    [[nodiscard]] std::string text() const;

  private:
    std::vector<std::vector<std::string>> rows_;
};

}  // namespace tessera::app
