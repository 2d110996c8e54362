package io.drayage.bench.result;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/**
 * The warmth of a system's processes when its measured turns began.
 *
 * @param warm whether compilation on the data path had stopped and the times agreed; null if that
 *     was not watched
 * @param reason the reason why it was not warm; null if it was
 * @param firstCommitS seconds of the first commit of new processes, after they were ready.
 *     Processes that ship in segments, as nodes do, are ready after their own warm-up. Null if not
 *     measured
 */
public record Warmth(
    @Nullable Boolean warm,
    @JsonProperty("notWarmBecause") @Nullable String reason,
    @Nullable Double firstCommitS) {
  /** The warmth of a system whose warm-up was not watched. */
  public static final Warmth UNKNOWN = new Warmth(null, null, null);

  /** Returns the warmth after a restart, with the first commit of the first start. */
  public Warmth and(Warmth next) {
    boolean isWarm = warm != null && warm;
    return isWarm ? new Warmth(next.warm, next.reason, firstCommitS) : this;
  }
}
