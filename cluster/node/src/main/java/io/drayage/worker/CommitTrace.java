package io.drayage.worker;

import io.drayage.trace.TraceSpan;
import java.io.IOException;
import java.util.UUID;

/** The span of a commit, the parent of its shipments' spans. Not thread-safe. */
final class CommitTrace {
  private final TraceSpan span;
  private final long beganNs;

  /**
   * @param convertedNs time when its cargo was complete
   */
  CommitTrace(String worker, UUID transactionId, long beganNs, long convertedNs) {
    this.span = TraceSpan.begin("drayage.commit", beganNs);
    this.beganNs = beganNs;
    span.put("drayage.worker", worker);
    span.put("drayage.transaction", transactionId.toString());
    span.phase("convert", beganNs, convertedNs);
  }

  /** A commit, on this thread. */
  interface Commit {
    CommitReport run() throws IOException, InterruptedException;
  }

  CommitReport of(Commit commit) throws IOException, InterruptedException {
    TraceSpan.Scope current = span.makeCurrent();
    try {
      CommitReport report = commit.run();
      long loadedNs = beganNs + report.totalNs();
      long publishedNs = loadedNs - report.loadNs();
      span.phase("publish", publishedNs - report.publishNs(), publishedNs);
      span.phase("load", publishedNs, loadedNs);
      span.put("drayage.snapshot", report.timestamp());
      span.put("drayage.attempts", report.attempts());
      span.end(null);
      return report;
    } catch (Throwable e) {
      span.end(e);
      throw e;
    } finally {
      current.close();
    }
  }
}
