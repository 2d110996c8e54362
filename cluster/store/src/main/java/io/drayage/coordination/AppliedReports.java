package io.drayage.coordination;

import java.util.ArrayList;
import java.util.List;

/**
 * The entries of the log that nodes have applied differently than the log says.
 *
 * @param change the number of this change; a later one has a higher number
 * @param reports the newest, oldest first; one of a node about an entry
 */
public record AppliedReports(long change, List<AppliedReport> reports) {
  /** Before the first report. */
  public static final AppliedReports NONE = new AppliedReports(0, List.of());

  /** Older ones are dropped. */
  static final int MAX_REPORTS = 64;

  /** How many nodes must agree with each other to be believed more than an entry's primary. */
  private static final int QUORUM = 2;

  public AppliedReports {
    reports = List.copyOf(reports);
  }

  /** With one more, which takes the place of the same node's about the same entry. */
  public AppliedReports plus(AppliedReport report) {
    List<AppliedReport> more = new ArrayList<>(reports);
    more.removeIf(
        each -> each.node().equals(report.node()) && each.timestamp() == report.timestamp());
    more.add(report);
    return new AppliedReports(
        change + 1, more.subList(Math.max(0, more.size() - MAX_REPORTS), more.size()));
  }

  /**
   * The digest that the changes of an entry must have: what the log states, unless two nodes have
   * found the same other one.
   */
  public long expected(long timestamp, long logged) {
    List<AppliedReport> about =
        reports.stream()
            .filter(each -> each.timestamp() == timestamp && each.expected() == logged)
            .toList();
    for (AppliedReport report : about) {
      if (about.stream().filter(each -> each.found() == report.found()).count() >= QUORUM) {
        return report.found();
      }
    }
    return logged;
  }
}
