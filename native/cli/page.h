#pragma once
/// An answer that is being written for people: for a terminal, or as Markdown that GitHub renders.
#include <string>
#include <string_view>
#include <vector>

namespace podwright::cli {

class Page {
 public:
  enum class Form { terminal, markdown };
  explicit Page(Form form = Form::terminal) : form_(form) {}

  bool is_markdown() const { return form_ == Form::markdown; }
  bool empty() const { return text_.empty(); }

  /// Of a section; `level` 2 is that of the answer's own sections. A terminal shows an empty line before it.
  void title(std::string_view text, int level = 2);
  /// Sentences, broken into lines where a terminal needs it.
  void paragraph(std::string_view text);
  /// The same two columns in.
  void indented(std::string_view text);
  /// One line, however long.
  void line(std::string_view text);
  void bullet(std::string_view text);
  /// What belongs to the bullet above.
  void below_bullet(std::string_view text);
  /// The first row is the head.
  void table(const std::vector<std::vector<std::string>>& rows);
  /// Lines that are to be copied as they are.
  void code(std::string_view lines);
  /// An empty line on a terminal; blocks of Markdown have one anyway.
  void gap();

  /// What a terminal shows, for lines of its own.
  std::string& terminal_text() { return text_; }
  std::string take() { return std::move(text_); }

 private:
  enum class Block { none, bullet, other };
  void block(Block kind, const std::string& text);

  Form form_;
  std::string text_;
  Block last_ = Block::none;
};

/// A text in a line of Markdown: it shows as it is, whatever it holds.
std::string markdown_text(std::string_view text);

}  // namespace podwright::cli
