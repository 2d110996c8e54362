package io.drayage.study.sikdar;

import io.drayage.bench.child.StudyFigure;
import io.drayage.study.sikdar.form.Formats;
import io.drayage.study.sikdar.form.ObjectKind;
import io.drayage.study.sikdar.form.PageFormat;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/**
 * Reads objects from a file: all in their order, and some at random, each with its page. The file
 * is synced and then dropped from the page cache. If that is not possible, the name of the
 * experiment ends in "cached".
 */
final class ReadExperiment {
  private static final String UNIT = "us/object";
  private static final int REPEATS = 3;

  /** One in this number of objects is read at random. */
  private static final int RANDOM_PART = 50;

  private ReadExperiment() {}

  static void run(
      List<SikdarWorkload> loads, long seed, Deadline deadline, Consumer<StudyFigure> results)
      throws IOException, InterruptedException {
    for (SikdarWorkload load : loads) {
      for (PageFormat format : Formats.all()) {
        String experiment = "read/" + load.kind().title();
        if (!deadline.cuts(experiment + " " + format.name())) {
          measure(format, load, seed, experiment, results);
        }
      }
    }
  }

  private static void measure(
      PageFormat format,
      SikdarWorkload load,
      long seed,
      String experiment,
      Consumer<StudyFigure> results)
      throws IOException, InterruptedException {
    Path path = Files.createTempDirectory("drayage-study").resolve("objects");
    try (PageFile pages = PageFile.create(path)) {
      PageFile.write(format, load, pages::append);
      pages.sync();
      double sequentialNs = Double.MAX_VALUE;
      double randomNs = Double.MAX_VALUE;
      boolean dropped = true;
      for (int i = 0; i < REPEATS; i++) {
        dropped &= dropFromCache(path);
        long startNs = System.nanoTime();
        double price = sequential(format, load.kind(), pages);
        sequentialNs = Math.min(sequentialNs, (double) (System.nanoTime() - startNs));
        load.check(format.name(), price);
        dropped &= dropFromCache(path);
        randomNs = Math.min(randomNs, random(format, load, pages, new Random(seed)));
      }
      String suffix = dropped ? "" : "/cached";
      int chosen = Math.max(1, load.count() / RANDOM_PART);
      results.accept(
          measurement(experiment + "/sequential" + suffix, format, sequentialNs / load.count()));
      results.accept(measurement(experiment + "/random" + suffix, format, randomNs / chosen));
    } finally {
      Files.deleteIfExists(path);
      Files.delete(path.getParent());
    }
  }

  private static StudyFigure measurement(String experiment, PageFormat format, double ns) {
    return new StudyFigure(experiment, format.name(), UNIT, ns / 1e3);
  }

  private static double sequential(PageFormat format, ObjectKind kind, PageFile pages)
      throws IOException {
    double price = 0;
    for (int p = 0; p < pages.count(); p++) {
      for (Object entry : format.entries(kind, pages.read(p))) {
        price += format.price(kind, entry);
      }
    }
    return price;
  }

  /** Returns the time in ns; checks the sum of the prices after it. */
  private static double random(
      PageFormat format, SikdarWorkload load, PageFile pages, Random random) throws IOException {
    int chosen = Math.max(1, load.count() / RANDOM_PART);
    int[] indexes = random.ints(chosen, 0, load.count()).toArray();
    int[] pageOf = new int[load.count()];
    for (int p = 0; p < pages.count(); p++) {
      int end = p + 1 < pages.count() ? pages.firstEntry(p + 1) : load.count();
      for (int i = pages.firstEntry(p); i < end; i++) {
        pageOf[i] = p;
      }
    }
    double price = 0;
    long startNs = System.nanoTime();
    for (int index : indexes) {
      int p = pageOf[index];
      ByteBuffer page = pages.read(p);
      Object entry = format.entry(load.kind(), page, index - pages.firstEntry(p));
      price += format.price(load.kind(), entry);
    }
    double ns = System.nanoTime() - startNs;
    double expected = 0;
    for (int index : indexes) {
      expected += load.kind().price(load.object(index));
    }
    if (Math.abs(price - expected) > 1e-9 * Math.max(1, expected)) {
      throw new IllegalStateException("%s read other objects".formatted(format.name()));
    }
    return ns;
  }

  /** Drops a file from the page cache by dd, which needs no special rights. */
  private static boolean dropFromCache(Path path) throws InterruptedException {
    try {
      return new ProcessBuilder("dd", "if=" + path, "iflag=nocache", "count=0", "status=none")
              .redirectErrorStream(true)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    }
  }
}
