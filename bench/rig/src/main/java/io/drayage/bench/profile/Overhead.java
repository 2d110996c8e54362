package io.drayage.bench.profile;

import static io.drayage.internal.Texts.format;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.drayage.bench.result.Run;
import io.drayage.bench.result.Summary;
import io.drayage.bench.statistics.PairedRatio;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The overhead of recording a system. Recorded iterations alternate with unrecorded ones in other
 * processes. Serialized by Jackson.
 *
 * @param kernelFrames whether the samples show the kernel's frames
 * @param overhead by how much S+Q is longer: 0.02 is 2 %; null if not measured
 */
public record Overhead(String system, boolean kernelFrames, @Nullable Double overhead) {
  /** A profile with a larger overhead is unreliable. */
  private static final double TOO_MUCH = 0.10;

  static Overhead of(String system, boolean kernelFrames, List<Run> plain, List<Run> recorded) {
    PairedRatio ratio = Summary.ratio(recorded, plain, Run::sqS);
    return new Overhead(
        system, kernelFrames, ratio == null ? null : (Double) (ratio.estimate() - 1));
  }

  /** Returns the overhead as one line. */
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
