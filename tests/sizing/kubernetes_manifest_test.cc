#include "sizing/kubernetes_manifest.h"

#include <gtest/gtest.h>

#include <sstream>

#include "catalog/catalog.h"

namespace podwright::sizing::kubernetes_manifest_test {
namespace {

const Model& model(std::string_view id) { return **find_model(embedded_catalog_facts(), id); }
const Gpu& gpu(std::string_view id) { return **find_gpu(embedded_catalog_facts(), id); }

ServingRun run_on(std::string engine, ServingParallelism parallelism) {
  ServingRun run;
  run.engine = std::move(engine);
  run.weight_precision = "fp8";
  run.parallelism = parallelism;
  run.input_tokens = 1024;
  run.output_tokens = 1024;
  return run;
}

std::string manifest(std::string_view model_id, const ServingRun& run) {
  const KubernetesManifest made = kubernetes_manifest(model(model_id), gpu("h100-sxm5-80gb"), run, 8);
  EXPECT_TRUE(made.cannot.empty());
  return made.yaml;
}

std::size_t count_of(const std::string& text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

TEST(KubernetesManifest, IsADeploymentWhereAReplicaFitsANode) {
  const std::string expected = R"(apiVersion: apps/v1
kind: Deployment
metadata:
  name: llama-3-1-70b
spec:
  replicas: 2
  selector:
    matchLabels:
      app: llama-3-1-70b
  template:
    metadata:
      labels:
        app: llama-3-1-70b
    spec:
      containers:
        - name: engine
          image: "vllm/vllm-openai:<tag>"
          command: ["/bin/sh", "-c"]
          args:
            - |
              exec vllm serve \
                "$MODEL" \
                --host 0.0.0.0 \
                --port 8000 \
                --tensor-parallel-size 4 \
                --max-model-len 2048
          env:
            - name: MODEL
              value: "<Hugging Face id or folder of Llama-3.1-70B, fp8 weights>"
            - name: HF_HOME
              value: /models
            - name: HF_TOKEN
              valueFrom:
                secretKeyRef:
                  name: hf-token-secret
                  key: token
                  optional: true
          ports:
            - name: http
              containerPort: 8000
          resources:
            limits:
              nvidia.com/gpu: "4"
          startupProbe:
            httpGet:
              path: /health
              port: http
            timeoutSeconds: 5
            periodSeconds: 10
            failureThreshold: 180
          readinessProbe:
            httpGet:
              path: /health
              port: http
            timeoutSeconds: 5
            periodSeconds: 5
            failureThreshold: 3
          livenessProbe:
            httpGet:
              path: /health
              port: http
            timeoutSeconds: 5
            periodSeconds: 10
            failureThreshold: 3
          volumeMounts:
            - name: shm
              mountPath: /dev/shm
            - name: models
              mountPath: /models
      volumes:
        - name: shm
          emptyDir:
            medium: Memory
            sizeLimit: 16Gi
        - name: models
          persistentVolumeClaim:
            claimName: "<claim with the models>"
---
apiVersion: v1
kind: Service
metadata:
  name: llama-3-1-70b
spec:
  selector:
    app: llama-3-1-70b
  ports:
    - name: http
      port: 80
      targetPort: http
)";
  EXPECT_EQ(manifest("llama-3.1-70b", run_on("vllm", {.tensor = 4, .data = 2})), expected);
}

TEST(KubernetesManifest, IsALeaderWorkerSetWhereReplicasSpanNodes) {
  const std::string yaml = manifest("llama-3.1-405b", run_on("vllm", {.tensor = 8, .pipeline = 2, .data = 3}));
  EXPECT_EQ(count_of(yaml, "kind: LeaderWorkerSet"), 1u);
  EXPECT_EQ(count_of(yaml, "kind: Service\n"), 1u);
  EXPECT_EQ(count_of(yaml, "---\n"), 1u);
  for (const char* part : {"apiVersion: leaderworkerset.x-k8s.io/v1\n", "  replicas: 3\n", "    size: 2\n",
                           "restartPolicy: RecreateGroupOnPodRestart", "export NODE_RANK=\"$LWS_WORKER_INDEX\"",
                           "export MASTER_ADDR=\"$LWS_LEADER_ADDRESS\"", "nvidia.com/gpu: \"8\"", "--nnodes 2",
                           "leaderworkerset.sigs.k8s.io/worker-index: \"0\"", "  name: llama-3-1-405b-nodes\n",
                           "    app: llama-3-1-405b-nodes\n", "  name: llama-3-1-405b\nspec:\n  selector:"})
    EXPECT_TRUE(has(yaml, part)) << part;
}

TEST(KubernetesManifest, LeadsTensorRtLlmOnSeveralNodesByMpi) {
  const std::string yaml = manifest("llama-3.1-405b", run_on("tensorrt-llm", {.tensor = 8, .pipeline = 2}));
  for (const char* part : {"exec /usr/sbin/sshd -D -p 2222", "secretName: mpi-ssh-keys", "mountPath: /ssh",
                           "exec mpirun --allow-run-as-root -H \"$hosts\"", " -n 16 trtllm-llmapi-launch trtllm-serve",
                           "hosts=\"$LWS_LEADER_ADDRESS:8\""})
    EXPECT_TRUE(has(yaml, part)) << part;
}

/// Every line is a key, a list item, a line of a script or a divider, and deepens by one step at most.
TEST(KubernetesManifest, IsIndentedByStepsOfTwo) {
  for (const char* engine : {"vllm", "sglang"}) {
    std::istringstream lines(manifest("llama-3.1-405b", run_on(engine, {.tensor = 8, .pipeline = 2})));
    std::size_t before = 0;
    bool opens = true;
    for (std::string line; std::getline(lines, line);) {
      const std::size_t indent = line.find_first_not_of(' ');
      ASSERT_NE(indent, std::string::npos) << "an empty line";
      EXPECT_EQ(indent % 2, 0u) << line;
      EXPECT_EQ(line.find('\t'), std::string::npos) << line;
      if (indent > before) {
        EXPECT_TRUE(opens && indent <= before + 4) << line;
      }
      before = indent;
      const char last = line.back();
      opens = last == ':' || last == '|' || last == '\\' || line[indent] == '-';
    }
  }
}

TEST(KubernetesManifest, WritesTheOptionsFileOfTensorRtLlm) {
  const std::string yaml = manifest("llama-3.1-70b", run_on("tensorrt-llm", {.tensor = 4}));
  EXPECT_TRUE(has(yaml,
                  "              cat > extra-llm-api-config.yml <<'EOF'\n              kv_cache_config:\n"
                  "                enable_block_reuse: false\n              EOF\n"));
}

TEST(KubernetesManifest, PutsARouterInFrontOfPools) {
  ServingRun run = run_on("vllm", {});
  run.disaggregated =
      Disaggregated{.prefill_gpus = 8, .decode_gpus = 8, .prefill = {.tensor = 4, .data = 2}, .decode = {.tensor = 8}};
  const std::string yaml = manifest("llama-3.1-70b", run);
  EXPECT_EQ(count_of(yaml, "kind: LeaderWorkerSet"), 2u);
  EXPECT_EQ(count_of(yaml, "kind: Deployment"), 1u);
  EXPECT_EQ(count_of(yaml, "kind: Service\n"), 1u);
  for (const char* part :
       {"replicas: 2\n", "app: llama-3-1-70b-prefill\n", "containerPort: 8100\n", "containerPort: 8200\n",
        "value: \"llama-3-1-70b-prefill-1.llama-3-1-70b-prefill\"\n",
        "value: \"llama-3-1-70b-decode-0.llama-3-1-70b-decode\"\n", "exec vllm-router \\\n",
        "fieldPath: status.podIP\n", "value: \"5600\"\n", "nvidia.com/gpu: \"4\"\n", "nvidia.com/gpu: \"8\"\n"})
    EXPECT_TRUE(has(yaml, part)) << part;
  EXPECT_FALSE(has(yaml, "CUDA_VISIBLE_DEVICES"));
  // Replicas of a pool may span nodes.
  run.disaggregated->decode.tensor = 16;
  EXPECT_TRUE(has(manifest("llama-3.1-70b", run), "    size: 2\n"));
  // The Service in front finds the router.
  const std::string service = yaml.substr(yaml.rfind("kind: Service"));
  EXPECT_TRUE(has(service, "  name: llama-3-1-70b\nspec:\n  selector:\n    app: llama-3-1-70b-router\n")) << service;
}

TEST(KubernetesManifest, SaysWhatItCannot) {
  const auto cannot = [](const ServingRun& run, std::string_view gpu_id) {
    const KubernetesManifest made = kubernetes_manifest(model("llama-3.1-405b"), gpu(gpu_id), run, 8);
    EXPECT_TRUE(made.yaml.empty());
    return made.cannot.empty() ? std::string() : made.cannot[0];
  };
  EXPECT_EQ(cannot(run_on("vllm", {.tensor = 4, .pipeline = 3}), "h100-sxm5-80gb"),
            "A replica of 12 GPUs does not fill nodes of 8.");
}

}  // namespace
}  // namespace podwright::sizing::kubernetes_manifest_test
