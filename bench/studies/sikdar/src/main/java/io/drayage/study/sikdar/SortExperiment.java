package io.drayage.study.sikdar;

import static io.drayage.internal.Texts.format;

import io.drayage.bench.child.StudyFigure;
import io.drayage.study.sikdar.form.Formats;
import io.drayage.study.sikdar.form.ObjectKind;
import io.drayage.study.sikdar.form.PageFormat;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Sorts a file of objects by their keys, in sorted runs that are then merged, and removes
 * duplicates, which are objects with the key of an earlier one. Half of the objects are duplicates.
 */
final class SortExperiment {
  private static final String UNIT = "ms";
  private static final int RUNS = 8;

  private SortExperiment() {}

  static void run(
      List<SikdarWorkload> loads, long seed, Deadline deadline, Consumer<StudyFigure> results)
      throws IOException {
    for (SikdarWorkload load : loads) {
      String experiment = "sort/" + load.kind().title();
      SikdarWorkload shuffled = withDuplicates(load, seed);
      for (PageFormat format : Formats.all()) {
        if (!deadline.cuts(experiment + " " + format.name())) {
          double ns = sort(format, shuffled);
          results.accept(new StudyFigure(experiment, format.name(), UNIT, ns / 1e6));
        }
      }
    }
  }

  /** Returns half as many objects, each twice, in a random order. */
  private static SikdarWorkload withDuplicates(SikdarWorkload load, long seed) {
    int half = Math.min(Math.max(1, load.count() / 2), load.distinct().size());
    List<Object> objects =
        new ArrayList<>(
            IntStream.range(0, load.count()).mapToObj(i -> load.object(i % half)).toList());
    Collections.shuffle(objects, new Random(seed));
    return new SikdarWorkload(load.kind(), objects, load.count());
  }

  /** Returns the time in ns from the file of objects to the file of sorted ones. */
  private static double sort(PageFormat format, SikdarWorkload load) throws IOException {
    Path folder = Files.createTempDirectory("drayage-study");
    List<Path> paths = new ArrayList<>();
    for (int i = 0; i < RUNS + 2; i++) {
      paths.add(folder.resolve("pages-" + i));
    }
    List<PageFile> runs = new ArrayList<>();
    try (PageFile input = PageFile.create(paths.get(RUNS));
        PageFile output = PageFile.create(paths.get(RUNS + 1))) {
      PageFile.write(format, load, input::append);
      input.sync();
      long startNs = System.nanoTime();
      int runPages = Math.max(1, (input.count() + RUNS - 1) / RUNS);
      for (int first = 0; first < input.count(); first += runPages) {
        PageFile run = PageFile.create(paths.get(runs.size()));
        runs.add(run);
        writeRun(format, load.kind(), input, first, Math.min(first + runPages, input.count()), run);
      }
      merge(format, load.kind(), runs, output);
      output.sync();
      double ns = System.nanoTime() - startNs;
      check(format, load, output);
      return ns;
    } finally {
      for (PageFile run : runs) {
        run.close();
      }
      for (Path path : paths) {
        Files.deleteIfExists(path);
      }
      Files.delete(folder);
    }
  }

  private static void writeRun(
      PageFormat format, ObjectKind kind, PageFile input, int firstPage, int endPage, PageFile run)
      throws IOException {
    List<Keyed> entries = new ArrayList<>();
    for (int p = firstPage; p < endPage; p++) {
      ByteBuffer page = input.read(p);
      // Entries may be views of their page, which the next read overwrites.
      ByteBuffer own = ByteBuffer.allocateDirect(page.remaining()).put(page).flip();
      for (Object entry : format.entries(kind, own)) {
        entries.add(new Keyed(format.key(kind, entry), entry));
      }
    }
    entries.sort(Comparator.comparingLong(Keyed::key));
    try (PageFormat.PageWriter writer = format.writer(kind, run::append)) {
      for (Keyed each : entries) {
        writer.add(each.entry());
      }
    }
  }

  private static void merge(
      PageFormat format, ObjectKind kind, List<PageFile> runs, PageFile output) throws IOException {
    PriorityQueue<Cursor> cursors = new PriorityQueue<>(Comparator.comparingLong(Cursor::key));
    for (PageFile run : runs) {
      Cursor cursor = new Cursor(format, kind, run);
      if (cursor.advance()) {
        cursors.add(cursor);
      }
    }
    long last = Long.MIN_VALUE;
    try (PageFormat.PageWriter writer = format.writer(kind, output::append)) {
      while (!cursors.isEmpty()) {
        Cursor least = cursors.remove();
        if (least.key() != last) {
          writer.add(least.entry());
          last = least.key();
        }
        if (least.advance()) {
          cursors.add(least);
        }
      }
    }
  }

  private static void check(PageFormat format, SikdarWorkload load, PageFile output)
      throws IOException {
    long[] expected =
        load.distinct().stream().mapToLong(load.kind()::key).sorted().distinct().toArray();
    int at = 0;
    for (int p = 0; p < output.count(); p++) {
      for (Object entry : format.entries(load.kind(), output.read(p))) {
        if (at == expected.length || format.key(load.kind(), entry) != expected[at++]) {
          throw new IllegalStateException(format.name() + " sorted wrongly");
        }
      }
    }
    if (at != expected.length) {
      throw new IllegalStateException(
          format("%s kept %,d of %,d objects", format.name(), at, expected.length));
    }
  }

  private record Keyed(long key, Object entry) {}

  /** A run, entry by entry. */
  private static final class Cursor {
    private final PageFormat format;
    private final ObjectKind kind;
    private final PageFile run;
    private List<Object> entries = List.of();
    private int page;
    private int slot = -1;

    Cursor(PageFormat format, ObjectKind kind, PageFile run) {
      this.format = format;
      this.kind = kind;
      this.run = run;
    }

    boolean advance() throws IOException {
      if (++slot < entries.size()) {
        return true;
      }
      if (page == run.count()) {
        return false;
      }
      entries = format.entries(kind, run.read(page++));
      slot = 0;
      return true;
    }

    Object entry() {
      return entries.get(slot);
    }

    long key() {
      return format.key(kind, entry());
    }
  }
}
