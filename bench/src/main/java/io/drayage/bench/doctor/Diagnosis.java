package io.drayage.bench.doctor;

import io.drayage.bench.environment.Environment;
import io.drayage.transport.netty.NativeIo;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * All findings, and whether throughput can run.
 *
 * @param findings in the order in which they are shown
 * @param ready whether throughput can run
 * @param verdict one line: whether it can, and how or why not
 */
public record Diagnosis(List<Finding> findings, boolean ready, String verdict) {
  private static final int SCHEMA = 1;

  /** Examines this machine. Loads native libraries; changes nothing. */
  public static Diagnosis ofThisMachine() {
    List<Finding> findings =
        Stream.of(JvmFindings.find(), MachineFindings.find(), NativeFindings.find())
            .flatMap(List::stream)
            .toList();
    return of(findings, NativeIo.best(), Runtime.getRuntime().availableProcessors());
  }

  static Diagnosis of(List<Finding> findings, NativeIo io, int cores) {
    String problems =
        findings.stream()
            .filter(Finding::preventsThroughput)
            .map(finding -> finding.what() + ": " + finding.meaning())
            .collect(Collectors.joining("; "));
    if (!problems.isEmpty()) {
      return new Diagnosis(findings, false, "not ready: " + problems);
    }
    String verdict =
        "ready: throughput runs over %s on %d %s"
            .formatted(nameOf(io), cores, cores == 1 ? "core" : "cores");
    return new Diagnosis(findings, true, verdict);
  }

  /** A line for each finding in aligned columns, the verdict last. */
  public String toText() {
    int what = width(findings.stream().map(Finding::what));
    int value = width(findings.stream().map(Finding::value));
    String format = "%-4s  %-" + what + "s  %-" + value + "s  %s%n";
    StringBuilder text = new StringBuilder();
    for (Finding finding : findings) {
      text.append(
          format.formatted(
              finding.mark().label(), finding.what(), finding.value(), finding.meaning()));
    }
    return text.append(verdict).append(System.lineSeparator()).toString();
  }

  /** The schema of every command, with the verdict. */
  public Map<String, Object> toJson() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("schema", SCHEMA);
    json.put("environment", Environment.capture());
    json.put("config", Map.of());
    json.put("ready", ready);
    json.put("verdict", verdict);
    json.put("summary", findings.stream().map(Row::of).toList());
    return json;
  }

  /** A finding, as written to JSON. */
  private record Row(String mark, String what, String value, String meaning) {
    static Row of(Finding finding) {
      return new Row(finding.mark().label(), finding.what(), finding.value(), finding.meaning());
    }
  }

  private static String nameOf(NativeIo io) {
    return switch (io) {
      case EPOLL -> "native epoll";
      case IO_URING -> "native io_uring";
      case NIO -> "NIO";
    };
  }

  private static int width(Stream<String> cells) {
    return cells.mapToInt(String::length).max().orElse(1);
  }
}
