#pragma once
/// Small GGUF files built in memory.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace podwright {

/// Writes a header value by value; numbers are little-endian.
class GgufText {
 public:
  explicit GgufText(std::uint32_t version = 3) : version_(version) {}

  GgufText& text(std::string_view key, std::string_view value) {
    add_key(key, 8);
    add_text(metadata_, value);
    return *this;
  }
  GgufText& number(std::string_view key, std::uint32_t value) {
    add_key(key, 4);
    add_whole(metadata_, value, 4);
    return *this;
  }
  GgufText& flags(std::string_view key, const std::vector<bool>& values) {
    add_key(key, 9);
    add_whole(metadata_, 7, 4);
    add_whole(metadata_, values.size(), 8);
    for (const bool value : values) add_whole(metadata_, value ? 1 : 0, 1);
    return *this;
  }
  GgufText& texts(std::string_view key, const std::vector<std::string>& values) {
    add_key(key, 9);
    add_whole(metadata_, 8, 4);
    add_whole(metadata_, values.size(), 8);
    for (const std::string& value : values) add_text(metadata_, value);
    return *this;
  }
  /// `bytes` of data; the next tensor stands behind them.
  GgufText& tensor(std::string_view name, const std::vector<std::uint64_t>& shape, std::uint32_t type,
                   std::uint64_t bytes) {
    ++tensors_;
    add_text(table_, name);
    add_whole(table_, shape.size(), 4);
    for (const std::uint64_t size : shape) add_whole(table_, size, 8);
    add_whole(table_, type, 4);
    add_whole(table_, data_, 8);
    data_ += (bytes + 31) / 32 * 32;
    return *this;
  }

  std::string header() const {
    std::string out = "GGUF";
    add_whole(out, version_, 4);
    add_whole(out, tensors_, 8);
    add_whole(out, values_, 8);
    return out + metadata_ + table_;
  }
  std::uint64_t data_bytes() const { return data_; }
  /// Of the whole file.
  double file_bytes() const { return static_cast<double>((header().size() + 31) / 32 * 32 + data_); }

 private:
  static void add_whole(std::string& out, std::uint64_t value, int width) {
    for (int i = 0; i < width; ++i) out += static_cast<char>(value >> (8 * i) & 0xff);
  }
  static void add_text(std::string& out, std::string_view text) {
    add_whole(out, text.size(), 8);
    out += text;
  }
  void add_key(std::string_view key, std::uint32_t type) {
    ++values_;
    add_text(metadata_, key);
    add_whole(metadata_, type, 4);
  }

  std::uint32_t version_;
  std::uint64_t tensors_ = 0;
  std::uint64_t values_ = 0;
  std::uint64_t data_ = 0;
  std::string metadata_;
  std::string table_;
};

/// A one-layer llama of hidden size 256 with 4 heads and 2 key-value heads, MLP of 512 and 64 tokens; Q4_K but for the
/// value projection and the head (Q6_K) and the norms (F32).
inline GgufText small_llama() {
  GgufText file;
  file.text("general.architecture", "llama").text("general.name", "Small Llama");
  file.number("llama.block_count", 1).number("llama.embedding_length", 256).number("llama.feed_forward_length", 512);
  file.number("llama.attention.head_count", 4).number("llama.attention.head_count_kv", 2);
  file.number("llama.context_length", 2048);
  file.texts("tokenizer.ggml.tokens", {"a", "b"});
  file.tensor("token_embd.weight", {256, 64}, 12, 256 * 64 / 256 * 144);
  file.tensor("blk.0.attn_norm.weight", {256}, 0, 1024).tensor("blk.0.ffn_norm.weight", {256}, 0, 1024);
  file.tensor("blk.0.attn_q.weight", {256, 256}, 12, 256 * 144)
      .tensor("blk.0.attn_k.weight", {256, 128}, 12, 128 * 144);
  file.tensor("blk.0.attn_v.weight", {256, 128}, 14, 128 * 210);
  file.tensor("blk.0.attn_output.weight", {256, 256}, 12, 256 * 144);
  file.tensor("blk.0.ffn_gate.weight", {256, 512}, 12, 512 * 144)
      .tensor("blk.0.ffn_up.weight", {256, 512}, 12, 512 * 144);
  file.tensor("blk.0.ffn_down.weight", {512, 256}, 12, 512 * 144);
  file.tensor("output_norm.weight", {256}, 0, 1024).tensor("output.weight", {256, 64}, 14, 64 * 210);
  return file;
}

}  // namespace podwright
