package io.drayage.bench.rig;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The garbage collector of a child's JVM: a second one beside the user's would end it. */
final class CollectorChoice {
  private static final Pattern COLLECTOR = Pattern.compile("-XX:[+-]Use[A-Za-z0-9]*GC\\b");

  private CollectorChoice() {}

  /**
   * The option for a collector; none if the user has named one by the variables that every JVM
   * reads.
   *
   * @param collector as the option has it: {@code Parallel}
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
