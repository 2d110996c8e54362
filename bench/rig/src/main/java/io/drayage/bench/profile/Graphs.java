package io.drayage.bench.profile;

import io.drayage.bench.profile.Graph.GraphKind;
import io.drayage.profiling.FlameGraphs;
import io.drayage.profiling.Profile.Span;
import io.drayage.profiling.ProfilerEvent;
import io.drayage.profiling.Sample;
import io.drayage.profiling.ThreadRoles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Writes all flame graphs of a session into one folder. Leaves out graphs without samples. */
final class Graphs {
  /** The folder of the graphs, beside the page. */
  static final String FOLDER = "flames";

  private final Path folder;
  private final List<Graph> written = new ArrayList<>();

  private Graphs(Path folder) {
    this.folder = folder;
  }

  /**
   * @param folder of the page, in which the folder of the graphs is
   * @param baseline the system with which the others are compared, in both directions
   */
  static List<Graph> write(Path folder, List<ProfiledEnd> ends, String baseline)
      throws IOException {
    Graphs graphs = new Graphs(folder);
    for (ProfiledEnd end : ends) {
      graphs.write(end);
    }
    for (ProfiledEnd end : ends) {
      for (ProfiledEnd base : ends) {
        if (base.system().equals(baseline)
            && !end.system().equals(baseline)
            && base.ofWorker() == end.ofWorker()) {
          graphs.writeDifference(end, base);
          graphs.writeDifference(base, end);
        }
      }
    }
    return List.copyOf(graphs.written);
  }

  private void write(ProfiledEnd end) throws IOException {
    for (ProfilerEvent event : ProfilerEvent.values()) {
      write(end, GraphKind.EVENT, event.word(), event, sample -> true);
    }
    // CPU time, or else the time of working and waiting.
    ProfilerEvent event = end.cpuSamples() > 0 ? ProfilerEvent.CPU : ProfilerEvent.WALL;
    for (String phase : ProfiledEnd.PHASES) {
      List<Span> spans = end.phases().stream().filter(span -> span.name().equals(phase)).toList();
      write(
          end,
          GraphKind.PHASE,
          phase,
          event,
          sample -> spans.stream().anyMatch(span -> span.contains(sample.atNs())));
    }
    for (String role : ThreadRoles.ofDrayage().names()) {
      write(end, GraphKind.ROLE, role, event, sample -> sample.role().equals(role));
    }
  }

  private void write(
      ProfiledEnd end, GraphKind kind, String name, ProfilerEvent event, Predicate<Sample> which)
      throws IOException {
    List<Sample> samples = end.profile().samplesOf(event).filter(which).toList();
    if (samples.isEmpty()) {
      return;
    }
    Graph graph = graph(end, kind, name, event, null, samples.size());
    FlameGraphs.write(folder.resolve(graph.file()), graph.title(), samples);
    written.add(graph);
  }

  private void writeDifference(ProfiledEnd end, ProfiledEnd base) throws IOException {
    for (ProfilerEvent event : List.of(ProfilerEvent.CPU, ProfilerEvent.WALL)) {
      List<Sample> samples = end.profile().samplesOf(event).toList();
      List<Sample> other = base.profile().samplesOf(event).toList();
      if (!samples.isEmpty() && !other.isEmpty()) {
        Graph graph =
            graph(end, GraphKind.DIFFERENCE, event.word(), event, base.system(), samples.size());
        FlameGraphs.writeDifference(folder.resolve(graph.file()), graph.title(), samples, other);
        written.add(graph);
      }
    }
  }

  private static Graph graph(
      ProfiledEnd end,
      GraphKind kind,
      String name,
      ProfilerEvent event,
      @Nullable String against,
      long samples) {
    String parts =
        String.join(
            "-",
            end.system(),
            end.side(),
            kind.name().toLowerCase(Locale.ROOT),
            name,
            against == null ? "" : "to-" + against);
    String file = parts.replaceAll("[^A-Za-z0-9.@]+", "-").replaceAll("-$", "") + ".html";
    return new Graph(
        end.system(), end.side(), kind, name, event.word(), against, FOLDER + "/" + file, samples);
  }
}
