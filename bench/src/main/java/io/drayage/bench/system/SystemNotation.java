package io.drayage.bench.system;

import io.drayage.compressor.Levels;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The notation of systems under test, over the parts that there are. Immutable.
 *
 * @param transports the names of the transports
 * @param serializers the names of the serializers
 * @param compressors the names of the compressors, and which levels each has
 */
public record SystemNotation(
    List<String> transports, List<String> serializers, Map<String, Levels> compressors) {
  /** The most codec threads that may be asked for. */
  public static final int MAX_THREADS = 1024;

  private static final String FORM = "TRANSPORT:SERIALIZER+COMPRESSOR[:LEVEL][@THREADS]";
  private static final Pattern PATTERN =
      Pattern.compile("([^:+@]+):([^:+@]+)\\+([^:+@]+)(?::([^:+@]*))?(?:@([^:+@]*))?");
  private static final Pattern NUMBER = Pattern.compile("-?\\d{1,9}");

  public SystemNotation {
    transports = List.copyOf(transports);
    serializers = List.copyOf(serializers);
    compressors = new TreeMap<>(compressors);
  }

  /**
   * Reads a system.
   *
   * @throws IllegalArgumentException if there is no such system, saying in one line what would be
   *     right
   */
  public SystemUnderTest parse(String text) {
    Matcher matcher = PATTERN.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "'%s' is not a system: write %s, such as netty:raw+none@2".formatted(text, FORM));
    }
    return new SystemUnderTest(
        known("transport", transports, matcher.group(1), text),
        known("serializer", serializers, matcher.group(2), text),
        known("compressor", List.copyOf(compressors.keySet()), matcher.group(3), text),
        level(matcher.group(3), matcher.group(4), text),
        threads(matcher.group(5), text));
  }

  private static String known(String what, List<String> names, String name, String system) {
    if (!names.contains(name)) {
      throw new IllegalArgumentException(
          "unknown %s '%s' in '%s': choose %s"
              .formatted(what, name, system, String.join(", ", names)));
    }
    return name;
  }

  private @Nullable Integer level(String compressor, @Nullable String text, String system) {
    if (text == null) {
      return null;
    }
    Levels levels = compressors.getOrDefault(compressor, Levels.NONE);
    if (!levels.any()) {
      throw new IllegalArgumentException(
          "compressor '%s' in '%s' has no levels: leave out ':%s'"
              .formatted(compressor, system, text));
    }
    Integer level = number(text);
    if (level == null || level < levels.min() || level > levels.max()) {
      throw new IllegalArgumentException(
          "level '%s' in '%s' is none of %s: choose %d to %d"
              .formatted(text, system, compressor, levels.min(), levels.max()));
    }
    return level;
  }

  private static @Nullable Integer threads(@Nullable String text, String system) {
    if (text == null) {
      return null;
    }
    if (text.equals("cores")) {
      return SystemUnderTest.ALL_CORES;
    }
    Integer threads = number(text);
    if (threads == null || threads < 1 || threads > MAX_THREADS) {
      throw new IllegalArgumentException(
          "threads '%s' in '%s': write 1 to %d, or cores".formatted(text, system, MAX_THREADS));
    }
    return threads;
  }

  private static @Nullable Integer number(String text) {
    return NUMBER.matcher(text).matches() ? Integer.valueOf(text) : null;
  }
}
