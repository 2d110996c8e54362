package io.drayage.profiling;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import one.convert.Arguments;
import one.convert.CallStack;
import one.convert.FlameGraph;

/**
 * Writes flame graphs as separate pages, which need no network, zoom by a click, and search by
 * regular expression (Ctrl+F).
 */
public final class FlameGraphs {
  private static final String WAITS = "[waits]";

  private FlameGraphs() {}

  /**
   * Writes one graph.
   *
   * @param samples of one event
   * @param title above the graph
   */
  public static void write(Path file, String title, List<Sample> samples) throws IOException {
    dump(graph(arguments(title), samples, 1), file);
  }

  /**
   * Writes the difference of two graphs. It shows the frames of {@code samples}: red with a larger
   * share of their run than in {@code base}, blue with a smaller one, yellow without a counterpart
   * in {@code base}. The opposite difference shows the frames that only {@code base} has.
   */
  public static void writeDifference(
      Path file, String title, List<Sample> samples, List<Sample> base) throws IOException {
    Arguments arguments = arguments(title);
    arguments.diff = true;
    double total = weight(samples);
    double ofBase = weight(base);
    FlameGraph graph = graph(arguments, samples, 1);
    // In the same unit as the other: shares of the whole.
    graph.diff(graph(arguments, base, ofBase == 0 ? 1 : total / ofBase));
    dump(graph, file);
  }

  private static double weight(List<Sample> samples) {
    return samples.stream().mapToLong(Sample::weight).sum();
  }

  private static Arguments arguments(String title) {
    Arguments arguments = new Arguments();
    arguments.title = title;
    // The outermost frame is on top, so that an opened page shows something.
    arguments.inverted = true;
    return arguments;
  }

  private static FlameGraph graph(Arguments arguments, List<Sample> samples, double factor) {
    FlameGraph graph = new FlameGraph(arguments);
    CallStack stack = new CallStack();
    Function<Sample, List<Object>> what =
        sample -> List.of(sample.role(), sample.waiting(), sample.stack());
    samples.stream()
        .collect(Collectors.groupingBy(what))
        .values()
        .forEach(
            same -> {
              Sample first = same.get(0);
              stack.clear();
              stack.push("[" + first.role() + "]", one.convert.Frame.TYPE_NATIVE);
              first.stack().forEach(frame -> stack.push(frame.name(), frame.type()));
              if (first.waiting()) {
                stack.push(WAITS, one.convert.Frame.TYPE_KERNEL);
              }
              graph.addSample(stack, Math.round(weight(same) * factor));
            });
    return graph;
  }

  private static void dump(FlameGraph graph, Path file) throws IOException {
    try (OutputStream out = Files.newOutputStream(file)) {
      graph.dump(out);
    }
  }
}
