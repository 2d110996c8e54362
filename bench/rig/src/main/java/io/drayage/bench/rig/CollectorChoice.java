package io.drayage.bench.rig;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Chooses the garbage collector of a child's JVM, which would not start with two choices. */
final class CollectorChoice {
  private static final Pattern COLLECTOR = Pattern.compile("-XX:[+-]Use[A-Za-z0-9]*GC\\b");

  private CollectorChoice() {}

  /**
   * Returns the option for a collector; empty if the user has named one by the variables that every
   * JVM reads.
   *
   * @param collector as in the option: {@code Parallel}
   */
  static List<String> option(String collector) {
    return option(collector, System.getenv());
  }

  static List<String> option(String collector, Map<String, String> environment) {
    boolean isNamed =
        Stream.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS")
            .anyMatch(name -> COLLECTOR.matcher(environment.getOrDefault(name, "")).find());
    return isNamed ? List.of() : List.of("-XX:+Use" + collector + "GC");
  }
}
