package io.drayage.bench.doctor;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.doctor.Finding.Mark;
import io.drayage.bench.result.Result;
import io.drayage.bench.table.Table;
import io.drayage.transport.netty.NativeIo;
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
  /** Examines this machine. Loads native libraries, and writes 24 MB into a temporary file. */
  public static Diagnosis ofThisMachine() {
    List<Finding> findings =
        Stream.of(
                JvmFindings.find(),
                MachineFindings.find(),
                FreshPages.find(),
                NativeFindings.find())
            .flatMap(List::stream)
            .toList();
    return of(findings, NativeIo.best(), Runtime.getRuntime().availableProcessors());
  }

  static Diagnosis of(List<Finding> findings, NativeIo io, int cores) {
    String problems =
        findings.stream()
            .filter(finding -> finding.required() && finding.mark() == Mark.NO)
            .map(finding -> finding.what() + ": " + finding.meaning())
            .collect(Collectors.joining("; "));
    if (!problems.isEmpty()) {
      return new Diagnosis(findings, false, "not ready: " + problems);
    }
    String over =
        switch (io) {
          case EPOLL -> "native epoll";
          case IO_URING -> "native io_uring";
          case NIO -> "NIO";
        };
    return new Diagnosis(
        findings,
        true,
        format(
            "ready: throughput runs over %s on %d %s", over, cores, cores == 1 ? "core" : "cores"));
  }

  /** A row for each finding. */
  public Table table() {
    return Table.of("Doctor", findings)
        .text("", finding -> finding.mark().word())
        .text("what", Finding::what)
        .text("found", Finding::value)
        .text("means", Finding::meaning)
        .build();
  }

  /** As it is written to JSON. */
  public Result<Finding> result() {
    return Result.of(Map.of(), findings, ready).with("ready", ready).with("verdict", verdict);
  }
}
