package io.drayage.bench.columns;

import io.drayage.bench.progress.StepDisplay;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.PartContent;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.CargoAssembler;
import io.drayage.segment.Manifest;
import io.drayage.segment.Part;
import io.drayage.segment.Segment;
import io.drayage.segment.SegmentPlanner;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Measures the columns of one cargo, one after the other, with all codecs in turns, on the calling
 * thread alone.
 *
 * @param turns measured turns of every codec
 * @param sampleBytes about the most that is measured of a column
 * @param only the columns that are measured; all if it is empty
 */
public record ColumnsRun(ChangeCargo cargo, int turns, long sampleBytes, Set<String> only) {
  /** Bytes of each column that every codec processes before any is measured. */
  private static final long WARM_UP_BYTES = 4L << 20;

  private static final long WARM_UP_NS_PER_TURN = 60_000_000;

  /** The name of a folder's columns, each of which is alone in a table. */
  private static final String VALUE = "value";

  /**
   * @throws IllegalArgumentException if there is no such column, naming those that there are
   */
  public ColumnsRun {
    only = Set.copyOf(only);
    List<String> names = manifest(cargo).parts().stream().map(ColumnsRun::name).toList();
    for (String column : only) {
      if (!names.contains(column)) {
        throw new IllegalArgumentException(
            "there is no column %s, only %s".formatted(column, String.join(", ", names)));
      }
    }
  }

  private static Manifest manifest(ChangeCargo cargo) {
    return new SegmentPlanner(SegmentPlanner.DEFAULT_SEGMENT_BYTES).plan(cargo);
  }

  /** How many steps the display shows. */
  public int steps() {
    return samples(sampleBytes).size();
  }

  /**
   * Measures: one row for each column and codec.
   *
   * @throws IllegalStateException if a codec decodes something else than it encoded
   */
  public List<ColumnRow> run(StepDisplay display) throws InterruptedException, ShipmentException {
    List<ColumnSample> samples = samples(sampleBytes);
    List<ColumnRow> rows = new ArrayList<>();
    List<Candidate> candidates = Candidate.all();
    try {
      // All kinds of columns come first, or the first one would be measured with code made for it.
      for (ColumnSample sample : samples(Math.min(WARM_UP_BYTES, sampleBytes))) {
        warmUp(candidates, sample);
      }
      for (ColumnSample sample : samples) {
        String column = name(sample.part());
        rows.addAll(measure(candidates, column, sample));
        display.step(rows.size() / candidates.size(), samples.size(), column);
      }
    } finally {
      candidates.forEach(Candidate::close);
    }
    return List.copyOf(rows);
  }

  /** Lets every codec see a column for a while, and checks what it decodes. */
  private void warmUp(List<Candidate> candidates, ColumnSample sample)
      throws InterruptedException, ShipmentException {
    long started = System.nanoTime();
    for (Candidate candidate : candidates) {
      PartContent target = sample.emptyTarget();
      candidate.pass(sample, target);
      sample.verify(target, candidate.name());
    }
    PartContent target = sample.emptyTarget();
    while (System.nanoTime() - started < turns * WARM_UP_NS_PER_TURN) {
      for (Candidate candidate : candidates) {
        candidate.pass(sample, target);
      }
    }
  }

  private List<ColumnRow> measure(List<Candidate> candidates, String column, ColumnSample sample)
      throws InterruptedException, ShipmentException {
    warmUp(candidates, sample);
    PartContent target = sample.emptyTarget();
    for (int turn = 0; turn < turns; turn++) {
      for (Candidate candidate : candidates) {
        candidate.turn(sample, target);
      }
    }
    List<ColumnRow> rows = new ArrayList<>();
    for (Candidate candidate : candidates) {
      rows.add(candidate.row(column, sample));
    }
    return rows;
  }

  private static String name(Part part) {
    String of = part.column().equals(VALUE) ? part.table() : part.table() + "." + part.column();
    return switch (part.kind()) {
      case INSERTED_VALUES -> of;
      case UPDATED_VALUES -> of + " (updates)";
      case UPDATED_ROWS -> of + " (row ids)";
      case DELETED_ROWS -> part.table() + " (deletes)";
    };
  }

  private List<ColumnSample> samples(long maxBytes) {
    Manifest manifest = manifest(cargo);
    List<PartContent> contents = CargoAssembler.contentsOf(cargo);
    Map<Part, List<Segment>> segments =
        manifest.segments().stream().collect(Collectors.groupingBy(Segment::part));
    return manifest.parts().stream()
        .filter(segments::containsKey)
        .filter(part -> only.isEmpty() || only.contains(name(part)))
        .map(
            part -> ColumnSample.of(part, contents.get(part.index()), segments.get(part), maxBytes))
        .toList();
  }

  /** The rows for people, with their totals, line by line. */
  public List<String> toText(List<ColumnRow> rows) {
    List<String> lines = new ArrayList<>(ColumnsTable.ratios(rows).toText());
    lines.add("");
    lines.addAll(ColumnsTable.totals(Total.of(rows)).toText());
    lines.add("");
    lines.addAll(ColumnsTable.notes(rows, sampleBytes, turns));
    return lines;
  }
}
