package io.drayage.bench.config;

import io.drayage.bench.ByteSize;
import io.drayage.bench.system.SystemNotation;
import io.drayage.bench.system.SystemUnderTest;
import io.drayage.bench.system.Systems;
import io.drayage.send.SegmentsSender;
import io.drayage.transport.TransportOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How cargoes are shipped. In a file a line for each setting, {@code key = value}; what follows a
 * {@code #} is a comment. The keys are those of the options of {@code drayage throughput}. Null is
 * what a file does not say.
 *
 * @param system the system
 * @param workerThreads codec threads of the worker
 * @param transactorThreads codec threads of the transactor
 * @param segmentSize about how many raw bytes a segment has
 * @param connections connections of a shipment
 */
public record TunedConfig(
    @Nullable SystemUnderTest system,
    @Nullable Integer workerThreads,
    @Nullable Integer transactorThreads,
    @Nullable ByteSize segmentSize,
    @Nullable Integer connections) {
  /** It says nothing. */
  public static final TunedConfig NONE = new TunedConfig(null, null, null, null, null);

  private static final String SYSTEM = "system";
  private static final String WORKER_THREADS = "worker-threads";
  private static final String TRANSACTOR_THREADS = "transactor-threads";
  private static final String SEGMENT_SIZE = "segment-size";
  private static final String CONNECTIONS = "connections";
  private static final List<String> KEYS =
      List.of(SYSTEM, WORKER_THREADS, TRANSACTOR_THREADS, SEGMENT_SIZE, CONNECTIONS);

  /**
   * Reads a file.
   *
   * @throws IllegalArgumentException if a line is not understood: names file and line, and says
   *     what would be right
   */
  public static TunedConfig read(Path file) throws IOException {
    Map<String, String> values = new LinkedHashMap<>();
    TunedConfig config = NONE;
    int number = 0;
    for (String line : Files.readAllLines(file)) {
      number++;
      try {
        config = config.withLine(line, values);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "%s, line %d: %s".formatted(file, number, e.getMessage()), e);
      }
    }
    return config;
  }

  private TunedConfig withLine(String line, Map<String, String> seen) {
    int comment = line.indexOf('#');
    String text = (comment < 0 ? line : line.substring(0, comment)).strip();
    if (text.isEmpty()) {
      return this;
    }
    int equals = text.indexOf('=');
    if (equals < 0) {
      throw new IllegalArgumentException("'%s' is not of the form key = value".formatted(text));
    }
    String key = text.substring(0, equals).strip();
    String value = text.substring(equals + 1).strip();
    if (!KEYS.contains(key)) {
      throw new IllegalArgumentException(
          "unknown key '%s': choose %s".formatted(key, String.join(", ", KEYS)));
    }
    if (seen.put(key, value) != null) {
      throw new IllegalArgumentException("'%s' stands here a second time".formatted(key));
    }
    return with(key, value);
  }

  private TunedConfig with(String key, String value) {
    return switch (key) {
      case SYSTEM ->
          new TunedConfig(
              Systems.notation().parse(value),
              workerThreads,
              transactorThreads,
              segmentSize,
              connections);
      case WORKER_THREADS ->
          new TunedConfig(system, threads(key, value), transactorThreads, segmentSize, connections);
      case TRANSACTOR_THREADS ->
          new TunedConfig(system, workerThreads, threads(key, value), segmentSize, connections);
      case SEGMENT_SIZE ->
          new TunedConfig(
              system, workerThreads, transactorThreads, segmentSize(value), connections);
      default ->
          new TunedConfig(
              system,
              workerThreads,
              transactorThreads,
              segmentSize,
              number(key, value, TransportOptions.MAX_CONNECTIONS));
    };
  }

  private static int threads(String key, String value) {
    return number(key, value, SystemNotation.MAX_THREADS);
  }

  private static int number(String key, String value, int max) {
    try {
      int number = Integer.parseInt(value);
      if (number >= 1 && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw new IllegalArgumentException("%s must be 1 to %d, not '%s'".formatted(key, max, value));
  }

  private static ByteSize segmentSize(String value) {
    ByteSize size = ByteSize.parse(value);
    if (size.bytes() < SegmentsSender.MIN_SEGMENT_BYTES
        || size.bytes() > SegmentsSender.MAX_SEGMENT_BYTES) {
      throw new IllegalArgumentException(
          "%s must be 64KiB to 4MiB, not '%s'".formatted(SEGMENT_SIZE, value));
    }
    return size;
  }

  /** What it says, by the keys of a file, in their order. */
  public Map<String, String> toMap() {
    Map<String, String> values = new LinkedHashMap<>();
    putInto(values, SYSTEM, system);
    putInto(values, WORKER_THREADS, workerThreads);
    putInto(values, TRANSACTOR_THREADS, transactorThreads);
    putInto(values, SEGMENT_SIZE, segmentSize == null ? null : segmentSize.text());
    putInto(values, CONNECTIONS, connections);
    return values;
  }

  private static void putInto(Map<String, String> values, String key, @Nullable Object value) {
    if (value != null) {
      values.put(key, value.toString());
    }
  }

  /**
   * Writes a file. One that is there stays as {@code NAME.old}, in the place of an older one: at
   * any moment one of the two names has its settings.
   *
   * @param comments lines that go before, without their {@code #}
   * @return where the one that was there is now; empty if there was none
   */
  public Optional<Path> write(Path file, List<String> comments) throws IOException {
    List<String> lines = new ArrayList<>();
    comments.forEach(comment -> lines.add("# " + comment));
    toMap().forEach((key, value) -> lines.add(key + " = " + value));
    if (!Files.isRegularFile(file)) {
      // Nothing to keep; and what is no file, such as /dev/stdout, is not to be moved.
      Files.write(file, lines);
      return Optional.empty();
    }
    Path there = Files.isSymbolicLink(file) ? file.toRealPath() : file;
    Path old = there.resolveSibling(there.getFileName() + ".old");
    Path fresh = there.resolveSibling(there.getFileName() + ".new");
    try {
      Files.write(fresh, lines);
      Files.move(there, old, StandardCopyOption.ATOMIC_MOVE);
      Files.move(fresh, there, StandardCopyOption.ATOMIC_MOVE);
    } finally {
      Files.deleteIfExists(fresh);
    }
    return Optional.of(old);
  }
}
