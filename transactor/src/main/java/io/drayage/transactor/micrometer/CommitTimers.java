package io.drayage.transactor.micrometer;

import io.drayage.transactor.CommitTimes;
import io.drayage.transactor.PublishedCommit;
import io.drayage.transactor.TransactorNode;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Makes histograms of the steps of a transactor's commits ({@link CommitTimes}): to be given to
 * {@link TransactorNode#start}. Thread-safe.
 */
public final class CommitTimers implements Consumer<PublishedCommit> {
  private static final Duration[] BUCKETS = {
    Duration.ofMillis(1),
    Duration.ofMillis(2),
    Duration.ofMillis(5),
    Duration.ofMillis(10),
    Duration.ofMillis(20),
    Duration.ofMillis(50),
    Duration.ofMillis(100),
    Duration.ofMillis(200),
    Duration.ofMillis(500),
    Duration.ofSeconds(1),
    Duration.ofSeconds(2),
    Duration.ofSeconds(5),
    Duration.ofSeconds(10),
    Duration.ofSeconds(30)
  };

  private final Timer apply;
  private final Timer upload;
  private final Timer log;
  private final Timer publish;

  /**
   * Registers them.
   *
   * @param tags keys and values, in turns, that tell this node from others of the same registry
   */
  public CommitTimers(MeterRegistry registry, String... tags) {
    this.apply = step(registry, Tags.of(tags).and("step", "apply"));
    this.upload = step(registry, Tags.of(tags).and("step", "upload"));
    this.log = step(registry, Tags.of(tags).and("step", "log"));
    this.publish = step(registry, Tags.of(tags).and("step", "publish"));
  }

  private static Timer step(MeterRegistry registry, Tags tags) {
    return Timer.builder("drayage.commit")
        .description("How long a step of a commit took")
        .tags(tags)
        .serviceLevelObjectives(BUCKETS)
        .register(registry);
  }

  @Override
  public void accept(PublishedCommit commit) {
    CommitTimes times = commit.times();
    apply.record(times.applyNs(), TimeUnit.NANOSECONDS);
    upload.record(times.uploadNs(), TimeUnit.NANOSECONDS);
    log.record(times.snapshotNs(), TimeUnit.NANOSECONDS);
    publish.record(times.publishNs(), TimeUnit.NANOSECONDS);
  }
}
