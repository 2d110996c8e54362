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
 * @param overhead how much longer it took: 0.02 is 2 %; null if not measured
 * @param withKernelFrames the same of a recording with the kernel's frames that was given up for
 *     what it cost; null if there was none
 */
public record Overhead(
    String system,
    boolean kernelFrames,
    @Nullable Double plainSqS,
    @Nullable Double recordedSqS,
    @Nullable Double overhead,
    @Nullable Double withKernelFrames) {
  /** A larger overhead makes a profile unreliable. */
  static final double TOO_MUCH = 0.10;

  static Overhead of(
      String system,
      boolean kernelFrames,
      List<Run> plain,
      List<Run> recorded,
      @Nullable Double withKernelFrames) {
    PairedRatio ratio = Summary.ratio(recorded, plain, Run::sqS);
    return new Overhead(
        system,
        kernelFrames,
        ProfileResult.medianS(plain),
        ProfileResult.medianS(recorded),
        ratio == null ? null : (Double) (ratio.estimate() - 1),
        withKernelFrames);
  }

  /** In a line. */
  String text() {
    return overhead == null
        ? "overhead of recording %s: not measured".formatted(system)
        : format(
            "overhead of recording %s: %s %s the kernel's frames%s (S+Q %.3f s with, %.3f s without)",
            system,
            percent(overhead),
            kernelFrames ? "with" : "without",
            withKernelFrames == null
                ? ""
                : ", %s with them, which was given up".formatted(percent(withKernelFrames)),
            recordedSqS,
            plainSqS);
  }

  /** {@code +2.1 %}. */
  static String percent(double overhead) {
    return format("%+.1f %%", 100 * overhead);
  }

  @JsonIgnore
  boolean isTooMuch() {
    return overhead != null && overhead > TOO_MUCH;
  }
}
