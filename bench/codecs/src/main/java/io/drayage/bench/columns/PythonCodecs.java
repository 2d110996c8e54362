package io.drayage.bench.columns;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.drayage.bench.environment.Tools;
import io.drayage.cargo.ColumnType;
import io.drayage.cargo.ColumnValues;
import io.drayage.cargo.TextRun;
import io.drayage.codec.BulkValues;
import io.drayage.internal.Begun;
import io.drayage.internal.TemporaryFolder;
import io.drayage.segment.Segment;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Codecs that are packages of Python: pcodec and Vortex, in one process that measures itself, by
 * the script {@code codecs.py}. Not thread-safe.
 */
public final class PythonCodecs implements AutoCloseable {
  /** The command that is searched on the path. */
  public static final String COMMAND = "python3";

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final String SCRIPT = "codecs.py";

  private final TemporaryFolder folder;
  private final @Nullable Process process;
  private final List<Candidate> candidates = new ArrayList<>();
  private final Map<String, String> versions = new TreeMap<>();
  private final List<String> missing = new ArrayList<>();
  private @Nullable ColumnSample written;

  /**
   * Starts Python and asks for the installed packages.
   *
   * @param python the program; if it cannot be started, nothing counts as installed
   */
  public PythonCodecs(String python) throws IOException {
    folder = TemporaryFolder.make("drayage-columns-");
    try (Begun begun = new Begun(this::close)) {
      process = start(python);
      if (process != null) {
        greet();
      }
      begun.keep(folder);
    }
  }

  /** Whether a program can be started: of the path, or a file. */
  public static boolean isProgram(String python) {
    return python.contains("/")
        ? Files.isExecutable(Path.of(python)) && !Files.isDirectory(Path.of(python))
        : Tools.isInstalled(python);
  }

  private @Nullable Process start(String python) throws IOException {
    Path script = folder.path().resolve(SCRIPT);
    try (InputStream in = PythonCodecs.class.getResourceAsStream(SCRIPT)) {
      Files.copy(Objects.requireNonNull(in, SCRIPT), script);
    }
    if (isProgram(python)) {
      return new ProcessBuilder(python, script.toString())
          .redirectError(folder.path().resolve("errors").toFile())
          .start();
    }
    Codecs.PYTHON.keySet().stream()
        .sorted()
        .forEach(codec -> missing.add("%s: there is no %s".formatted(codec, python)));
    return null;
  }

  private void greet() throws IOException {
    JsonNode found = answer();
    found
        .get("versions")
        .properties()
        .forEach(each -> versions.put(each.getKey(), each.getValue().asText()));
    found
        .get("missing")
        .properties()
        .forEach(each -> missing.add(each.getKey() + " " + each.getValue().asText()));
    found.get("codecs").forEach(codec -> candidates.add(new PythonCandidate(codec.asText())));
  }

  /** Returns the installed codecs. */
  public List<Candidate> candidates() {
    return List.copyOf(candidates);
  }

  /** Returns the versions of the installed codecs, by the names of the packages. */
  public Map<String, String> versions() {
    return Map.copyOf(versions);
  }

  /** Returns the missing packages, with the reason, a sentence each. */
  public List<String> missing() {
    return List.copyOf(missing);
  }

  private final class PythonCandidate implements Candidate {
    private final String name;

    PythonCandidate(String name) {
      this.name = name;
    }

    @Override
    public String name() {
      return name;
    }

    private ObjectNode request(String what) {
      return JSON.createObjectNode().put("codec", name).put("do", what);
    }

    @Override
    public @Nullable String take(ColumnSample sample) throws IOException {
      ObjectNode request = request("take");
      request.set("column", column(sample));
      JsonNode refused = ask(request).get("refused");
      return refused.isNull() ? null : refused.asText();
    }

    @Override
    public Pass pass(int times) throws IOException {
      JsonNode pass = ask(request("pass").put("times", times));
      return new Pass(
          pass.get("bytes").asLong(), pass.get("encodeNs").asLong(), pass.get("decodeNs").asLong());
    }

    @Override
    public void verify() throws IOException {
      if (!ask(request("verify")).get("same").asBoolean()) {
        throw new IllegalStateException(
            "%s decodes %s to other values"
                .formatted(name, written == null ? "a column" : written.name()));
      }
    }

    @Override
    public void close() {
      // All share the process.
    }
  }

  private JsonNode ask(JsonNode request) throws IOException {
    if (process == null) {
      throw new IllegalStateException("no Python");
    }
    try {
      Writer out = process.outputWriter(StandardCharsets.UTF_8);
      out.write(request + "\n");
      out.flush();
    } catch (IOException e) {
      // The process has ended; the missing answer shows the reason.
    }
    JsonNode answer = answer();
    if (answer.has("error")) {
      throw new IOException(
          "%s: %s".formatted(request.get("codec").asText(), answer.get("error").asText()));
    }
    return answer;
  }

  private JsonNode answer() throws IOException {
    BufferedReader in = Objects.requireNonNull(process).inputReader(StandardCharsets.UTF_8);
    String line = in.readLine();
    if (line == null) {
      List<String> errors = Files.readAllLines(folder.path().resolve("errors"));
      throw new IOException(
          "Python ended: "
              + (errors.isEmpty() ? "no error output" : errors.get(errors.size() - 1)));
    }
    return JSON.readTree(line);
  }

  /** Writes a column to a file, once for all codecs. */
  private ObjectNode column(ColumnSample sample) throws IOException {
    Path file = folder.path().resolve("column");
    ObjectNode column =
        JSON.createObjectNode()
            .put("type", ColumnRow.typeName(sample.part().type()))
            .put("file", file.toString())
            .put("nullable", sample.part().nullable());
    sample.segments().forEach(s -> column.withArray("rows").add(s.rowCount()));
    boolean isWritten = written != null && written.content() == sample.content();
    if (!isWritten && sample.content() instanceof ColumnValues values) {
      try (OutputStream out = Files.newOutputStream(file)) {
        for (Segment segment : sample.segments()) {
          write(values, segment.firstRow(), segment.rowCount(), out);
        }
      }
    }
    written = sample;
    return column;
  }

  private static void write(ColumnValues values, long first, int rows, OutputStream out)
      throws IOException {
    if (values.type() == ColumnType.STRING) {
      writeTexts(values, first, rows, out);
      return;
    }
    boolean nullable = values.validity() != null;
    int bytes = rows * (values.type().widthBytes() + (nullable ? 1 : 0));
    ByteBuffer target = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; nullable && i < rows; i++) {
      target.put((byte) (values.isNull(first + i) ? 0 : 1));
    }
    new BulkValues().write(values, first, rows, target);
    out.write(target.array());
  }

  private static void writeTexts(ColumnValues values, long first, int rows, OutputStream out)
      throws IOException {
    ByteBuffer lengths = ByteBuffer.allocate(rows * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int i = 0; i < rows; i++) {
      long row = first + i;
      boolean isNull = values.isNull(row);
      TextRun text = values.texts(values.pageOf(row)).runs(values.offsetOf(row), 1).get(0);
      lengths.putInt(isNull ? -1 : text.byteCount());
      bytes.write(text.bytes(), text.start(0), isNull ? 0 : text.byteCount());
    }
    out.write(lengths.array());
    bytes.writeTo(out);
  }

  /** Ends the process. */
  @Override
  public void close() {
    if (process != null) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    folder.close();
  }
}
