package io.drayage.bench.columns;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.progress.StepDisplay;
import io.drayage.cargo.ChangeCargo;
import io.drayage.cargo.PartContent;
import io.drayage.frame.ShipmentException;
import io.drayage.segment.CargoAssembler;
import io.drayage.segment.Manifest;
import io.drayage.segment.Part;
import io.drayage.segment.Segment;
import io.drayage.segment.SegmentPlanner;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Measures the columns of one cargo, one after the other, with all codecs alternately. Codecs of
 * the segments pipeline run on the calling thread alone. One column at a time is in memory, if the
 * columns of the cargo are made on demand.
 */
public final class ColumnsRun {
  /** Bytes of each column that every codec processes before any is measured. */
  private static final long WARM_UP_BYTES = 4L << 20;

  private static final long WARM_UP_NS_PER_TURN = 60_000_000;

  /** The name of a folder's columns, each of which is alone in a table. */
  private static final String VALUE = "value";

  private final int turns;
  private final long sampleBytes;
  private final List<PartContent> contents;
  private final Map<Part, List<Segment>> segments;
  private final List<Part> parts;
  private final List<String> skipped = new ArrayList<>();

  /**
   * Creates a run.
   *
   * @param turns measured turns of every codec
   * @param sampleBytes the approximate limit of measured bytes of a column
   * @param only the columns that are measured; all if it is empty
   * @param notThese tables whose columns are left out
   * @throws IllegalArgumentException if there is no such column, naming the existing ones
   */
  public ColumnsRun(
      ChangeCargo cargo, int turns, long sampleBytes, Set<String> only, Set<String> notThese) {
    this.turns = turns;
    this.sampleBytes = sampleBytes;
    this.contents = CargoAssembler.contentsOf(cargo);
    Manifest manifest = new SegmentPlanner(SegmentPlanner.DEFAULT_SEGMENT_BYTES).plan(cargo);
    this.segments = manifest.segments().stream().collect(Collectors.groupingBy(Segment::part));
    List<Part> all =
        manifest.parts().stream().filter(part -> !notThese.contains(part.table())).toList();
    List<String> names = all.stream().map(ColumnsRun::name).toList();
    for (String column : only) {
      if (!names.contains(column)) {
        throw new IllegalArgumentException(
            "there is no column %s, only %s".formatted(column, String.join(", ", names)));
      }
    }
    List<Part> asked =
        all.stream().filter(part -> only.isEmpty() || only.contains(name(part))).toList();
    this.parts = asked.stream().filter(segments::containsKey).toList();
    asked.stream()
        .filter(part -> !segments.containsKey(part))
        .forEach(part -> skipped.add(name(part) + " has no rows"));
  }

  /** Number of measured columns. */
  public int steps() {
    return parts.size();
  }

  /** Returns the omitted columns, and the columns that a codec refused, a sentence each. */
  public List<String> skipped() {
    return List.copyOf(skipped);
  }

  /**
   * Measures all columns: one row for each column and codec.
   *
   * @param others further codecs besides those of the pipeline; closed by the caller
   * @throws IllegalStateException if a codec decodes something else than it encoded
   */
  public List<ColumnRow> run(Collection<? extends Candidate> others, StepDisplay display)
      throws InterruptedException, IOException {
    List<Candidate> own = SegmentsCandidate.all();
    List<Candidate> candidates = new ArrayList<>(own);
    candidates.addAll(others);
    List<ColumnRow> rows = new ArrayList<>();
    Map<String, Refused> refused = new LinkedHashMap<>();
    try {
      // Runs all kinds of columns first, or code compiled for the first one would favour it.
      for (Part part : parts) {
        warmUp(take(own, sample(part, Math.min(WARM_UP_BYTES, sampleBytes)), refused));
      }
      int done = 0;
      for (Part part : parts) {
        ColumnSample sample = sample(part, sampleBytes);
        rows.addAll(measure(take(candidates, sample, refused)));
        display.step(++done, parts.size(), sample.name());
      }
    } finally {
      own.forEach(Candidate::close);
    }
    refused.forEach((why, what) -> skipped.add(what.toText(why)));
    return List.copyOf(rows);
  }

  private ColumnSample sample(Part part, long maxBytes) throws ShipmentException {
    return ColumnSample.of(
        name(part),
        part,
        contents.get(part.index()),
        segments.getOrDefault(part, List.of()),
        maxBytes);
  }

  /** Returns the candidates that accept a column, after a check of their decoded values. */
  private static List<Turns> take(
      List<? extends Candidate> candidates, ColumnSample sample, Map<String, Refused> refused)
      throws IOException, InterruptedException {
    List<Turns> taken = new ArrayList<>();
    for (Candidate candidate : candidates) {
      String why = candidate.take(sample);
      if (why == null) {
        candidate.verify();
        taken.add(new Turns(candidate, sample));
      } else {
        Refused what = refused.computeIfAbsent(why, of -> new Refused());
        what.codecs.add(candidate.name());
        what.columns.add(sample.name());
      }
    }
    return taken;
  }

  /** The codecs that refused columns, with these columns. */
  private static final class Refused {
    final Set<String> codecs = new LinkedHashSet<>();
    final Set<String> columns = new LinkedHashSet<>();

    String toText(String why) {
      return format("%s: %s (%,d columns)", String.join(", ", codecs), why, columns.size());
    }
  }

  /** Runs every codec with a column for a while. */
  private void warmUp(List<Turns> taken) throws IOException, InterruptedException {
    long started = System.nanoTime();
    do {
      for (Turns each : taken) {
        each.warmUp();
      }
    } while (System.nanoTime() - started < turns * WARM_UP_NS_PER_TURN);
  }

  private List<ColumnRow> measure(List<Turns> taken) throws IOException, InterruptedException {
    warmUp(taken);
    for (int turn = 0; turn < turns; turn++) {
      for (Turns each : taken) {
        each.turn();
      }
    }
    List<ColumnRow> rows = new ArrayList<>();
    for (Turns each : taken) {
      rows.add(each.row());
    }
    return rows;
  }

  private static String name(Part part) {
    String of = part.column().equals(VALUE) ? part.table() : part.table() + "." + part.column();
    return switch (part.kind()) {
      case INSERTED_VALUES -> of;
      case UPDATED_VALUES -> of + " (updates)";
      case UPDATED_ROWS -> of + " (row ids)";
      case DELETED_ROWS, DELETED_IDS -> part.table() + " (deletes)";
    };
  }
}
