package io.drayage.bench.result;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/**
 * How warm the processes of a system were when its measured turns began.
 *
 * @param warm whether compilation on the data path had stopped and the times agreed; null if that
 *     was not watched
 * @param reason why it was not warm; null if it was
 * @param firstCommitS seconds of the first commit of new processes, from the moment that they were
 *     ready, which is after their own warm-up if they ship in segments, as nodes do; null if it was
 *     not measured
 */
public record Warmth(
    @Nullable Boolean warm,
    @JsonProperty("notWarmBecause") @Nullable String reason,
    @Nullable Double firstCommitS) {
  /** Of a system whose warm-up was not watched. */
  public static final Warmth UNKNOWN = new Warmth(null, null, null);

  /** Of a system whose processes were started again: the first commit is that of the first ones. */
  public Warmth and(Warmth next) {
    boolean isWarm = warm != null && warm;
    return isWarm ? new Warmth(next.warm, next.reason, firstCommitS) : this;
  }
}
