/** The host screen's parts: what they show of the engine's answers, and what they ask of other screens. */
import { render } from "preact-render-to-string";
import { afterEach, describe, expect, it } from "vitest";
import { alikeDevices, CalibratePart, fitNumbers, operationText } from "../../web/src/host/calibrate_part.tsx";
import { fleetRequest, gpusOf, hasCalibration, withCalibration } from "../../web/src/host/calibrated_requests.ts";
import { alikeVerdicts, CheckPart, lightOf } from "../../web/src/host/check_part.tsx";
import { hostCommands } from "../../web/src/host/host_commands.ts";
import {
  calibrated,
  errors,
  forget,
  given,
  imported,
  importRequest,
  refusedIn,
  verified,
} from "../../web/src/host/host_state.ts";
import { ageText } from "../../web/src/host/hosts_part.tsx";
import { devicesText, fileText, hostOf } from "../../web/src/host/hosts_store.ts";
import { FilesRead, ImportPart, identifiersText, placeOf } from "../../web/src/host/import_part.tsx";
import { alikeGpus, MachinePart } from "../../web/src/host/machine_part.tsx";
import { deviceName, devicesName, fitName, inNames } from "../../web/src/host/names.ts";
import { Residuals, residualsOf } from "../../web/src/host/residual_plot.tsx";
import sample from "../../web/src/host/sample_profile.json";
import { requestLike } from "../../web/src/host/serving_part.tsx";
import type { JsonObject } from "../../web/src/json.ts";

const kProfile = sample as unknown as JsonObject;
const kCalibration: JsonObject = { schema: "podwright-calibration/2", devices: [] };

afterEach(forget);

describe("import", () => {
  it("names the file and the place in it", () => {
    const files = [{ name: "log.xml" }, { name: "bench.json" }];
    expect(placeOf("/files/1/text/duration", files)).toBe("bench.json /duration");
    expect(placeOf("/files/0/text:6", files)).toBe("log.xml :6");
    expect(placeOf("/files/0/text", files)).toBe("log.xml");
    expect(placeOf("/files", files)).toBe("/files");
  });

  it("tells kinds of names and their number, never their values", () => {
    const file = {
      identifiers: [
        { kind: "serial_number", count: 2 },
        { kind: "uuid", count: 1 },
      ],
    };
    expect(identifiersText(file)).toBe("serial numbers: 2, UUIDs: 1");
    expect(identifiersText({})).toBe("");
    imported.value = { files: [{ name: "a.json", written_by: "podwright probe", used: ["x"], identifiers: [] }] };
    expect(render(<FilesRead />)).toContain("No host name");
    imported.value = { files: [{ name: "a.json", written_by: "nvidia-smi -q -x", ...file }] };
    expect(render(<FilesRead />)).toContain("left out of the profile: serial numbers: 2, UUIDs: 1 (a.json)");
  });
});

describe("check", () => {
  it("has a light for every verdict", () => {
    const words = ["ok", "high", "low", "limited", "uncertain", "bad", "failed", "invalid", "skipped", "unjudged"];
    expect(words.map(lightOf).join(" ")).toBe("good watch watch watch watch bad bad bad open open");
    expect(lightOf("impossible")).toBe("bad");
    expect(lightOf("something new")).toBe("open");
  });

  it("shows what asks for attention first, with shape, word, cause and next command", () => {
    verified.value = {
      usable_results: 2,
      results: 3,
      verdicts: [
        { verdict: "ok", device: "d0", sentence: "As expected." },
        {
          verdict: "low",
          device: "d1",
          sentence: "Below the norm.",
          causes: [{ cause: "temperature", evidence: "hw_thermal in 62 % of the samples" }],
          next_command: "nvidia-smi -q -d TEMPERATURE",
        },
      ],
    };
    const html = render(<CheckPart />);
    expect(html).toContain("1 to look at, 1 fine.");
    expect(html).toContain("2 of 3 results");
    expect(html.indexOf("Below the norm.")).toBeLessThan(html.indexOf("As expected."));
    expect(html).toContain("Look at this (below the norm)");
    expect(html).toContain("temperature (hardware slowdown due to heat in 62 % of the samples)");
    expect(html).toContain("<code>nvidia-smi -q -d TEMPERATURE</code>");
    expect(html.match(/<svg[^>]*><path d="[^"]+"/g)?.length).toBe(2);
  });
});

describe("names", () => {
  it("are those of the verdicts, and runs of GPUs are one name", () => {
    expect(deviceName("d3")).toBe("GPU 3");
    expect(deviceName("host")).toBe("The machine");
    expect(devicesName(["d7", "d0", "d1", "d2", "d5"])).toBe("GPU 0–2, 5, 7");
    expect(devicesName(["d4"])).toBe("GPU 4");
    expect(devicesName(["d4", "host"])).toBe("GPU 4, The machine");
  });

  it("stand in sentences of the engine in place of keys, and without the sources that norms keep", () => {
    expect(inNames("decode.attn on d1: 74 % is expected (podwright-probe-floors and 2 more).")).toBe(
      "Reading the KV cache on GPU 1: 74 % is expected.",
    );
    expect(inNames("Plans keep the catalog's gemm bf16, weight-streaming bf16.")).toBe(
      "Plans keep the catalog's matrix products bf16, reading weights bf16.",
    );
    expect(inNames("sw_power_cap in 5 % of the samples (median of 4)")).toBe(
      "power limit in 5 % of the samples (median of 4)",
    );
    expect(fitName("decode.attn bf16/0")).toBe("Reading the KV cache bf16");
    expect(fitName("coll.new/8")).toBe("coll.new, 8 GPUs");
  });

  it("join the verdicts of one probe that came out alike", () => {
    const verdict = (device: string, probe: string, word: string): JsonObject => ({ device, probe, verdict: word });
    const all = [
      verdict("d0", "a", "ok"),
      verdict("d1", "b", "ok"),
      verdict("d2", "a", "ok"),
      verdict("d3", "a", "low"),
    ];
    expect(alikeVerdicts(all).map((group) => group.map(({ device }) => device))).toEqual([
      ["d0", "d2"],
      ["d1"],
      ["d3"],
    ]);
  });
});

const said = (code: string, message: string, values: JsonObject = {}): JsonObject => ({ code, message, values });

/** What the engine says of a log in which GPU 3 is hot, and of an all-reduce that no hardware gives. */
const kVerdict: JsonObject = {
  usable_results: 0,
  results: 0,
  verdict_of_all: said("machine/service", "1 of 2 GPUs needs service.", { service: 1, all: 2 }),
  devices: [
    {
      device: "d3",
      name: "NVIDIA H100 80GB HBM3",
      gpu: "h100-sxm5-80gb",
      key_match: "exact",
      state: "service",
      says: said("device-service", "GPU 3 needs service: 2 uncorrectable ECC errors, a row remap waits for a reset."),
      reasons: [said("health/ecc-uncorrectable", "2 uncorrectable ECC errors", { count: 2 })],
      next_steps: [
        {
          command: "dcgmi diag -r 3 -i 3",
          what_to_do: said("health-advice/ecc_errors", "Move the work away, reset the GPU and run the diagnostic"),
        },
      ],
      checks_made: [said("health-rule/ecc_errors", "ECC errors"), said("health-rule/temperature", "Temperature")],
      checks_missing: [said("health-rule/nvlinks", "NVLinks")],
    },
    {
      device: "host",
      state: "impossible",
      says: said("device-impossible", "The machine: All-reduce at 589 GB/s is impossible."),
      reasons: [],
      next_steps: [],
      checks_made: [],
      checks_missing: [],
    },
    {
      device: "d0",
      name: "NVIDIA H100 80GB HBM3",
      gpu: "h100-sxm5-80gb",
      key_match: "exact",
      state: "fine",
      says: said("device-fine", "GPU 0 is fine: 9 checks and 0 rates are as they should be."),
      reasons: [],
      next_steps: [],
      checks_made: [],
      checks_missing: [],
    },
  ],
  verdicts: [],
};

describe("verdict of each device", () => {
  it("names the GPU that needs service first, with its causes, what to do and the command", () => {
    verified.value = kVerdict;
    const html = render(<MachinePart />);
    expect(html).toContain("1 of 2 GPUs needs service.");
    const places = [
      "GPU 3 needs service: 2 uncorrectable ECC errors, a row remap waits for a reset.",
      "Move the work away",
      "<code>dcgmi diag -r 3 -i 3</code>",
      "Checked: ECC errors, Temperature.",
      "Not in the files, so not checked: NVLinks.",
      "All-reduce at 589 GB/s is impossible.",
      "GPU 0 is fine",
    ].map((text) => html.indexOf(text));
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(html.match(/class="light bad"/g)).toHaveLength(2);
    expect(html.match(/class="light good"/g)).toHaveLength(1);
  });

  it("folds many devices that say the same", () => {
    const [, , fine] = kVerdict.devices as JsonObject[];
    const devices = Array.from({ length: 9 }, (_, i) => ({ ...fine, device: `d${i}` }) as JsonObject);
    verified.value = { ...kVerdict, devices };
    const html = render(<MachinePart />);
    expect(html).toContain("Fine: GPU 0–8");
    expect(html).not.toContain("GPU 0 is fine");
  });

  it("says that nothing was judged, and never counts zero faults", () => {
    verified.value = { ...kVerdict, devices: [] };
    expect(render(<MachinePart />)).toBe("");
    const html = render(<CheckPart />);
    expect(html).toContain("No rate was judged");
    expect(html).not.toMatch(/\b0 (fine|faulty|to look at)/);
  });

  it("offers the GPUs of the catalog for those of one name together", () => {
    const [hot, host, fine] = kVerdict.devices as JsonObject[];
    expect(alikeGpus([hot, host, fine] as JsonObject[])).toEqual([
      { name: "NVIDIA H100 80GB HBM3", gpu: "h100-sxm5-80gb", match: "exact", devices: ["d3", "d0"] },
    ]);
    imported.value = {
      profile: {
        devices: [
          { id: "d0", kind: "gpu" },
          { id: "d3", kind: "gpu" },
        ],
      },
    };
    verified.value = kVerdict;
    const html = render(<MachinePart />);
    expect(html).toContain("NVIDIA H100 80GB HBM3, GPU 0, 3, is");
    expect(html).toContain("Matched by what the driver reports.");
  });

  it("asks the engine with a person's words on files and GPUs", () => {
    const files = [
      { name: "ar590.txt", text: "x", readAs: "all_reduce" },
      { name: "smi.xml", text: "y" },
    ];
    expect(importRequest(files, [{ device: "d0", gpu: "h100-pcie-80gb" }])).toEqual({
      kind: "import",
      files: [
        { name: "ar590.txt", text: "x", read_as: "all_reduce" },
        { name: "smi.xml", text: "y" },
      ],
      gpus: [{ device: "d0", gpu: "h100-pcie-80gb" }],
    });
    expect(importRequest([{ name: "a", text: "b", readAs: "" }], [])).toEqual({
      kind: "import",
      files: [{ name: "a", text: "b" }],
    });
  });
});

describe("files that were left out", () => {
  const fault = (place: number, path: string, code = "wrong-type") => ({
    code,
    path: `/files/${place}/text${path}`,
    message: `what is wrong with ${place}`,
    hint: "what to give",
  });

  it("are named with the reason beside those that were read, with a select of what they could be", () => {
    given.value = [
      { name: "smi.xml", text: "x" },
      { name: "broken.txt", text: "y" },
    ];
    imported.value = {
      files: [],
      refused: [{ name: "broken.txt", place: 1, errors: [fault(1, "")], could_be: ["nvidia-smi", "all_reduce"] }],
    };
    const html = render(<ImportPart />);
    expect(html).toContain("Left out; the other files were read");
    expect(html).toContain("<b>broken.txt</b>: what is wrong with 1");
    expect(html).toContain('<label for="host-read-as-1">broken.txt is</label>');
    expect(html).toContain('<option value="all_reduce">nccl-tests: all-reduce</option>');
    expect(html).not.toContain("This cannot be read");
  });

  it("keep the select where no file could be read", () => {
    given.value = [{ name: "ar590.txt", text: "x" }];
    const words = ["nvidia-smi", "all_reduce"];
    expect(refusedIn([fault(0, "/collective", "missing")], words)[0]?.couldBe).toContain("sendrecv");
    expect(refusedIn([fault(0, "")], words)[0]?.couldBe).toEqual(words);
    // A file of a known program that is damaged stays what it is.
    expect(refusedIn([fault(0, "/nvidia_smi_log", "missing")], words)[0]?.couldBe).toEqual([]);
    errors.value = [fault(0, "/collective", "missing")];
    const html = render(<ImportPart />);
    expect(html).toContain("This cannot be read");
    expect(html).toContain('<option value="broadcast">nccl-tests: broadcast</option>');
  });
});

describe("calibrate", () => {
  it("names a rate with its format and its GPUs", () => {
    expect(operationText({ operation: "gemm", precision: "bf16", ranks: 1 })).toBe("Matrix products, bf16");
    expect(operationText({ operation: "all-reduce-latency", precision: "any", ranks: 8 })).toBe(
      "All-reduce, start-up, 8 GPUs",
    );
    expect(operationText({ operation: "new-one", precision: "any", ranks: 1 })).toBe("new-one");
  });

  it("shows rates beside the data sheet, and what is not told as such", () => {
    imported.value = {
      rates: [
        {
          operation: "gemm",
          precision: "bf16",
          ranks: 1,
          unit: "TFLOP/s",
          data_sheet: 989,
          planned_without: 700,
          planned_with: 684,
          measured_low: 655,
          measured: 660,
          measured_high: 668,
          share_low: 0.662,
          share: 0.667,
          share_high: 0.675,
        },
        { operation: "host-link", precision: "any", ranks: 1, unit: "GB/s", measured: 50 },
      ],
    };
    calibrated.value = {
      devices: [{ device: "d0", name: "A GPU", fits: [], gaps: [{ parameter: "launch", reason: "no usable result" }] }],
    };
    const html = render(<CalibratePart />);
    for (const text of [
      "989 TFLOP/s",
      "700 TFLOP/s",
      "684 TFLOP/s",
      "660 (655 – 668) TFLOP/s",
      "66.7 % (66.2 % – 67.5 %)",
    ])
      expect(html).toContain(text);
    expect(html).toContain("50 GB/s");
    expect(html).toContain("Fits of GPU 0, A GPU");
  });

  it("joins devices that lack the same, and leaves one with fits by itself", () => {
    const gaps = [{ parameter: "launch", reason: "no usable result" }];
    const devices: JsonObject[] = [
      { device: "d0", name: "A", fits: [], gaps },
      { device: "d1", name: "A", fits: [{ parameter: "gemm.bf16" }], gaps: [] },
      { device: "d2", name: "A", fits: [], gaps },
    ];
    expect(alikeDevices(devices).map(([, ids]) => ids)).toEqual([["d0", "d2"], ["d1"]]);
  });

  it("lists the numbers of a fit, whatever they are, without its errors", () => {
    expect(fitNumbers({ parameter: "gemm.bf16", start_us: 3, compute_efficiency: 0.67, left_out_90_error: 0.01 })).toBe(
      "Start, µs 3, Share of peak arithmetic 67 %",
    );
  });
});

describe("residuals", () => {
  const fits: JsonObject[] = [
    {
      parameter: "gemm.bf16",
      residuals: [
        { flop: 2e12, residual: 0.031 },
        { flop: 4e9, residual: -0.02 },
      ],
    },
    { parameter: "hbm.read", residuals: [{ bytes: 1e9, residual: 0.5 }] },
    { parameter: "coll.allreduce/8" },
  ];

  it("are drawn by size, with the same numbers as a table", () => {
    expect(residualsOf(fits, "flop")).toEqual([
      { fit: "gemm.bf16", size: 2e12, residual: 0.031 },
      { fit: "gemm.bf16", size: 4e9, residual: -0.02 },
    ]);
    const html = render(<Residuals fits={fits} />);
    expect(html).toContain("Matrix products: -2 % to 3.1 % from their fits");
    expect(html).toContain("gemm.bf16, 2 TFLOP: 3.1 %");
    expect(html).not.toContain("Transfers");
    expect(html.match(/<path/g)).toHaveLength(3);
  });
});

describe("commands", () => {
  it("open a kept host and use it in the plan", () => {
    const kept = hostOf("rack one", kProfile);
    expect(hostCommands([kept]).map(({ title }) => title)).toEqual([
      "Open host rack one",
      "Use host rack one in the plan",
    ]);
    expect(hostCommands([])).toEqual([]);
  });
});

describe("use in other screens", () => {
  it("puts a calibration into a request and takes it out again", () => {
    const request: JsonObject = { kind: "plan", workloads: [] };
    const used = withCalibration(request, kCalibration);
    expect(hasCalibration(used, kCalibration)).toBe(true);
    expect(hasCalibration(used, { ...kCalibration, devices: [{}] })).toBe(false);
    expect(hasCalibration(request, undefined)).toBe(false);
    expect(withCalibration(used, undefined)).toEqual(request);
  });

  it("counts the GPUs that the catalog knows", () => {
    expect([...gpusOf(kProfile)]).toEqual([["h100-sxm5-80gb", 2]]);
    expect([...gpusOf({ devices: [{ kind: "cpu", key: "x" }, { kind: "gpu" }] })]).toEqual([]);
  });

  it("asks for the highest rate of so many GPUs, with the plan's workload", () => {
    const preset: JsonObject = {
      kind: "search",
      type: "serving",
      model: "a",
      peak_requests_per_s: 50,
      input_tokens: 1,
    };
    const plan: JsonObject = {
      workloads: [{ type: "training" }, { type: "serving", model: "b", input_tokens: 7, tpot_s_p95_max: 0.05 }],
    };
    expect(fleetRequest(plan, preset, "h100", 8, kCalibration)).toEqual({
      kind: "search",
      type: "serving",
      model: "b",
      input_tokens: 7,
      tpot_s_p95_max: 0.05,
      gpu: "h100",
      gpu_count: 8,
      calibration: kCalibration,
    });
    expect(fleetRequest({}, preset, "h100", 8, undefined)).toMatchObject({ model: "a", input_tokens: 1, gpu_count: 8 });
    expect(fleetRequest({}, preset, "h100", 8, undefined)).not.toHaveProperty("peak_requests_per_s");
  });

  it("asks the serving screen's question with the measured tokens and load", () => {
    const request: JsonObject = { model: "a", input_tokens: 1, load: { max_throughput: true } };
    expect(requestLike(request, { input_tokens: 1023.6, output_tokens: 128, concurrency: 16 })).toEqual({
      model: "a",
      input_tokens: 1024,
      output_tokens: 128,
      load: { concurrency: 16 },
    });
    expect(requestLike(request, { request_rate_per_s: 4.5 }).load).toEqual({ request_rate_per_s: 4.5 });
    expect(requestLike(request, {}).load).toEqual({ max_throughput: true });
    // The model of the file, and the GPU of the profile that came with it where it is the only one.
    const profile = (...keys: string[]) => ({ devices: keys.map((key) => ({ kind: "gpu", key })) });
    expect(requestLike(request, { model: "b" }, profile("h200", "h200"))).toMatchObject({ model: "b", gpu: "h200" });
    expect(requestLike(request, { model: "b" }, profile("h200", "h100"))).not.toHaveProperty("gpu");
  });
});

describe("my hosts", () => {
  it("tells of a profile what the list shows", () => {
    const host = hostOf("mine", kProfile);
    expect(host.devices).toBe("2 × NVIDIA H100 80GB HBM3");
    expect(host.measured).toBe("2026-01-31");
    expect(host.digest).toMatch(/^[0-9a-f]{64}$/);
    expect(devicesText({ devices: [{ id: "d0" }, { name: "A" }, { name: "A" }] })).toBe("d0, 2 × A");
    expect(hostOf("other", {})).toMatchObject({ digest: "", measured: "", devices: "" });
  });

  it("writes files in lines, which the reader checks by value", () => {
    expect(JSON.parse(fileText(kProfile))).toEqual(kProfile);
    expect(fileText(kProfile).split("\n").length).toBeGreaterThan(2);
  });

  it("tells an age in days, then in months", () => {
    const now = Date.parse("2026-03-05T10:00:00Z");
    expect(ageText("2026-03-05", now)).toBe("today");
    expect(ageText("2026-03-01", now)).toBe("2026-03-01, 4 days ago");
    expect(ageText("2025-11-01", now)).toBe("2025-11-01, 4 months ago");
    expect(ageText("", now)).toBe("at an unknown time");
  });

  it("has a sample that says that it is made up", () => {
    expect(JSON.stringify(kProfile.limits)).toContain("No real machine");
  });
});
