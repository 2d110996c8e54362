package io.drayage.bench.report;

import static io.drayage.internal.Texts.format;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.drayage.bench.result.Ceilings;
import io.drayage.bench.result.Floor;
import io.drayage.bench.result.Measurement;
import io.drayage.bench.result.Result;
import io.drayage.bench.result.ResultFolder;
import io.drayage.bench.result.Run;
import io.drayage.bench.result.Step;
import io.drayage.bench.result.StudyRow;
import io.drayage.bench.result.Summary;
import io.drayage.bench.result.Verdict;
import io.drayage.bench.result.Warmth;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A result of {@code throughput} or {@code ladder}, read from its file. Unknown fields are ignored.
 * Immutable.
 *
 * @param file the file of the result
 * @param content the whole content of the file
 * @param runs every iteration
 * @param summaries one per system, in their order
 * @param study the study's table; empty without it
 * @param ceilings the limits of the machine, and each system's share; null if not measured
 * @param floor the least CPU time of a commit on the machine; null if not measured
 * @param linkState the output of {@code tc}, {@code ip} and {@code ss}; null if not kept
 */
public record ReportRun(
    Path file,
    JsonNode content,
    List<Run> runs,
    List<Summary> summaries,
    List<StudyRow> study,
    @Nullable Ceilings ceilings,
    @Nullable Floor floor,
    @Nullable String linkState) {
  private static final List<String> LINK_STATES = List.of("logs/link.log", "logs/group-1/link.log");
  private static final long MAX_LINK_STATE_BYTES = 256 * 1024;
  private static final int REVISION_DIGITS = 8;
  private static final Pattern REVISION =
      Pattern.compile("[0-9a-f]{%s,64}".formatted(REVISION_DIGITS));
  private static final JsonMapper JSON =
      JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  public ReportRun {
    runs = List.copyOf(runs);
    summaries = List.copyOf(summaries);
    study = List.copyOf(study);
  }

  /**
   * Reads a result.
   *
   * @param path a run's folder, or the file
   * @throws IOException if it cannot be read, or is not a result that can be shown
   */
  public static ReportRun read(Path path) throws IOException {
    Path file = Files.isDirectory(path) ? path.resolve(ResultFolder.RESULT) : path;
    if (!Files.exists(file) || Files.isDirectory(file)) {
      throw new IOException(
          "%s is no file: name the folder of a run, or its %s"
              .formatted(file, ResultFolder.RESULT));
    }
    try {
      JsonNode root = JSON.readTree(file.toFile());
      requireSchema(file, root);
      return of(file, root);
    } catch (JsonMappingException e) {
      throw new IOException("%s: %s has a value of the wrong type".formatted(file, path(e)));
    } catch (JsonProcessingException e) {
      throw new IOException(
          "%s is not valid JSON: name the folder of a run, or its %s"
              .formatted(file, ResultFolder.RESULT));
    }
  }

  /** Returns the path of the error, such as {@code runs/3/phases/sqS}. */
  private static String path(JsonMappingException e) {
    return e.getPath().stream()
        .map(
            part ->
                part.getFieldName() == null
                    ? Integer.toString(part.getIndex())
                    : part.getFieldName())
        .collect(Collectors.joining("/"));
  }

  private static void requireSchema(Path file, JsonNode root) throws IOException {
    int schema = root.path("schema").asInt();
    if (schema != Result.SCHEMA) {
      throw new IOException(
          format(
              "%s has %s, this version reads schema %d",
              file,
              root.has("schema") ? "schema " + root.path("schema") : "no schema",
              Result.SCHEMA));
    }
    JsonNode run = root.path("runs").path(0);
    if (!run.has("system") || !run.has("sqS")) {
      throw new IOException(
          "%s holds no run of throughput or ladder: name a result of one of them".formatted(file));
    }
    new KeptFigures(file).require(root);
  }

  private static ReportRun of(Path file, JsonNode root) throws IOException {
    List<Run> runs = list(root, "runs", Run.class);
    return new ReportRun(
        file,
        root,
        runs,
        summaries(root, baseline(root.path("config"), runs), runs),
        list(root, "study", StudyRow.class),
        ceilings(root.path("ceilings")),
        root.hasNonNull("floor") ? JSON.treeToValue(root.get("floor"), Floor.class) : null,
        linkState(file));
  }

  private static @Nullable Ceilings ceilings(JsonNode node) throws JsonProcessingException {
    return node.path("systems").isEmpty() ? null : JSON.treeToValue(node, Ceilings.class);
  }

  /** Reads the state of the link of the first group. */
  private static @Nullable String linkState(Path file) throws IOException {
    for (String name : LINK_STATES) {
      Path state = file.resolveSibling(name);
      if (file.endsWith(ResultFolder.RESULT)
          && Files.isRegularFile(state)
          && Files.size(state) <= MAX_LINK_STATE_BYTES) {
        return new String(Files.readAllBytes(state), StandardCharsets.UTF_8);
      }
    }
    return null;
  }

  /** Calculates the summaries from the runs; reads warmth and rungs, which the runs do not have. */
  private static List<Summary> summaries(JsonNode root, String baseline, List<Run> runs)
      throws JsonProcessingException {
    Map<String, Warmth> warmth = new LinkedHashMap<>();
    Map<String, Step> steps = new HashMap<>();
    for (JsonNode summary : root.path("summary")) {
      String system = summary.path("system").asText();
      warmth.put(system, JSON.treeToValue(summary, Warmth.class));
      if (summary.has("rung")) {
        steps.put(system, JSON.treeToValue(summary, Step.class));
      }
    }
    return Summary.of(List.copyOf(warmth.keySet()), baseline, new Measurement(runs, warmth), steps);
  }

  private static <T> List<T> list(JsonNode root, String name, Class<T> type)
      throws JsonProcessingException {
    List<T> list = new ArrayList<>();
    for (JsonNode element : root.path(name)) {
      try {
        list.add(JSON.treeToValue(element, type));
      } catch (JsonMappingException e) {
        e.prependPath(element, list.size());
        e.prependPath(root, name);
        throw e;
      }
    }
    return list;
  }

  private static String baseline(JsonNode config, List<Run> runs) {
    String named = config.path("baseline").asText();
    return runs.stream().anyMatch(run -> run.system().equals(named))
        ? named
        : Objects.requireNonNull(runs.get(0).system());
  }

  /** The machine, the build and the libraries. */
  public JsonNode environment() {
    return content.path("environment");
  }

  /** The options of the command. */
  public JsonNode config() {
    return content.path("config");
  }

  /** Returns the time of the run; null if the file has none. */
  public @Nullable Instant time() {
    try {
      return Instant.parse(environment().path("timestamp").asText());
    } catch (DateTimeParseException e) {
      return null;
    }
  }

  /** Returns the first digits of the commit of the build; empty if unknown. */
  public String revision() {
    String commit = environment().path("commit").asText();
    return REVISION.matcher(commit).matches() ? commit.substring(0, REVISION_DIGITS) : "";
  }

  /** Whether another file holds the same run: equal content, since no two runs have equal times. */
  public boolean isSameRunAs(ReportRun other) {
    return content.equals(other.content);
  }

  /** The system that the others are compared with. */
  public String baseline() {
    return baseline(config(), runs);
  }

  /** Returns the link between the processes, such as {@code loopback} or {@code 1gbit}. */
  public String link() {
    return config().path("link").asText("loopback");
  }

  /** Returns the end of a timed commit: {@code whole} or {@code memory}. */
  public String extent() {
    return config().path("commit").asText("memory");
  }

  /** Number of workers that shipped at the same time. */
  public int workers() {
    return Math.max(1, config().path("workers").asInt(1));
  }

  /** Returns the cargo, such as {@code thesis 1GB}. */
  public String cargo() {
    String cargo = config().path("cargo").asText("?");
    String size = config().path("size").asText("");
    return config().path("size").isTextual() ? cargo + " " + size : cargo;
  }

  /** Returns a key that is equal for equal cargoes, also if their size is written differently. */
  public String cargoKey() {
    return config().path("cargo") + " " + config().path("sizeBytes");
  }

  /** Whether the study's figures are for the same cargo. */
  boolean isStudysCargo() {
    return config().path("cargo").asText().equals("thesis");
  }

  /** Raw bytes of the cargo; null if no run succeeded. */
  @Nullable Long rawBytes() {
    return runs.stream().map(Run::rawBytes).filter(Objects::nonNull).findFirst().orElse(null);
  }

  /** The command, if it was kept. */
  @Nullable String command() {
    return config().path("command").isTextual() ? config().path("command").asText() : null;
  }

  /** Cargo, link and workers, for a heading. */
  public String describe() {
    String workersText = workers() == 1 ? "" : format(", %d workers", workers());
    return cargo() + " over " + link() + workersText;
  }

  /** All systems, in their order. */
  public List<String> systems() {
    return summaries.stream().map(Summary::system).toList();
  }

  public Summary summary(String system) {
    return summaries.stream()
        .filter(summary -> summary.system().equals(system))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("there is no system " + system));
  }

  /** Returns the turns of a system that count. */
  public List<Run> countedRuns(String system) {
    return Run.counted(runs.stream().filter(run -> run.system().equals(system)).toList());
  }

  /** Returns the verdict of the runs. */
  public Verdict verdict() {
    return new Verdict(summaries, baseline(), new Measurement(runs, Map.of()));
  }
}
