package io.drayage.bench.config;

import io.drayage.bench.ByteSize;
import io.drayage.bench.system.SystemNotation;
import io.drayage.bench.system.SystemUnderTest;
import io.drayage.bench.system.Systems;
import io.drayage.send.SegmentsSender;
import io.drayage.transport.TransportOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a {@link SettingsFile} that decide how cargoes are shipped, as {@code drayage
 * tune} writes them. Null is what a file does not set.
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
  /** Sets nothing. */
  public static final TunedConfig NONE = new TunedConfig(null, null, null, null, null);

  /** The key of the system. */
  public static final String SYSTEM = "system";

  /** The keys of its codec threads. */
  public static final List<String> THREADS = List.of("worker-threads", "transactor-threads");

  private static final String SEGMENT_SIZE = "segment-size";
  private static final String CONNECTIONS = "connections";

  /**
   * Reads these settings of a file, which may have others.
   *
   * @throws IllegalArgumentException if a value is malformed, naming the file
   */
  public static TunedConfig read(Path file) throws IOException {
    Map<String, String> settings = SettingsFile.read(file);
    try {
      return new TunedConfig(
          value(settings, SYSTEM, Systems.notation()::parse),
          threads(settings, THREADS.get(0)),
          threads(settings, THREADS.get(1)),
          value(settings, SEGMENT_SIZE, TunedConfig::segmentSize),
          value(
              settings,
              CONNECTIONS,
              text -> number(CONNECTIONS, text, TransportOptions.MAX_CONNECTIONS)));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("%s: %s".formatted(file, e.getMessage()), e);
    }
  }

  private static <T> @Nullable T value(
      Map<String, String> settings, String key, Function<String, T> parser) {
    String text = settings.get(key);
    return text == null ? null : parser.apply(text);
  }

  private static @Nullable Integer threads(Map<String, String> settings, String key) {
    return value(settings, key, text -> number(key, text, SystemNotation.MAX_THREADS));
  }

  private static int number(String key, String value, int max) {
    try {
      int number = Integer.parseInt(value);
      if (number >= 1 && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Reported below.
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

  /** By the keys of a file, in their order. */
  public Map<String, String> toMap() {
    Map<String, String> values = new LinkedHashMap<>();
    putInto(values, SYSTEM, system);
    putInto(values, THREADS.get(0), workerThreads);
    putInto(values, THREADS.get(1), transactorThreads);
    putInto(values, SEGMENT_SIZE, segmentSize == null ? null : segmentSize.text());
    putInto(values, CONNECTIONS, connections);
    return values;
  }

  private static void putInto(Map<String, String> values, String key, @Nullable Object value) {
    if (value != null) {
      values.put(key, value.toString());
    }
  }

  /** Writes a file as {@link SettingsFile#write}. */
  public Optional<Path> write(Path file, List<String> comments) throws IOException {
    return SettingsFile.write(file, toMap(), comments);
  }
}
