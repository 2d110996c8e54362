package io.drayage.bench.profile;

import io.drayage.profiling.Frame;
import io.drayage.profiling.ProfilerEvent;
import io.drayage.profiling.Sample;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/**
 * A frame with much CPU time. Serialized by Jackson.
 *
 * @param frame its name
 * @param self the share of the CPU samples in which it was the top of the stack
 * @param total the share in which it was anywhere in the stack
 */
public record TopFrame(String system, String side, String frame, double self, double total) {
  /** Returns the frames with the largest {@code self}. */
  static List<TopFrame> of(ProfiledEnd end, int count) {
    Map<String, Long> self = new HashMap<>();
    Map<String, Long> total = new HashMap<>();
    List<Sample> samples = end.profile().samplesOf(ProfilerEvent.CPU).toList();
    double all = samples.stream().mapToLong(Sample::weight).sum();
    for (Sample sample : samples) {
      List<Frame> stack = sample.stack();
      if (!stack.isEmpty()) {
        self.merge(stack.get(stack.size() - 1).name(), sample.weight(), Long::sum);
      }
      new HashSet<>(stack.stream().map(Frame::name).toList())
          .forEach(name -> total.merge(name, sample.weight(), Long::sum));
    }
    return self.entrySet().stream()
        .sorted(
            Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                .thenComparing(Map.Entry.comparingByKey()))
        .limit(count)
        .map(
            entry ->
                new TopFrame(
                    end.system(),
                    end.side(),
                    entry.getKey(),
                    entry.getValue() / all,
                    total.getOrDefault(entry.getKey(), 0L) / all))
        .toList();
  }
}
