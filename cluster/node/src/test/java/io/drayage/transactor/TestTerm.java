package io.drayage.transactor;

import io.drayage.coordination.Term;
import io.drayage.database.LogPosition;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A term that does not end, and forgets what it publishes. */
class TestTerm implements Term {
  private final long epoch;
  private final UUID cluster;
  private final @Nullable LogPosition publishedBefore;

  /** Makes the first term of its cluster. */
  TestTerm(long epoch) {
    this(epoch, new UUID(3, 3), null);
  }

  TestTerm(long epoch, UUID cluster, @Nullable LogPosition publishedBefore) {
    this.epoch = epoch;
    this.cluster = cluster;
    this.publishedBefore = publishedBefore;
  }

  @Override
  public final long epoch() {
    return epoch;
  }

  @Override
  public final UUID cluster() {
    return cluster;
  }

  @Override
  public final Optional<LogPosition> publishedBefore() {
    return Optional.ofNullable(publishedBefore);
  }

  @Override
  public void publish(LogPosition position) {}

  @Override
  public final boolean isOver() {
    return false;
  }
}
