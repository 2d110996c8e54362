package io.drayage.bench.system;

import static io.drayage.internal.Texts.format;

import io.drayage.codec.Levels;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The notation of systems under test, over the existing parts. Immutable.
 *
 * @param transports the names of the transports
 * @param own the parts that they can be combined with
 * @param peers the parts of peers, by their names. A peer is in the place of a transport and
 *     chooses its threads itself
 */
public record SystemNotation(List<String> transports, Parts own, Map<String, Parts> peers) {
  /** The most codec threads that a notation may have. */
  public static final int MAX_THREADS = 1024;

  private static final String FORM = "TRANSPORT:SERIALIZER+COMPRESSOR[:LEVEL][@THREADS]";
  private static final Pattern PATTERN =
      Pattern.compile("([^:+@]+):([^:+@]+)\\+([^:+@]+)(?::([^:+@]*))?(?:@([^:+@]*))?");
  private static final Pattern NUMBER = Pattern.compile("-?\\d{1,9}");

  public SystemNotation {
    transports = List.copyOf(transports);
    // Keeps their order.
    peers = Collections.unmodifiableMap(new LinkedHashMap<>(peers));
  }

  /**
   * Reads a system.
   *
   * @throws IllegalArgumentException if there is no such system; the message says in one line what
   *     is valid
   */
  public SystemUnderTest parse(String text) {
    requireNoThreads(text);
    Parts alone = peers.get(text);
    String whole = alone == null || alone.plain() == null ? text : text + ":" + alone.plain();
    Matcher matcher = PATTERN.matcher(whole);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "'%s' is not a system: write %s, such as netty:raw+none@2".formatted(text, FORM));
    }
    String transport = known("transport", names(), matcher.group(1), text);
    Parts peer = peers.get(transport);
    Parts parts = peer == null ? own : peer;
    String compressor =
        known("compressor", List.copyOf(parts.compressors().keySet()), matcher.group(3), text);
    return new SystemUnderTest(
        transport,
        known("serializer", parts.serializers(), matcher.group(2), text),
        compressor,
        level(parts.compressors().getOrDefault(compressor, Levels.NONE), matcher, text),
        threads(matcher.group(5), text));
  }

  private void requireNoThreads(String text) {
    int at = text.indexOf('@');
    String name = text.split("[:@]", 2)[0];
    if (at >= 0 && peers.containsKey(name)) {
      throw new IllegalArgumentException(
          "'%s' accepts no number of threads, because a peer chooses it itself: leave out '%s'"
              .formatted(text, text.substring(at)));
    }
  }

  private List<String> names() {
    List<String> names = new ArrayList<>(transports);
    names.addAll(peers.keySet());
    return names;
  }

  private static String known(String what, List<String> names, String name, String system) {
    if (!names.contains(name)) {
      throw new IllegalArgumentException(
          "unknown %s '%s' in '%s': choose %s"
              .formatted(what, name, system, String.join(", ", names)));
    }
    return name;
  }

  private static @Nullable Integer level(Levels levels, Matcher matcher, String system) {
    String text = matcher.group(4);
    String compressor = matcher.group(3);
    if (text == null) {
      return null;
    }
    if (!levels.any()) {
      throw new IllegalArgumentException(
          "compressor '%s' in '%s' has no levels: leave out ':%s'"
              .formatted(compressor, system, text));
    }
    Integer level = number(text);
    if (level == null || level < levels.min() || level > levels.max()) {
      throw new IllegalArgumentException(
          format(
              "level '%s' in '%s' is none of %s: choose %d to %d",
              text, system, compressor, levels.min(), levels.max()));
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
          format("threads '%s' in '%s': write 1 to %d, or cores", text, system, MAX_THREADS));
    }
    return threads;
  }

  private static @Nullable Integer number(String text) {
    return NUMBER.matcher(text).matches() ? Integer.valueOf(text) : null;
  }
}
