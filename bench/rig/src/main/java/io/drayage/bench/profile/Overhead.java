package io.drayage.bench.profile;

import static io.drayage.internal.Texts.format;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.drayage.bench.result.Run;
import io.drayage.bench.result.Summary;
import io.drayage.bench.statistics.PairedRatio;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What recording cost a system: recorded iterations in turns with unrecorded ones, in processes of
 * their own. Serialized by Jackson.
 *
 * @param kernelFrames whether the samples that the shares are of show the kernel's frames
 * @param overhead how much longer S+Q took: 0.02 is 2 %; null if not measured
 */
public record Overhead(String system, boolean kernelFrames, @Nullable Double overhead) {
  /** A larger overhead makes a profile unreliable. */
  private static final double TOO_MUCH = 0.10;

  static Overhead of(String system, boolean kernelFrames, List<Run> plain, List<Run> recorded) {
    PairedRatio ratio = Summary.ratio(recorded, plain, Run::sqS);
    return new Overhead(
        system, kernelFrames, ratio == null ? null : (Double) (ratio.estimate() - 1));
  }

  /** In a line. */
  String text() {
    return overhead == null
        ? "overhead of recording %s: not measured".formatted(system)
        : format(
            "overhead of recording %s: %+.1f %% of S+Q, %s the kernel's frames",
            system, 100 * overhead, kernelFrames ? "with" : "without");
  }

  @JsonIgnore
  boolean isTooMuch() {
    return overhead != null && overhead > TOO_MUCH;
  }
}
