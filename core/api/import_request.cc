#include "api/host_request.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "api/answer_writer.h"
#include "api/common_fields.h"
#include "api/common_table.h"
#include "api/engine_request.h"
#include "api/host_calibration_text.h"
#include "base/json_read.h"
#include "base/number_text.h"
#include "calibration/host_calibration.h"
#include "calibration/machine_formulas.h"
#include "calibration/rate_ceiling.h"
#include "calibration/rate_use.h"
#include "measure/profile_merge.h"
#include "perf/ceilings.h"
#include "perf/roofline.h"

namespace podwright {
namespace {

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  for (const std::string_view one : words)
    if (one == word) return true;
  return false;
}

/// What the data sheet promises for an operation, base units; absent where it says nothing of it.
std::optional<double> data_sheet(const Gpu& gpu, const KernelRate& rate) {
  if (is_one_of(rate.operation, {"gemm", "context-attention"})) {
    const auto peak = product_peak(gpu, rate.precision);
    return peak ? std::optional<double>(raw(*peak)) : std::nullopt;
  }
  if (is_one_of(rate.operation, {"weight-streaming", "kv-reading"}))
    return gpu.memory_bandwidth ? std::optional<double>(raw(*gpu.memory_bandwidth)) : std::nullopt;
  if (rate.operation == "all-reduce-bus-bandwidth" && switches_add(gpu, rate.ranks)) return std::nullopt;
  const bool collective =
      is_one_of(rate.operation, {"all-reduce-bus-bandwidth", "all-gather-bus-bandwidth", "all-to-all-bus-bandwidth"});
  const auto& link = gpu.link_bandwidth_one_way;
  return collective && link && raw(*link) > 0 ? std::optional<double>(raw(*link)) : std::nullopt;
}

/// What plans take from a rate, beside the data sheet and what they take without the profile.
void describe_rate(AnswerWriter& v, const Catalog& catalog, const HostCalibration& host, const HostRate& rate) {
  const RateDisplay display = rate_display(rate.operation);
  const auto gpu = find_gpu(catalog, rate.gpu_id);
  const auto sheet = gpu ? data_sheet(**gpu, rate) : std::nullopt;
  const KernelRate* planned = find_kernel_rate(catalog, rate.gpu_id, rate.operation, rate.precision, rate.ranks);
  v.text({"gpu"}, rate.gpu_id);
  v.text({"operation"}, rate.operation);
  v.text({"precision"}, rate.precision);
  v.number({"ranks"}, rate.ranks);
  v.text({"unit"}, display.unit);
  if (sheet) v.number({"data_sheet"}, *sheet / display.base_units);
  if (planned != nullptr && planned->ranks == rate.ranks)
    v.number({"planned_without"}, planned->typical / display.base_units);
  if (const auto follows = plan_rate(catalog, host, rate))
    v.number({"planned_with"}, follows->typical / display.base_units);
  v.number({"measured_low"}, rate.low / display.base_units);
  v.number({"measured"}, rate.typical / display.base_units);
  v.number({"measured_high"}, rate.high / display.base_units);
  if (!sheet) return;
  v.number({"share_low"}, rate.low / *sheet);
  v.number({"share"}, rate.typical / *sheet);
  v.number({"share_high"}, rate.high / *sheet);
}

const HostRate* rate_of(const HostCalibration& host, std::string_view operation) {
  for (const HostRate& rate : host.rates)
    if (rate.operation == operation) return &rate;
  return nullptr;
}

/// Matrix products and reading of a GPU whose data sheet has the roof of both.
struct Roofs {
  const Gpu* gpu;
  const HostRate* product;
  const HostRate* reading;
  FlopsPerSecond peak;
};

std::vector<Roofs> roofs_of(const Catalog& catalog, const std::vector<HostCalibration>& hosts) {
  std::vector<Roofs> roofs;
  for (const HostCalibration& host : hosts) {
    const auto gpu = find_gpu(catalog, host.gpu_id);
    const HostRate* reading = rate_of(host, "weight-streaming");
    if (reading == nullptr) reading = rate_of(host, "kv-reading");
    if (!gpu || reading == nullptr || !(*gpu)->memory_bandwidth) continue;
    for (const HostRate& rate : host.rates)
      if (const auto peak = product_peak(**gpu, rate.precision); peak && rate.operation == "gemm")
        roofs.push_back({*gpu, &rate, reading, *peak});
  }
  return roofs;
}

void describe_roofs(AnswerWriter& v, const Roofs& roofs) {
  const auto roof = [&](const AnswerField& field, FlopsPerSecond flops, BytesPerSecond bandwidth) {
    v.group(field, [&] {
      v.number({"tflops"}, raw(flops) / 1e12);
      v.number({"memory_gb_per_s"}, raw(bandwidth) / 1e9);
      v.number({"ridge_flop_per_byte"}, ridge_point(flops, bandwidth).base_units());
    });
  };
  v.text({"gpu"}, roofs.gpu->id);
  v.text({"precision"}, roofs.product->precision);
  roof({"data_sheet"}, roofs.peak, *roofs.gpu->memory_bandwidth);
  roof({"measured"}, FlopsPerSecond(roofs.product->typical), BytesPerSecond(roofs.reading->typical));
}

/// The measured machine beside its data sheet: `rates`, and by GPU and precision `rooflines` with their ridge.
void describe_rates(AnswerWriter& v, const Catalog& catalog, const ReadProfile& read) {
  struct RateOfHost {
    const HostCalibration* host;
    const HostRate* rate;
  };
  const std::vector<HostCalibration> hosts = host_calibrations(catalog, read);
  std::vector<RateOfHost> rates;
  for (const HostCalibration& host : hosts)
    for (const HostRate& rate : host.rates) rates.push_back({&host, &rate});
  v.list({"rates"}, rates, [&](const RateOfHost& one) { describe_rate(v, catalog, *one.host, *one.rate); });
  v.list({"rooflines"}, roofs_of(catalog, hosts), [&](const Roofs& roofs) { describe_roofs(v, roofs); });
}

void describe_file(AnswerWriter& v, const ImportedFile& file) {
  v.text({"name"}, file.name);
  v.word({"format"}, file.format, kFileFormatWords);
  v.text({"written_by"}, called(file.format));
  v.texts({"used"}, file.fields.used);
  v.texts({"ignored"}, file.fields.ignored);
  v.texts({"missing"}, file.fields.missing);
  v.list({"identifiers"}, file.identifiers, [&](const IdentifierCount& one) {
    v.word({"kind"}, one.kind, kIdentifierWords);
    v.number({"count"}, static_cast<double>(one.count));
  });
}

/// Errors of the choice of GPUs have their whole path.
void place_in_files(Error& error) {
  if (error.path.rfind("/gpus", 0) != 0) error.path = "/files" + error.path;
}

void describe_refused(AnswerWriter& v, const RefusedFile& file) {
  v.text({"name"}, file.name);
  v.number({"place"}, static_cast<double>(file.place));
  v.list({"errors"}, file.errors, [&](Error error) {
    place_in_files(error);
    v.text({"code"}, error.code);
    v.text({"path"}, error.path);
    v.text({"message"}, error.message);
    v.text({"hint"}, unless_empty(error.hint));
  });
  v.texts({"could_be"}, file.could_be);
}

/// A run of a file.
struct ServingOfFile {
  const ImportedFile* file;
  const ServingMeasurement* run;
};

void describe_serving(AnswerWriter& v, const ServingOfFile& one) {
  const ServingMeasurement& measured = *one.run;
  v.text({"file"}, one.file->name);
  v.text({"tool"}, measured.tool);
  v.text({"model"}, unless_empty(measured.model));
  v.number({"requests"}, measured.requests);
  v.number({"duration_s"}, measured.duration_s);
  v.number({"concurrency"}, measured.concurrency);
  v.number({"request_rate_per_s"}, measured.request_rate_per_s);
  v.number({"input_tokens"}, measured.input_tokens);
  v.number({"output_tokens"}, measured.output_tokens);
  v.number({"requests_per_s"}, measured.requests_per_s);
  v.number({"output_tokens_per_s"}, measured.output_tokens_per_s);
  v.number({"total_tokens_per_s"}, measured.total_tokens_per_s);
  v.number({"ttft_s"}, measured.ttft_s);
  v.number({"ttft_s_p50"}, measured.ttft_s_p50);
  v.number({"ttft_s_p99"}, measured.ttft_s_p99);
  v.number({"tpot_s"}, measured.tpot_s);
  v.number({"tpot_s_p50"}, measured.tpot_s_p50);
  v.number({"tpot_s_p99"}, measured.tpot_s_p99);
}

void describe_training(AnswerWriter& v, const ImportedFile& file) {
  const TrainingMeasurement& measured = *file.training;
  v.text({"file"}, file.name);
  v.text({"tool"}, measured.tool);
  v.text({"model"}, measured.model);
  v.text({"adapter"}, unless_empty(measured.adapter));
  v.number({"global_batch_size"}, measured.global_batch);
  v.number({"sequence_length"}, measured.sequence_tokens);
  v.number({"samples"}, measured.samples);
  v.number({"train_s"}, measured.train_s);
  v.number({"step_time_s"}, measured.step_time_s);
  v.text({"note"}, unless_empty(measured.note));
}

/// Numbers are in the unit that their names end in.
void describe_engine_facts(AnswerWriter& v, const EngineFacts& facts) {
  v.text({"engine"}, facts.engine);
  v.text({"version"}, unless_empty(facts.version));
  v.text({"kv_precision"}, unless_empty(facts.kv_precision));
  for (const EngineFact& fact : kEngineFacts) v.number({fact.key}, facts.*fact.value);
}

/// "m 8192, n 8192, k 8192"
std::string size_text(const ProbeSize& size) {
  std::string text;
  for (const ProbeSizeField& field : kProbeSizeFields)
    if (const auto& told = size.*field.value; told)
      text += (text.empty() ? "" : ", ") + std::string(field.word) + " " + shortest_number(*told);
  return text;
}

void describe_changes(AnswerWriter& v, const ProfileComparison& compared) {
  v.texts({"differences"}, compared.differences);
  v.number({"only_before"}, static_cast<double>(compared.only_before));
  v.number({"only_after"}, static_cast<double>(compared.only_after));
  v.list({"results"}, compared.results, [&](const ComparedResult& one) {
    v.text({"probe"}, one.after->probe);
    v.text({"dtype"}, unless_empty(one.after->dtype));
    v.texts({"devices"}, one.after->devices);
    v.word({"mode"}, one.after->mode, kProbeModeWords);
    v.text({"size"}, size_text(one.after->size));
    v.number({"time_ratio"}, one.time_ratio);
    v.flag({"beyond_noise"}, one.beyond_noise);
  });
}

std::vector<std::string> read_as_words() { return {kReadAsWords.begin(), kReadAsWords.end()}; }

}  // namespace

void describe(FieldVisitor& v, const Catalog&, ImportRequest& r) {
  describe_head(v, "import");
  list_of(v, {"files", "Files of one machine, as text", kRequired}, r.files, [&](FileText& file) {
    v.text({"name", "Name of the file, for messages", kRequired}, file.name);
    v.text({"text", "The whole file, unchanged", kRequired}, file.text);
    v.word({"read_as", "What the file is, where neither its text nor its name says so"}, file.read_as, read_as_words());
  });
  list_of(v, {"gpus", "Which GPUs of the catalog the devices are, in place of what their names say"}, r.gpus,
          [&](ChosenGpu& chosen) {
            v.text({"device", "Device of the profile: d0, d1; absent: all"}, chosen.device);
            v.text({"gpu", "GPU of the catalog", kRequired}, chosen.gpu);
          });
  v.object({"before", "An earlier profile of the same machine: what changed since"}, r.before);
  v.object({"request",
            "Request of kind serving or replay of the deployment whose engine wrote the files: it comes back with what "
            "was measured"},
           r.request);
}

Answer answer_import(const Asked& asked, const ImportRequest& request) {
  auto imported = import_files(asked.catalog, request.files, std::string(version()), request.gpus);
  if (!imported) {
    for (Error& error : imported.error()) place_in_files(error);
    return wrong_input(imported.error());
  }
  std::optional<ReadProfile> before;
  if (request.before) {
    auto read = read_profile(*parse_json(*request.before), "/before");
    if (!read) return wrong_input(read.error());
    before = std::move(*read);
  }
  const bool of_engine = std::any_of(imported->files.begin(), imported->files.end(),
                                     [](const ImportedFile& file) { return file.engine || !file.serving.empty(); });
  std::optional<EngineRequest> made;
  if (request.request && !of_engine)
    return wrong_input({{"conflict", "/request", "No file is of a serving engine or of a benchmark of it.",
                         "Add its start-up log, its metrics or a benchmark's result, or leave request out."}});
  if (of_engine) {
    auto with_facts = engine_request(asked.catalog, *imported, request.request);
    if (!with_facts) return wrong_input(with_facts.error());
    made = std::move(*with_facts);
  }
  std::vector<ServingOfFile> serving;
  for (const ImportedFile& file : imported->files)
    for (const ServingMeasurement& run : file.serving) serving.push_back({&file, &run});
  std::vector<ImportedFile> training;
  for (const ImportedFile& file : imported->files)
    if (file.training) training.push_back(file);
  return written_answer(nullptr, true, [&](AnswerWriter& v) {
    v.text({"kind"}, "import");
    v.list({"files"}, imported->files, [&](const ImportedFile& file) { describe_file(v, file); });
    if (!imported->refused.empty())
      v.list({"refused"}, imported->refused, [&](const RefusedFile& file) { describe_refused(v, file); });
    v.list({"serving"}, serving, [&](const ServingOfFile& one) { describe_serving(v, one); });
    if (!training.empty())
      v.list({"training"}, training, [&](const ImportedFile& file) { describe_training(v, file); });
    v.object({"engine"}, imported->engine, [&](const EngineFacts& facts) { describe_engine_facts(v, facts); });
    v.fields(made, [&](const EngineRequest& told) {
      if (!told.document.items.empty())
        v.any({"request"}, [&](JsonWriter& out) { out.verbatim(json_text(told.document)); });
      v.texts({"notes"}, told.notes);
    });
    if (const auto& read = imported->profile) {
      v.text({"profile_digest"}, read->digest);
      v.any({"profile"}, [&](JsonWriter& out) {
        std::string text = profile_text(read->profile);
        text.pop_back();  // its line break: an answer is one line
        out.verbatim(text);
      });
      describe_rates(v, asked.catalog, *read);
      if (before) v.group({"changes"}, [&] { describe_changes(v, compared_profiles(before->profile, read->profile)); });
    }
    describe_foot(v, asked);
  });
}

}  // namespace podwright
