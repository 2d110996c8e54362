package io.drayage.bench.analyze;

import io.drayage.bench.progress.StepDisplay;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.PartContent;
import io.drayage.columnar.ColumnarMode;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.CargoAssembler;
import io.drayage.segment.Manifest;
import io.drayage.segment.Part;
import io.drayage.segment.Segment;
import io.drayage.segment.SegmentPlanner;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Analyzes the columns of one cargo. Not thread-safe.
 *
 * @param turns measured turns of every codec
 * @param sampleBytes about the most that is measured of a column
 */
public record CargoAnalysis(ChangeCargo cargo, ColumnarMode mode, int turns, long sampleBytes) {
  /** Bytes of each column that every codec processes before any is measured. */
  private static final long WARM_UP_BYTES = 4L << 20;

  /** How many steps the display shows. */
  public int steps() {
    return samples(sampleBytes).size();
  }

  /** Measures: one row for each column, the losers first. */
  public List<ColumnRow> run(StepDisplay display) throws InterruptedException, ShipmentException {
    List<ColumnSample> samples = samples(sampleBytes);
    List<ColumnRow> rows = new ArrayList<>();
    try (ColumnMeasurement measurement =
        new ColumnMeasurement(Candidate.all(mode), turns, mode.bytesPerSecond())) {
      // All kinds of columns come first, or the first one would be measured with code made for it.
      for (ColumnSample sample : samples(Math.min(WARM_UP_BYTES, sampleBytes))) {
        measurement.warmUp(sample);
      }
      for (ColumnSample sample : samples) {
        rows.add(measurement.measure(sample));
        display.step(rows.size(), samples.size(), AnalysisTable.name(sample));
      }
    }
    return rows.stream().sorted(ColumnRow.LOSERS_FIRST).toList();
  }

  private List<ColumnSample> samples(long maxBytes) {
    Manifest manifest = new SegmentPlanner(SegmentPlanner.DEFAULT_SEGMENT_BYTES).plan(cargo);
    List<PartContent> contents = CargoAssembler.contentsOf(cargo);
    Map<Integer, List<Segment>> segments =
        manifest.segments().stream().collect(Collectors.groupingBy(s -> s.part().index()));
    List<ColumnSample> samples = new ArrayList<>();
    for (Part part : manifest.parts()) {
      List<Segment> all = segments.getOrDefault(part.index(), List.of());
      if (!all.isEmpty()) {
        samples.add(ColumnSample.of(part, contents.get(part.index()), all, maxBytes));
      }
    }
    return samples;
  }

  /** The names of the codecs compared. */
  public List<String> codecs() {
    return Candidate.all(mode).stream().map(Candidate::name).toList();
  }

  /** The rows for people, with their totals, line by line. */
  public List<String> toText(List<ColumnRow> rows) {
    List<Total> totals = Total.of(rows);
    List<String> lines = new ArrayList<>(AnalysisTable.columns(rows).toText());
    lines.add("");
    lines.addAll(AnalysisTable.totals(totals).toText());
    lines.add("");
    lines.addAll(AnalysisTable.notes(rows, sampleBytes, turns));
    lines.add(AnalysisTable.times(rows, mode.bytesPerSecond()));
    lines.add(AnalysisTable.verdict(totals));
    return lines;
  }
}
