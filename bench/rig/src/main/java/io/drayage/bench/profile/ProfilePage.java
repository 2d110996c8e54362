package io.drayage.bench.profile;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.page.Page;
import io.drayage.bench.page.Section;
import io.drayage.bench.profile.Graph.GraphKind;
import io.drayage.bench.statistics.Medians;
import io.drayage.bench.table.Format;
import io.drayage.bench.table.Table;
import io.drayage.bench.table.Tone;
import io.drayage.profiling.FrameRules;
import io.drayage.profiling.Shares;
import java.util.List;

/** The page of a session: where the time went, the findings, and all flame graphs. */
record ProfilePage(ProfileResult result, Page page) {
  static Page of(ProfileResult result) {
    Page page = new Page("Drayage profile");
    new ProfilePage(result, page).fill();
    return page;
  }

  private void fill() {
    page.subtitle(
        "%s over %s: %s"
            .formatted(
                String.join(", ", result.systems()),
                result.config().get("link"),
                result.config().get("cargoDescription")));
    SuspectTable.verdicts(result).forEach(line -> page.verdict(line, Tone.PLAIN));
    SuspectTable.warnings(result).forEach(line -> page.verdict(line, Tone.BAD));
    result.overhead().forEach(overhead -> page.remark(overhead.text()));
    suspects();
    experiments();
    flames();
    differences();
    frames();
    recordings();
    page.footer(
        "Shares are of samples within S+Q. Flame graphs: click to zoom, Ctrl+F to search. Recordings open in JDK Mission Control.");
  }

  private void suspects() {
    Section section = page.section("Suspects");
    section.text(
        "The time of each end. A sample belongs to the nearest frame of its stack for which there is a rule, so each column adds up to 100 %. 'under it' also counts the calls of that frame. Waiting: idle threads of the shipment.");
    result
        .systems()
        .forEach(system -> section.table(SuspectTable.of(system, result.suspectsOf(system))));
  }

  private void experiments() {
    if (result.experiments().isEmpty()) {
      return;
    }
    Table table =
        Table.of("One change each, alternately with the unchanged system", result.experiments())
            .text("system", Outcome::system)
            .text("suspect", Outcome::suspect)
            .text("change", Outcome::change)
            .number("S+Q", Format.SECONDS, outcome -> Medians.of(outcome.withS()))
            .number("without it", Format.SECONDS, outcome -> Medians.of(outcome.withoutS()))
            .number("gain", Format.PERCENT, Outcome::gain)
            .number("from", Format.PERCENT, Outcome::low)
            .number("to", Format.PERCENT, Outcome::high)
            .text("finding", outcome -> outcome.finding() + (outcome.decisive() ? "" : " (beside)"))
            .wrapped()
            .note(
                "Gain: the share of S+Q that the removal of the suspect saved, by the trimmed mean"
                    + " of the turns' ratios; from, to: its 95 % interval. S+Q: medians.")
            .build();
    page.section("Experiments").table(table);
  }

  private void flames() {
    Section section = page.section("Flame graphs");
    for (String system : result.systems()) {
      for (String side : List.of("worker", "transactor")) {
        List<Graph> graphs =
            result.graphs().stream()
                .filter(graph -> graph.system().equals(system) && graph.side().equals(side))
                .filter(graph -> graph.kind() != GraphKind.DIFFERENCE)
                .toList();
        section.folded("%s, %s".formatted(system, side), inner -> fill(inner, graphs));
      }
    }
  }

  private static void fill(Section section, List<Graph> graphs) {
    for (Graph graph : graphs) {
      if (graph.kind() == GraphKind.EVENT && graph.name().equals("cpu")) {
        section.frame("cpu", graph.file());
      }
    }
    for (Graph graph : graphs) {
      section.link(graph.file(), graph.label(), format("%,d samples", graph.samples()));
    }
  }

  private void differences() {
    List<Graph> graphs =
        result.graphs().stream().filter(graph -> graph.kind() == GraphKind.DIFFERENCE).toList();
    if (graphs.isEmpty()) {
      return;
    }
    Section section = page.section("Differences");
    section.text(
        "In both directions, because a difference does not show frames that only the other system has. Red: a larger share than in the other; blue: a smaller one; yellow: only here.");
    for (Graph graph : graphs) {
      section.link(
          graph.file(),
          "%s, %s, %s".formatted(graph.system(), graph.side(), graph.name()),
          "difference from " + graph.against());
    }
  }

  private void frames() {
    Table table =
        Table.of("Top frames by CPU time", result.topFrames())
            .text("system", TopFrame::system)
            .text("side", TopFrame::side)
            .text("frame", TopFrame::frame)
            .wrapped()
            .number("self", Format.PERCENT, TopFrame::self)
            .bars()
            .number("with calls", Format.PERCENT, TopFrame::total)
            .bars()
            .build();
    page.section("Top frames").table(table);
  }

  private void recordings() {
    Section section = page.section("Recordings");
    section.text("Events of this machine, and the methods in use:");
    section.preformatted("profiler", String.join("\n", result.profiler()));
    for (ProfiledEnd end : result.ends()) {
      Shares.Row unknown = end.shares().row(FrameRules.UNKNOWN);
      section.link(
          end.fileBesidePage(),
          "%s, %s".formatted(end.system(), end.side()),
          format(
              "%d iterations, %,d CPU samples, %.2f %% of them unknown, %.2f %% of the waiting",
              end.iterations(), end.cpuSamples(), 100 * unknown.cpu(), 100 * unknown.waiting()));
    }
    section.link("profile.json", "profile.json", "everything on this page as JSON");
  }
}
